"""Shoes dealt and recorded on one core."""

import numpy as np

from punto.exposure.dealt_rounds import deal_rounds
from punto.exposure.late_bets import as_kernels_take, record_late_bet
from punto.exposure.net_sums import net_sums
from punto.exposure.recording import record_all_rounds, record_all_windows
from punto.exposure.tasks import Blocks, Task


def record_shoes(work: Task, first: int, last: int) -> Blocks:
    """Deal the shoes from first to last, and record every round, every insurance window and late bet."""
    dealt = deal_rounds(work.dealing, work.seed, first, last - first, by_suit=work.by_suit)
    nets = net_sums(work.nets, dealt.unseen if dealt.unseen_by_suit is None else dealt.unseen_by_suit)
    blocks, noted = work.empty_blocks(first, last)
    sums = (noted.rounds, noted.favourable, noted.gains, noted.edges, noted.spread, noted.trues)
    start = np.int64(4 * work.dealing.decks)
    record_all_rounds(dealt.ends, blocks, dealt.unseen, dealt.left, nets, start, work.plays, sums)
    if work.offers.cells:
        offers = work.offers
        record_all_windows(dealt.ends, blocks, dealt.unseen, dealt.cards, offers.at, offers.odds, noted.offers)
    if dealt.unseen_by_suit is not None and dealt.faces is not None:
        for at, each in enumerate(work.late.bets.values(), start=len(work.offers.cells)):
            bet = as_kernels_take(each, work.dealing.on_layout[0])
            record_late_bet(dealt.ends, blocks, dealt.unseen_by_suit, dealt.faces, bet, at, noted.offers)
    return noted
