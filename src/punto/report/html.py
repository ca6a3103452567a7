"""A certificate as one HTML file: nothing is loaded from elsewhere, no script, drawings inside."""

from base64 import b64encode
from html import escape
from importlib.resources import files

from punto.report.document import Block, Cell, Document, Facts, Paragraph, Picture, TableBlock


def html(document: Document) -> bytes:
    """The document as HTML."""
    style = files("punto.report").joinpath("certificate.css").read_text(encoding="utf-8")
    title = escape(f"Certificate of exact odds: {document.title}")
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>",
        "<header>\n<p>Certificate of exact odds</p>",
        f"<h1>{escape(document.title)}</h1>\n<p>{escape(document.subtitle)}</p>\n</header>",
        *map(_block, document.cover),
    ]
    for number, section in enumerate(document.sections, start=1):
        parts += [f"<section>\n<h2>{number}. {escape(section.title)}</h2>", *map(_block, section.blocks), "</section>"]
    running = escape(document.running)
    parts.append(f"</main>\n<footer>{running}<br>rulebook <code>{document.digest}</code></footer>\n</body>\n</html>\n")
    return "\n".join(parts).encode()


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            mark = ' class="alert" role="note"' if block.alert else ""
            return f"<p{mark}>{escape(block.text)}</p>"
        case Facts():
            facts = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in block.facts)
            return "<dl>\n" + "\n".join(facts) + "\n</dl>"
        case Picture():
            drawn = b64encode(block.svg.encode()).decode()
            return f'<img src="data:image/svg+xml;base64,{drawn}" alt="{escape(block.alt)}">'
        case TableBlock():
            return _table(block)


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
    return f'<th scope="row"{span}>{_text(cell)}</th>'


def _cell(cell: Cell, kind: str) -> str:
    return f"<td{kind}>{_text(cell)}</td>"


def _text(cell: Cell) -> str:
    text = f"<strong>{escape(cell.text)}</strong>" if cell.strong else escape(cell.text)
    return text + (f"<small>{escape(cell.small).replace('/', '/<wbr>')}</small>" if cell.small else "")
