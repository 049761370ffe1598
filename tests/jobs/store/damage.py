"""Stores with damaged rows and files, for the tests of the store, of the commands and of the
studio.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.runs.run import Run
from levolve.jobs.store.records import COLUMNS
from levolve.jobs.store.store import Store
from levolve.recipes.recipe import find_recipe

# What is done to the row of a run. Each must be found, named, and repaired.
ROWS = {
    "broken JSON": "options = '{\"output\": ['",
    "JSON of another type": "options = '[1, 2]'",
    "deep JSON": "call = replace(hex(zeroblob(50000)), '00', '[')",
    "a call that is text": "call = 'maze'",
    "plug-ins that are numbers": "plugins = '[1]'",
    "a seed that is no number": "seed = 'seven'",
    "a seed that is endless": "seed = replace(hex(zeroblob(5000)), '0', '9')",
    "text for a moment": "updated = 'yesterday'",
    "a moment without end": "started = 9e999",
    "a moment before time": "updated = -5.0",
    "bytes for text": "name = x'ff00ff'",
    "text that is not UTF-8": "headline = CAST(x'fffe41' AS TEXT)",
    "a state of a newer version": "status = 'hibernating'",
    "a process without a number": "pid = 'init'",
    "a process beyond all numbers": "pid = 4611686018427387904",
    "a score without end": "score = 9e999",
    "text for progress": "progress = 'half'",
    "a broken summary": "summary = '{\"digest\"'",
    "NULL": "kind = NULL",
    "NULL for a table": "options = NULL",
}
# Damage that the row does not show: it is found when the content is used.
CONTENTS = {
    "an unknown kind": "UPDATE runs SET kind = 'dream' WHERE id = {0}",
    "a call of a newer version": """UPDATE runs SET call = '{{"recipe": {{"version": 99, "dreams": true}}}}' WHERE id = {0}""",
    "a call of another kind": """UPDATE runs SET call = '{{"recipe": 7, "seed": []}}' WHERE id = {0}""",
    "a truncated level": "UPDATE levels SET content = substr(content, 1, 40) WHERE run = {0}",
    "a level that is text": "UPDATE levels SET content = 'level' WHERE run = {0}",
    "truncated checkpoints": "UPDATE checkpoints SET state = substr(state, 1, 60) WHERE run = {0}",
    "checkpoints that are numbers": "UPDATE checkpoints SET state = 5 WHERE run = {0}",
    "a broken history": "UPDATE history SET evaluations = 'many', best = x'00' WHERE run = {0}",
}
OTHERS = (
    "UPDATE sessions SET updated = 'now' WHERE id = 1",
    "UPDATE sessions SET data = '{' WHERE id = 2",
    "UPDATE shelf SET added = x'00' WHERE id = 1",
    "UPDATE shelf SET content = substr(content, 1, 30) WHERE id = 2",
    "UPDATE worlds SET name = NULL WHERE id = 1",
    "UPDATE worlds SET data = '[]' WHERE id = 2",
)


def good_store(path: Path, runs: int) -> None:
    """Write a store with finished runs, and two of each of the other things; the last of each is
    never damaged.
    """
    with Store(path) as store:
        job = Run(find_recipe("maze").changed({"size": "8x8", "generations": 3}), 1)
        for _ in JobRunner(job, store).events():
            pass
        content = store.levels(1)[0]
        for number in range(3):
            store.sessions.add(f"session {number}", "maze", {"recipe": "maze"})
            store.shelf.add(f"level {number}", f"digest {number}", content, "run-1-0")
            store.worlds.add(f"world {number}", {"description": {}})
    columns = ", ".join(name for name in COLUMNS if name != "id")
    with closing(sqlite3.connect(path)) as connection, connection:
        for run in range(2, runs + 1):
            connection.execute(
                f"INSERT INTO runs (id, {columns}) SELECT {run}, {columns} FROM runs WHERE id = 1"
            )
            for table, others in (
                ("history", "step, best, mean, evaluations"),
                ("checkpoints", "number, saved, state"),
                ("levels", "place, digest, content"),
            ):
                connection.execute(
                    f"INSERT INTO {table} SELECT {run}, {others} FROM {table} WHERE run = 1"
                )


def damage(path: Path, *statements: str) -> None:
    """Change a store in a way that its rules forbid."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'"
        )
        connection.execute("PRAGMA writable_schema = RESET")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement


def damaged_store(path: Path) -> int:
    """Write a store with a run for each kind of damage, all that is named above, and one sound run;
    return the number of the sound one.
    """
    sound = len(ROWS) + len(CONTENTS) + 1
    good_store(path, sound)
    rows = [
        f"UPDATE runs SET {change} WHERE id = {number}"
        for number, change in enumerate(ROWS.values(), 1)
    ]
    contents = [
        statement.format(number)
        for number, statement in enumerate(CONTENTS.values(), len(ROWS) + 1)
    ]
    damage(path, *rows, *contents, *OTHERS)
    return sound
