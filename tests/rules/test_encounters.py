"""The bundled parties, bestiaries and encounters of every game load without a problem."""

from __future__ import annotations

from pathlib import Path

from tests.rules.test_vectors import GAMES
from tests.support.tables import for_each
from tracker.core.game.schema import codec_of
from tracker.core.terms.encounter import Encounter, Member
from tracker.library.content.encounters import is_encounter, load_encounter
from tracker.library.content.library import Library
from tracker.library.content.lint import lint_file
from tracker.library.content.members import BlockSource, member_of
from tracker.library.yaml.tree import load

FILES = [path for game in GAMES for path in sorted((Path(__file__).parents[2] / "encounters" / game).glob("*.yaml"))]


def members_of(path: Path, game: str) -> list[Member]:
    """Return all who stand in a file: those of its sides and waves, or its stat blocks as members."""
    if not is_encounter(load(path).value):
        blocks = Library(path.parent, ()).blocks(path)
        return [member_of(GAMES[game], BlockSource(entry, {}), "gm")[0] for entry in blocks]
    found = load_encounter(path, GAMES.get).encounter
    assert found is not None
    codec = codec_of(GAMES[game].schema)
    assert codec.decode(codec.encode(found), Encounter) == found  # as the journal keeps it
    return [member for part in (*found.sides, *found.waves) for member in part.members]


@for_each("path", FILES)
def test_a_bundled_file_is_sound(path: Path) -> None:
    """It reads without a complaint, and every block in it without an unread column and as itself again."""
    game = path.parent.name
    schema = GAMES[game].schema
    assert schema.shorthand is not None

    assert [problem.render() for problem in lint_file(path, GAMES.get) if not problem.is_warning] == []
    for member in members_of(path, game):
        plain = {key: value for key, value in codec_of(schema).builtins(member.block).items() if key != "type"}
        assert getattr(member.block, "unread", ()) == ()
        assert codec_of(schema).convert(schema.shorthand(member.kind, plain), type(member.block)) == member.block
