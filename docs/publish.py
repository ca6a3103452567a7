"""What the site publishes besides its pages.

Which release it is of, the rulebook format as a JSON Schema, drawings, and the two pages that lie above this folder.
"""

import json
from importlib.metadata import version
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from rack_card import drawings

from punto.rulebook.json_schema import book_schema

ABOVE = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
"""Pages of the site that are files of the repository above its documentation."""


def above(file: str) -> str:
    """Such a file, with links that lead from the documentation."""
    return (Path(__file__).parent.parent / file).read_text(encoding="utf-8").replace("](docs/", "](")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Say at the top and the foot of every page which release it is about."""
    config.site_name = f"Punto {version('punto')}"
    config.copyright = f"This is the documentation of Punto {version('punto')}."
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the schema, the drawings and the pages from above, which are generated each time."""
    text = json.dumps(book_schema(), indent=2) + "\n"
    files.append(File.generated(config, "rulebook.schema.json", content=text))
    for name, drawing in drawings():
        files.append(File.generated(config, name, content=drawing))
    for name, file in ABOVE.items():
        files.append(File.generated(config, name, content=above(file)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Let a search name the pages that explain something before those of the Python names."""
    if page.file.src_uri.startswith("api/"):
        page.meta["search"] = {"boost": 0.2}
    return markdown
