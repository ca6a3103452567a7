"""What the site publishes besides its pages: the rulebook format as a JSON Schema."""

import json

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from punto.rulebook.json_schema import book_schema


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the schema, which is generated from the vocabulary each time."""
    text = json.dumps(book_schema(), indent=2) + "\n"
    files.append(File.generated(config, "rulebook.schema.json", content=text))
    return files
