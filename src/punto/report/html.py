"""A certificate as one HTML file: nothing is loaded from elsewhere, no script, drawings inside."""

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from itertools import count

from punto.report.document import (
    Block,
    Cell,
    Document,
    Facts,
    Paragraph,
    Picture,
    SignOff,
    TableBlock,
    as_drawn,
)

SIGNED = ("Name and position", "Signature", "Date")
"""What is filled in by hand on a line to be signed."""


def html(document: Document) -> bytes:
    """The document as HTML."""
    document = as_drawn(document)
    style = files("punto.report").joinpath("certificate.css").read_text(encoding="utf-8")
    title = escape(f"{document.kind}: {document.title}")
    numbers = count(1)
    style += f"@page {{\n  @top-right {{\n    content: {_css_text(document.running)};\n  }}\n}}\n"
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        *_metadata(document),
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>",
        f"<header>\n<p>{escape(document.kind)}</p>",
        f"<h1>{escape(document.title)}</h1>\n<p>{escape(document.subtitle)}</p>\n</header>",
        *(_block(block, numbers) for block in document.cover),
        _contents(document),
    ]
    for number, (name, section) in enumerate(zip(anchors(document), document.sections, strict=True), start=1):
        own = ' class="page"' if section.page else ""
        parts.append(f'<section id="{name}"{own}>\n<h2>{number}. {escape(section.title)}</h2>')
        parts += [_block(block, numbers) for block in section.blocks]
        parts.append("</section>")
    running = escape(document.running)
    parts.append(f"</main>\n<footer>{running}<br>rulebook <code>{document.digest}</code></footer>\n</body>\n</html>\n")
    return "\n".join(parts).encode()


def _css_text(text: str) -> str:
    r"""A text as a style sheet quotes it.

    >>> print(_css_text('wu "song" </style>'))
    "wu \22 song\22  \3c /style\3e "
    """
    return '"' + re.sub(r'["\\<>&\n]', lambda sign: f"\\{ord(sign[0]):x} ", text) + '"'


def anchors(document: Document) -> list[str]:
    """The names by which a page links to its sections, in letters of the alphabet and digits, no two alike."""
    found: list[str] = []
    for section in document.sections:
        name = "-".join(re.findall(r"[a-z0-9]+", section.title.lower())) or "section"
        found.append(name if name not in found else f"{name}-{len(found) + 1}")
    return found


def _metadata(document: Document) -> list[str]:
    """The same as a PDF has: what is known, and nothing else. The commands stand in the text."""
    issued = document.issue.issued
    known = {
        "author": document.issue.issuer,
        "date": issued.isoformat() if issued else "",
        "keywords": ", ".join(document.keywords),
    }
    return [f'<meta name="{name}" content="{escape(value)}">' for name, value in known.items() if value]


def _contents(document: Document) -> str:
    named = zip(anchors(document), document.sections, strict=True)
    links = (f'<li><a href="#{name}">{escape(each.title)}</a></li>' for name, each in named)
    return '<nav aria-label="Contents">\n<ol>\n' + "\n".join(links) + "\n</ol>\n</nav>"


def _block(block: Block, numbers: Iterator[int]) -> str:
    match block:
        case Paragraph():
            mark = ' class="alert" role="note"' if block.alert else ""
            return f"<p{mark}>{escape(block.text)}</p>"
        case Facts():
            return "<dl>\n" + "\n".join(_fact(block, name, value) for name, value in block.facts) + "\n</dl>"
        case Picture():
            drawn = b64encode(block.svg.encode()).decode()
            image = f'<img src="data:image/svg+xml;base64,{drawn}" alt="{escape(block.alt)}">'
            caption = f"<figcaption>Figure {next(numbers)}. {escape(block.caption)}</figcaption>"
            return f'<figure style="max-width: {block.share * 100:g}%">{image}\n{caption}</figure>'
        case SignOff():
            rows = (
                f'<tr><th scope="row">{escape(what)}</th><td>{escape(by)}</td><td></td><td></td></tr>'
                for what, by in block.lines
            )
            head = "".join(f'<th scope="col">{title}</th>' for title in ("", *SIGNED))
            return (
                f'<table class="sign-off"><thead><tr>{head}</tr></thead>\n<tbody>'
                + "\n".join(rows)
                + "</tbody></table>"
            )
        case TableBlock():
            return _table(block)


def _fact(block: Facts, name: str, value: str) -> str:
    said = f"<code>{escape(value)}</code>" if name in block.commands else _plain(value)
    return f"<dt>{escape(name)}</dt><dd>{said}</dd>"


def _table(table: TableBlock) -> str:
    kinds = [' class="figure"' if column.kind == "figure" else "" for column in table.columns]
    titles = zip(kinds, table.columns, strict=True)
    head = "".join(f'<th scope="col"{kind}>{escape(column.title)}</th>' for kind, column in titles)
    bodies = []
    for group in table.groups:
        lines = []
        for number, row in enumerate(group):
            cells = [_cell(cell, kind) for cell, kind in zip(row[1:], kinds[1:], strict=True)]
            if number == 0:
                cells.insert(0, _head(row[0], len(group)))
            lines.append(f"<tr>{''.join(cells)}</tr>")
        bodies.append("<tbody>\n" + "\n".join(lines) + "\n</tbody>")
    caption = f"<caption>{escape(table.title)}</caption>\n" if table.title else ""
    body = "\n".join(bodies)
    return f'<div class="wide"><table>\n{caption}<thead><tr>{head}</tr></thead>\n{body}\n</table></div>'


def _head(cell: Cell, rows: int) -> str:
    span = f' rowspan="{rows}"' if rows > 1 else ""
    word = ' class="word"' if cell.text and " " not in cell.text else ""
    return f'<th scope="row"{word}{span}>{_text(cell)}</th>'


def _cell(cell: Cell, kind: str) -> str:
    return f"<td{kind}>{_text(cell)}</td>"


def _text(cell: Cell) -> str:
    text = f"<strong>{_plain(cell.text)}</strong>" if cell.strong else _plain(cell.text)
    return text + (f"<small>{escape(cell.small).replace('/', '/<wbr>')}</small>" if cell.small else "")


def _plain(text: str) -> str:
    """A text as it is, and a digest in type of one width, as in a PDF.

    >>> _plain("A < B"), _plain("0" * 64) == f"<code>{'0' * 64}</code>"
    ('A &lt; B', True)
    """
    return f"<code>{text}</code>" if re.fullmatch("[0-9a-f]{64}", text) else escape(text)
