"""Shoes as others write them become histories, and histories are read back by command."""

import json
from pathlib import Path

import pytest

from punto.coup import cards, show
from punto.history import BadHistory, RecordedShoe, load
from punto.history.forms import FORMS, form_of
from punto.history.importing import card_of_others, from_csv, from_results, from_shoes
from punto.history.trackers import from_json

from test_cli import ok, punto_command

SHOE = RecordedShoe("wu-song")
WORDS = ("banker", "player", "tie")
EVENING = Path(__file__).parent / "evening.history"


def test_cards_of_others_are_read_in_every_spelling() -> None:
    for rank, names in {
        "A": ("1", "a", "A"),
        "T": ("10", "t", "T"),
        "J": ("11", "j"),
        "K": ("13", "K"),
        "9": ("9",),
    }.items():
        for name in names:
            assert str(card_of_others(name)) == rank
            for suit in "cdhs":
                spelt = (
                    f"{name}{suit}",
                    f"{name}{suit.upper()}",
                    f"{suit}{name}",
                    f"{suit.upper()}.{name}",
                    f" {name}{suit} ",
                )
                assert {str(card_of_others(each)) for each in spelt} == {rank + suit}


def test_a_shoe_of_cards_is_dealt_coup_after_coup() -> None:
    """By the Table of Play: 6 and 3, the Banker draws; 9 and 9 stand; the rest makes no coup."""
    [shoe] = from_shoes("6h 2c Kd As 5h, 9 9 K K 3 4", SHOE).shoes
    assert [show(each.cards) for each in shoe.rounds] == ["6h 2c Kd As 5h", "9 9 K K"]
    assert [each.number for each in shoe.rounds] == [1, 2]


def test_results_keep_their_marks_and_a_line_is_a_shoe() -> None:
    first, second = from_results("# monday\nBPbT\n\nbp\n", SHOE).shoes
    assert [each.result.winner for each in first.rounds if each.result] == ["banker", "player", "tie"]
    assert [each.result.pairs for each in first.rounds if each.result] == ["none", "banker", "none"]
    assert len(second.rounds) == 2


@pytest.mark.parametrize(
    "text",
    [
        "shoe,P1,B1,P2,B2,P3,B3\n1,H.6,C.2,D.13,S.1,,H.5\n",
        "cards\n6h 2c Kd As 5h\n",
        "id,player_cards,banker_cards,winner\n7,6h Kd,2c As 5h,Banker\n",
        "CARDS,Winner\n6h;2c,\n".replace("6h;2c", '"6h,2c,Kd,As,5h"'),
    ],
)
def test_a_table_of_rounds_is_read_by_the_names_of_its_columns(text: str) -> None:
    [shoe] = from_csv(text, SHOE).shoes
    assert [each.cards for each in shoe.rounds] == [cards("6h 2c Kd As 5h")]
    assert form_of(text) == "csv"


@pytest.mark.parametrize(
    ("form", "text", "line", "says"),
    [
        ("results", "BPX", 1, "'X' at position 3"),
        ("shoes", "6h 2c Kd As 5h\n6h 2c Kd 15s", 2, "'15s' is not a card"),
        ("csv", "a,b\n1,2\n", 1, "no column of cards or winners"),
        ("csv", "cards\n6h 2c Kd As\n", 2, "Too few cards"),
        (
            "csv",
            "cards,winner\n6h 2c Kd As 5h,player\n",
            2,
            "The cards make banker with 6 to 8, and the line says player.",
        ),
        ("csv", "winner\nnobody\n", 2, "'nobody' is no winner"),
        ("csv", "cards,winner\n,\n", 2, "neither cards nor a winner"),
        ("csv", "player_cards,banker_cards\n6h Kd 2c 3c,2c As\n", 2, "at most three cards"),
        ("results", "\n# nothing\n", 1, "There is no round in it."),
        ("csv", "", 1, "There is no round in it."),
        ("csv", "round,cards\n2,K 6 7 K\n1,K 6 7 K\n", 3, "Round 1 comes after round 2: numbers rise within a shoe."),
        ("csv", "round,cards\n0,K 6 7 K\n", 2, "0 is no number of a round"),
        ("csv", "round,cards\n1234567890,K 6 7 K\n", 2, "1234567890 is no number of a round"),
        ("csv", f"cards\n{'K ' * 100_000}\n", 2, "This is not CSV"),
        ("csv", "cards,decks\nK 6 7 K,many\n", 2, "'many' is not a whole number"),
        ("csv", "cards,currency\nK 6 7 K,S$\n", 2, "'S$' is not a currency"),
        ("csv", "cards,lines\nK 6 7 K,nonsense\n", 2, "'nonsense' starts no line"),
        ("json", "[" * 100_000, 1, "This is not JSON: too much lies within one another."),
        ("json", '[{"round": 2, "winner": "B"}, {"round": 1, "winner": "B"}]', 1, "Round 1 comes after round 2"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(form: str, text: str, line: int, says: str) -> None:
    with pytest.raises(BadHistory) as bad:
        FORMS[form](text, SHOE)
    assert bad.value.faults[0].line == line
    assert says in bad.value.faults[0].sentence


@pytest.mark.parametrize("divided", [",", ";", "\t"])
def test_cells_are_divided_by_commas_semicolons_or_tabs(divided: str) -> None:
    text = "# from a tracker\n\nshoe,cards,winner\n1,K 6 7 K,P\n\n2,6h 2c Kd As 5h,B\n".replace(",", divided)
    assert [show(each.rounds[0].cards) for each in from_csv(text, SHOE).shoes] == ["K 6 7 K", "6h 2c Kd As 5h"]


def test_a_table_names_its_rulebook_or_is_told_to(tmp_path: Path) -> None:
    file = tmp_path / "rounds.csv"
    file.write_text("rulebook,layout,decks,cards\nwu-song,A,8,K 6 7 K\n")
    assert ok("history", "import", str(file)) == (
        "punto history 1\nrulebook wu-song\nlayout A\ndecks 8\n\nround 1\ncards K 6 7 K\n"
    )
    said = ok("history", "import", str(file), "--book", "my-game", "--decks", "6")
    assert said.splitlines()[1:4] == ["rulebook my-game", "layout A", "decks 6"]
    assert "Player" in ok("history", "replay", str(file))
    file.write_text("cards\nK 6 7 K\n")
    for command in ("import", "show", "replay", "settle"):
        assert "The rounds name no rulebook" in punto_command("history", command, str(file)).stderr
    assert "is no name" in punto_command("history", "import", str(file), "--book", "my game").stderr


def test_a_round_whose_cards_make_no_coup_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "short.history"
    file.write_text(
        "punto history 1\nrulebook wu-song\nround 1\nresult tie\nshoe\nrulebook wu-song\nround 7\ncards K 6\n"
    )
    for command in ("show", "roads", "replay"):
        done = punto_command("history", command, str(file))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "punto: Shoe 2, round 7: Too few cards: a coup begins with four; here are 2.\n"


def test_what_is_asked_for_and_not_there_is_told() -> None:
    assert "There is no round 77 in it." in punto_command("history", "replay", str(EVENING), "--round", "77").stderr
    done = punto_command("history", "import", str(EVENING), "--book", "wu-song")
    assert "This is a history already" in done.stderr


def test_an_imported_file_is_a_history_that_counts_and_draws(tmp_path: Path) -> None:
    given, made = tmp_path / "shoes.txt", tmp_path / "shoes.history"
    given.write_text("BBPTb\nPPB\n")
    said = ok("history", "import", str(given), "--book", "wu-song", "--output", str(made))
    assert said == f"{made}  7 rounds, read as results\n"
    assert len(load(made.read_text()).shoes) == 2
    counts = json.loads(ok("history", "show", str(made), "--json"))
    assert counts["total"] == {"rounds": 7, "banker": 3, "player": 3, "tie": 1, "banker pair": 1} | {
        name: 0 for name in counts["total"] if counts["total"][name] == 0
    }
    assert "Big road" in ok("history", "roads", str(made), "--shoe", "2")
    assert "There is no shoe 3" in punto_command("history", "roads", str(made), "--shoe", "3").stderr


def test_a_recorded_evening_is_settled_again_and_a_wrong_net_is_told(tmp_path: Path) -> None:
    """By Wu Song 4.1.1 the Player wins half on 7, and a tie bet loses when a hand wins (1.26)."""
    assert ok("history", "settle", str(EVENING)) == "3 wagers and covers settled, 0 of them otherwise than recorded.\n"
    wrong = tmp_path / "wrong.history"
    wrong.write_text(EVENING.read_text().replace("player 100 = 50", "player 100 = 100"))
    done = punto_command("history", "settle", str(wrong))
    assert done.returncode == 1
    assert "player was recorded with 100.00, and comes to 50.00." in done.stdout
    wrong.write_text(EVENING.read_text().replace("wager tie 10", "wager no-such-bet 10"))
    assert "round 1" in punto_command("history", "settle", str(wrong)).stdout


@pytest.mark.parametrize(
    "text",
    [
        "Shoe 1: B P T\nShoe 2: B-B\n",
        "1,B,P,T\n2,B,B\n",
        "Banker, Player, Tie\nBanker Banker\n",
        "庄闲和\n庄庄\n",
        "B\nPlayer\ntie\n\nB\nB\n",
        "banker\nplayer\ntie\n--- new shoe ---\nbanker\nbank\n",
        '[["B", "P", "T"], ["B", "B"]]',
        '{"shoes": [{"results": ["B", "P", "T"]}, {"results": ["B", "B"]}]}',
        json.dumps(
            [{"winner": WORDS[at], "shoeNumber": shoe} for at, shoe in ((0, 1), (1, 1), (2, 1), (0, 2), (0, 2))]
        ),
        "Shoe Number,Hand,Outcome\n1,1,B\n1,2,P\n1,3,T\n2,1,B\n2,2,B\n",
    ],
)
def test_the_same_two_shoes_in_every_way_that_trackers_keep_them(text: str) -> None:
    history = FORMS[form_of(text)](text, SHOE)
    assert [[each.result.winner for each in shoe.rounds if each.result] for shoe in history.shoes] == [
        ["banker", "player", "tie"],
        ["banker", "banker"],
    ]


@pytest.mark.parametrize(
    "text",
    [
        '[{"playerCards": ["6H", "KD"], "bankerCards": ["2C", "AS", "5H"], "winner": "Banker", "playerScore": 6}]',
        '[[["6H", "KD"], ["2C", "AS", "5H"]]]',
        '{"rounds": [{"hands": [["6♥", "K♦"], ["2♣", "A♠", "5♥"]], "id": 7}]}',
    ],
)
def test_cards_in_a_trackers_json_are_read(text: str) -> None:
    [shoe] = FORMS[form_of(text)](text, SHOE).shoes
    assert [each.cards for each in shoe.rounds] == [cards("6h 2c Kd As 5h")]


@pytest.mark.parametrize(
    ("form", "text", "says"),
    [
        ("json", "{", "This is not JSON"),
        ("json", "7", "There is no list of rounds in it"),
        ("json", '{"a": 1}', "There is no list of rounds in it"),
        ("json", "[null]", "neither cards nor a winner"),
        ("json", '[{"winner": {"a": 1}}]', "is no winner"),
        ("json", '[[[["a"]]]]', "is no winner"),
        ("json", "[]", "There is no round in it."),
        (
            "json",
            '[{"cards": "6h 2c Kd As 5h", "playerScore": 7}]',
            "The cards make banker with 6 to 8, and the line says 7 to 8.",
        ),
        ("column", "B\nP\nX\n", "'X' is no winner"),
        ("csv", "winner,pairs\nB,all\n", "'all' is no pair"),
    ],
)
def test_what_a_tracker_kept_and_cannot_be_read_is_a_sentence(form: str, text: str, says: str) -> None:
    with pytest.raises(BadHistory) as bad:
        FORMS[form](text, SHOE)
    assert says in bad.value.faults[0].sentence


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_history_goes_out_as_a_table_and_comes_back(ending: str, tmp_path: Path) -> None:
    given = tmp_path / "a.history"
    given.write_text(
        "punto history 1\nrulebook wu-song\nlayout A\n\nround 1\ncards K 6 7 K\n\nround 3\nvoid\n\n"
        "round 4\nresult tie pairs both natural\nfree\n\nshoe\nrulebook wu-song\nlayout A\n\nround 1\nresult player\n"
    )
    table = tmp_path / f"rounds.{ending}"
    assert ok("history", "export", str(given), "--output", str(table)) == f"{table}  4 rounds\n"
    assert ok("history", "import", str(table), "--book", "wu-song", "--layout", "A") == given.read_text()


def test_a_recorded_evening_is_replayed_round_by_round(tmp_path: Path) -> None:
    given = tmp_path / "a.history"
    given.write_text(
        "punto history 1\nrulebook commission-insurance\n\nround 1\ncards 6h 2c Kd As 5h\nwager player 100 by Ann\n"
        "cover four-cards player 20 on 1 by Ann\nevent cut-card after 3\n\nround 2\ncards 6h 2c\nvoid\n"
        "event misdeal after 1: on the floor\n\nround 3\nresult tie\nfree\n\nround 4\ncards 9 K 9 Q\nwager no-such 5\n"
    )
    said = ok("history", "replay", str(given))
    assert said.splitlines()[:7] == [
        "Shoe 1, round 1: Player 6h Kd = 6, Banker 2c As 5h = 8: Banker wins",
        "  cut-card after 3 cards",
        "  Ann: Banker wins 8 to 6: 100.00 on Player loses. (3.16)",
        "  Ann: Banker wins: 20.00 on Player Insurance wins 60.00 at 3 to 1. (4.1.3)",
        "Shoe 1, round 2: called off after 6h 2c",
        "  misdeal after 1 card: on the floor",
        "Shoe 1, round 3: Tie (free hand)",
    ]
    assert "'no-such' is not a bet of this book" in said
    [only] = json.loads(ok("history", "replay", str(given), "--round", "2", "--json"))
    assert (only["shoe"], only["round"], only["lines"]) == (1, 2, [])
    assert "There is no shoe 2" in punto_command("history", "replay", str(given), "--shoe", "2").stderr


@pytest.mark.parametrize("text", ["1\n2\n3\n", "K 6 7\n", "6h 2c Kd As\n"])
def test_cards_that_make_no_round_are_no_shoe(text: str) -> None:
    """The last four ask for a fifth: the Player stands on 6, and the Banker draws on 3."""
    with pytest.raises(BadHistory) as bad:
        from_shoes(text, RecordedShoe("wu-song"))
    assert [fault.line for fault in bad.value.faults] == list(range(1, 1 + text.count("\n")))
    assert all("Too few cards" in fault.sentence for fault in bad.value.faults)


def test_faults_of_json_name_the_round_and_no_line_that_is_not_there() -> None:
    with pytest.raises(BadHistory) as bad:
        from_json('["B", "X", "Y"]', RecordedShoe("wu-song"))
    assert [fault.line for fault in bad.value.faults] == [1, 1]
    assert [fault.sentence.partition(":")[0] for fault in bad.value.faults] == [
        "round 2 of the file",
        "round 3 of the file",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("B B X P\n", "'X' at position 5 is not part of a sequence"),
        ("R B G R\n", "'R' at position 1 is not part of a sequence"),
        ("Banker Wins\nPlayer wins\n", "is not part of a sequence"),
        ("B1 P2 T\n", "'1' at position 2 is not part of a sequence"),
        ("6h 2c Zd As 5h\n", "'Zd' is not a card"),
        ("date,player_total,banker_total\n2026-01-31,7,6\n", "There is no column of cards or winners"),
        ("WWLLW\n", "This is none of the forms that are read"),
    ],
)
def test_what_cannot_be_read_is_told_in_the_words_of_the_form_that_was_meant(
    text: str, says: str, tmp_path: Path
) -> None:
    """A line of results with a letter too many is no shoe of cards, and a table of other columns neither."""
    file = tmp_path / "shoes.txt"
    file.write_text(text, encoding="utf-8")
    done = punto_command("history", "import", str(file), "--book", "wu-song")
    assert done.returncode == 1
    assert done.stderr.startswith("punto: line 1: ")
    assert says in done.stderr


def test_places_of_cards_and_hands_have_several_names() -> None:
    """The cards of a coup in drawn order: Player, Banker, Player, Banker, and the Banker's third."""
    table = "hand,player 1,banker 1,player 2,banker 2,player 3,banker 3\n1,6h,2c,Kd,As,,5h\n"
    tracked = '[{"player": ["6h", "Kd"], "banker": ["2c", "As", "5h"]}]'
    for text in (table, tracked):
        [shoe] = FORMS[form_of(text)](text, SHOE).shoes
        assert [show(each.cards) for each in shoe.rounds] == ["6h 2c Kd As 5h"]
