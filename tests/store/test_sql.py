"""No SQL outside the store: what is asked of its database is read in one folder.

The ledger of forecasts and the cache of models' answers keep files of their own, and some scorers read tables of the
user's by duckdb: those files are named here. One look below the store remains: programs under test must not see stores
that lie in their folder.
"""

import ast
import re
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "mensura"
STATEMENT = re.compile(r"\s*(SELECT .* FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|ALTER TABLE|PRAGMA) ?")
DRIVERS = {"sqlalchemy", "sqlite3", "psycopg", "duckdb"}
# Whatever is looked for below has one of these words in its file; taking a thousand others apart takes seconds.
SUSPECT = re.compile(
    r"SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|sqlalchemy|sqlite3|psycopg|duckdb|\bdatabase|schema"
)
BELOW = "subjects/sandbox/records.py"
CACHE = "subjects/model/cost/cache.py"
LEDGER = ("track_record/ledger/ledger.py", "track_record/ledger/tables.py")
TABLES = (
    "catalog/bank/data/columnar.py",
    "catalog/detection/detectors/picture.py",
    "catalog/detection/world/writing.py",
    # By DuckDB's regular expressions, which take no more time than the text is long.
    "scores/grades/pattern.py",
    "track_record/files/binary_form.py",
    "track_record/files/book.py",
    "track_record/files/long_form.py",
    "track_record/files/table.py",
    "track_record/quantities/answer_file.py",
)


@cache
def elsewhere() -> list[tuple[str, ast.AST]]:
    """Walk the code outside the store."""
    found: list[tuple[str, ast.AST]] = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith("store/") and name not in (BELOW, CACHE, *LEDGER, *TABLES):
            text = path.read_text()
            found += [(name, node) for node in ast.walk(ast.parse(text))] if SUSPECT.search(text) else []
    return found


def test_statements_stand_in_the_store_only() -> None:
    found = [
        f"{name}: {node.value[:60]}"
        for name, node in elsewhere()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value)
    ]
    assert not found, "\n".join(found)


def test_databases_are_opened_and_tables_named_in_the_store_only() -> None:
    found = []
    for name, node in elsewhere():
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        doors = ("mensura.store.schema", "mensura.store.database")
        found += [f"{name}: {one}" for one in names if one.split(".")[0] in DRIVERS or one.startswith(doors)]
        if isinstance(node, ast.Attribute) and re.search(r"\.database\.(reading|writing|snapshot)$", ast.unparse(node)):
            found.append(f"{name}: {ast.unparse(node)}")
    assert not found, "\n".join(found)
