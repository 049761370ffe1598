"""Draw the pictures of the documentation with levolve into `docs/_static`. Run it with `make
pictures`.
"""

from copy import deepcopy
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from levolve.bridges.gymnasium import TASKS, DesignEnv, PlayEnv
from levolve.formats.level_files import load_level
from levolve.formats.look import Look
from levolve.formats.pictures.colours import INK, PAPER
from levolve.formats.pictures.drawing import contact_sheet, draw_level
from levolve.formats.pictures.level_field import draw_field
from levolve.formats.pictures.marks import font
from levolve.formats.pictures.png import encode, picture_bytes
from levolve.formats.pictures.walk_lines import caption_of
from levolve.formats.themes import THEMES
from levolve.formats.themes.things import looks_of
from levolve.formats.writing import write_file
from levolve.jobs.breeding.breed import breed
from levolve.jobs.charts.figures import png_of
from levolve.jobs.charts.heat_maps import range_picture
from levolve.jobs.charts.history import history_picture
from levolve.jobs.packs.pack_function import pack
from levolve.jobs.runs.evolve import evolve
from levolve.jobs.runs.furnish import furnish
from levolve.jobs.runs.world_jobs import FIRST_UNSEEN, designs_of
from levolve.jobs.store.store import Store
from levolve.jobs.studies.compare import compare_sizes
from levolve.jobs.studies.range_sampling import expressive_range
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.levels.solver import recertified
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import WALLS
from levolve.puzzles.flag import pictures as flag_picture
from levolve.puzzles.flag.files import shipped
from levolve.puzzles.flag.puzzle import FLAG
from levolve.puzzles.sliding import pictures as sliding_picture
from levolve.puzzles.sliding.rules import Board
from levolve.puzzles.solve_make import solve
from levolve.worlds.fingerprints import portrait
from levolve.worlds.lambda_fields import Gradient, Noise, Rings, SpaceField
from levolve.worlds.legend import Palette, find_palette
from levolve.worlds.morph import Morph, linear, noise, radial
from levolve.worlds.pictures import encode_picture
from levolve.worlds.rule import Map, Rule
from levolve.worlds.shipped import find_designs
from levolve.worlds.starts import random_start
from levolve.worlds.world import World

STATIC = Path(__file__).parent / "_static"
STYLES = Path(__file__).parent.parent / "examples" / "styles"
RECIPES = ("maze", "maze-long", "maze-chromatic", "maze-barriers", "maze-tunnels", "maze-automaton")
PAPERS = ("maze", "maze-barriers", "maze-automaton")
STRUCTURE = ("pockets", "specks", "diagonals", "plazas", "regions")
FURNISHED = (
    ("crypt-treasure", "dusk"),
    ("lever-works", "stone"),
    ("zelda-like", "wood"),
    ("dungeon-crawl", "cave"),
)
DESIGNS = ("labyrinth", "braided", "castle", "crypt", "grotto", "garden", "island")
FRONT = (
    ("labyrinth", "stone"),
    ("grotto", "cave"),
    ("garden", "hedge"),
    ("island", "sand"),
    ("crypt", "dusk"),
    ("castle", "ice"),
)
OBJECTIVES = (
    "exit_path",
    "reconvergence",
    "isolated_reconvergence",
    "culs_de_sac",
    "cul_de_sac_length",
)


def sheet(name: str, levels: list[Level], captions: list[str], columns: int) -> None:
    """Write one contact sheet."""
    write_file(STATIC / name, picture_bytes(few_colours(contact_sheet(levels, captions, columns))))


def few_colours(picture: Image.Image) -> Image.Image:
    """Return a picture with 256 colours, rare ones among them."""
    return picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def fashion_sheet(
    name: str, maps: list[tuple[str, Map, Palette]], columns: int, pixels: int
) -> None:
    """Write maps side by side, each with a caption below it."""
    gap, line = 18, 24
    height, width = (side * pixels for side in maps[0][1].shape)
    rows = -(-len(maps) // columns)
    picture = Image.new(
        "RGB", (gap + columns * (width + gap), gap + rows * (height + line + gap)), PAPER
    )
    pen = ImageDraw.Draw(picture)
    for number, (caption, tiles, palette) in enumerate(maps):
        left, top = (
            gap + number % columns * (width + gap),
            gap + number // columns * (height + line + gap),
        )
        colours = np.array(palette, np.uint8)[tiles].repeat(pixels, axis=0).repeat(pixels, axis=1)
        picture.paste(Image.fromarray(colours), (left, top))
        pen.text((left, top + height + 4), caption, fill=INK, font=font(14))
    write_file(STATIC / name, picture_bytes(picture.quantize(128)))


def draw_fashion() -> None:
    """Draw the pictures of the page about fashion worlds."""
    cave = find_palette("cave")
    designs = {
        name: find_designs(name)[0]
        for name in ("caverns", "coral", "cracks", "lagoon", "scales", "spirals")
    }
    fashion_sheet(
        "fashion-rules.png",
        [(name, design.make((96, 96), 4), cave) for name, design in designs.items()],
        3,
        3,
    )
    spirals = designs["spirals"].rule
    steps = list(spirals.frames(random_start(6, (80, 80), 4), 48))
    fashion_sheet(
        "fashion-updates.png",
        [(f"update {number}", steps[number], cave) for number in (0, 2, 6, 12, 24, 48)],
        6,
        2,
    )
    size = (120, 80)
    start = random_start(6, size, 4)
    morph = Morph([designs["lagoon"].rule, spirals])
    fields = {"linear": linear(size), "radial": radial(size), "noise": noise(size, seed=2)}
    fashion_sheet(
        "fashion-morphs.png",
        [
            (f"lagoon to spirals, {name}", morph.run(start, field, 40), cave)
            for name, field in fields.items()
        ],
        3,
        3,
    )
    world = World(designs["lagoon"].rule, seed=1, updates=20)
    windows = [(scale, world.window(0, 0, 120, 80, scale)) for scale in (1, 3, 9)]
    fashion_sheet(
        "fashion-world.png",
        [
            (f"scale {scale}: {120 * scale}x{80 * scale} cells", tiles, cave)
            for scale, tiles in windows
        ],
        3,
        3,
    )
    spaces: dict[str, SpaceField] = {
        "Gradient(150, 25)": Gradient(150, 25),
        "Rings(90, 100, 65)": Rings(90, 100, 65),
        "Noise(150, 1)": Noise(150, 1),
    }
    shown = [
        (name, World(morph, 1, 40, field=field).window(0, 0, 200, 130), cave)
        for name, field in spaces.items()
    ]
    fashion_sheet("fashion-space.png", shown, 3, 2)
    (evolved,) = designs_of(evolve("cavern", seed=3))
    shown = [
        (
            f"a start map never seen, {number + 1}",
            evolved.make((100, 100), FIRST_UNSEEN + number),
            cave,
        )
        for number in range(4)
    ]
    fashion_sheet("fashion-caverns.png", shown, 4, 2)
    write_file(
        STATIC / "fashion-portrait.png",
        encode_picture(*portrait(Rule([[0, 50], [20, 99]]), side=360).picture()),
    )


def draw_round_trip() -> None:
    """Draw a maze, the same maze with a room added by hand, and the maze evolved from it with its
    walls kept.
    """
    grown = evolve("maze", size=(24, 16), seed=3).best
    tiles = grown.tiles.copy()
    tiles[3:12, 7:18] = 0
    tiles[4:11, 8:17] = 1
    tiles[5:10, 9:16] = 0
    tiles[4, 10] = tiles[10, 14] = 0
    edited = recertified(Level(tiles, grown.places))
    further = evolve("maze", start=edited, keep="walls", seed=1).best
    shown = {"grown": grown, "edited": edited, "evolved further": further}
    captions = [f"{words}: {caption_of(level)}" for words, level in shown.items()]
    sheet("round-trip.png", list(shown.values()), captions, 3)


def draw_fields() -> None:
    """Draw the distances and the members of one maze side by side."""
    level = evolve(
        "maze",
        seed=7,
        objective="reconvergence",
        generations=60,
        settings={"objective.exit_members": 3},
    ).best
    strip(
        "fields.png",
        [
            (f"{kind} of the cells", draw_field(level, kind, 20, ends=kind == "distances"))
            for kind in ("distances", "members")
        ],
    )


def draw_designs() -> None:
    """Draw twelve levels of each recipe whose levels are made to be shipped."""
    made = {name: [evolve(name, seed=seed).best for seed in range(1, 13)] for name in DESIGNS}
    for name, levels in made.items():
        sheet(f"{name}.png", levels, [f"{len(level.solution or '')} steps" for level in levels], 4)
    front = [(name, theme, made[name][0]) for name, theme in FRONT]
    strip(
        "levels.png",
        [
            (
                f"{name}, {len(level.solution or '')} steps",
                draw_level(level, 14, theme=THEMES[theme]),
            )
            for name, theme, level in front
        ],
        3,
    )
    draw_structure(made)


def draw_structure(made: dict[str, list[Level]]) -> None:
    """Draw a chart of measures of structure: levels of the papers' recipes at the same size, and
    levels made to be shipped.
    """
    from matplotlib.figure import Figure

    old = {
        name: [evolve(name, size=(25, 17), seed=seed).best for seed in range(1, 13)]
        for name in PAPERS
    }
    values = {name: measure(levels) for name, levels in {**old, **made}.items()}
    figure = Figure(figsize=(11, 3.4), dpi=100)
    for axis, counted in zip(
        figure.subplots(1, len(STRUCTURE), sharey=True), STRUCTURE, strict=True
    ):
        means = [float(np.mean(found[counted])) for found in values.values()]
        axis.barh(
            list(values), means, color=["#b9b2a5" if name in old else "#4f7a5b" for name in values]
        )
        axis.set_title(f"{counted} per level", fontsize=10)
        axis.bar_label(axis.containers[0], [f"{mean:.1f}" for mean in means], padding=2, fontsize=8)
        axis.set_xlim(0, max(means) * 1.25)
        axis.tick_params(labelsize=8)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    figure.axes[0].invert_yaxis()
    figure.tight_layout()
    content = BytesIO()
    figure.savefig(content, format="png", metadata={"Software": None})
    write_file(STATIC / "structure.png", content.getvalue())


def draw_dungeons() -> None:
    """Draw dungeons of two recipes with their tours, the way back included."""
    made = {
        "dungeon, seed 1": evolve("dungeon", seed=1),
        "dungeon, seed 2": evolve("dungeon", seed=2),
        "dungeon-best": evolve("dungeon-best", seed=1),
    }
    strip(
        "dungeons.png",
        [
            (f"{name}: {caption_of(run.best, 'tiles')}", draw_level(run.best, 24, legend=True))
            for name, run in made.items()
        ],
    )


def draw_themes() -> None:
    """Draw a castle, a grotto and a labyrinth in every theme, with tiles of 16, 32 and 48
    pixels.
    """
    sizes = (("castle", (25, 15), 16, 4), ("grotto", (13, 8), 32, 2), ("labyrinth", (9, 5), 48, 3))
    levels = [
        (evolve(recipe, size=size, seed=seed).best, tile) for recipe, size, tile, seed in sizes
    ]
    shown = [
        (f"{name}, {tile} pixels", draw_level(level, tile, theme=THEMES[name]))
        for name in THEMES
        for level, tile in levels
    ]
    picture = in_rows(shown, 3).quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    write_file(STATIC / "themes.png", picture_bytes(picture))


def draw_things() -> None:
    """Draw all kinds of things in every theme, at the start and after they were used."""
    things = [
        *(
            Thing(kind, (0, 0), fields={"color": colour})
            for colour in ("red", "blue", "green", "yellow")
            for kind in ("key", "door")
        ),
        *(Thing(kind, (0, 0)) for kind in ("small_key", "small_door")),
        *(Thing(kind, (0, 0), kind) for kind in ("lever", "button", "plate")),
        *(Thing("gate", (0, 0), fields={"lever": kind}) for kind in ("lever", "button", "plate")),
        *(Thing("one_way", (0, 0), fields={"direction": move}) for move in MOVES),
        Thing("stairs", (0, 0), "up", {"to": "down"}),
        Thing("teleporter", (0, 0), "down", {"to": "up"}),
        *(Thing("treasure", (0, 0), fields={"value": value}) for value in ("1", "5")),
        *(Thing(kind, (0, 0)) for kind in ("treasure_gate", "monster", "trap", "potion", "boss")),
        *(Thing(kind, (0, 0)) for kind in ("spawn", "player", "secret_door", "torch")),
    ]
    side, looks = 32, looks_of(things, {})
    rows = []
    for name in THEMES:
        theme = THEMES[name]
        floor, wall = (
            Image.fromarray(tile)
            for tile in (theme.floor(WALLS, 0, 0, side), theme.wall(WALLS, 255, side))
        )
        row = Image.new("RGB", (len(looks) * side, 2 * side))
        for number, look in enumerate(looks):
            for line, shown in enumerate((look, look.used())):
                cell = (number * side, line * side)
                row.paste(floor, cell)
                if look.sign == "secret_door":
                    row.paste(wall, cell, wall)
                mark = Image.fromarray(theme.thing(shown, side))
                row.paste(mark, cell, mark)
        rows.append((name, row))
    strip("things.png", rows, 1)


def draw_furnished() -> None:
    """Draw levels of the recipes with things, and one level before and after `furnish`."""
    sheet(
        "keep-locked.png",
        [evolve("keep-locked", seed=seed).best for seed in range(1, 10)],
        [f"seed {seed}" for seed in range(1, 10)],
        3,
    )
    shown = [
        (f"{name}, {theme}", draw_level(evolve(name, seed=3).best, 12, theme=THEMES[theme]))
        for name, theme in FURNISHED
    ]
    strip("furnished.png", shown, 2)
    layout = evolve("castle", seed=3, generations=10).best
    things = {"keys": 2, "doors": 2, "treasure": 5, "monsters": 6}
    made = furnish(layout, things, seed=1)
    strip(
        "furnish.png",
        [
            (caption, draw_level(level, 14, theme=THEMES["stone"]))
            for caption, level in (("a level", layout), ("with things, and a solution", made))
        ],
    )


def strip(name: str, pictures: list[tuple[str, Image.Image]], columns: int | None = None) -> None:
    """Write pictures side by side, or in rows of `columns`, each with a caption below it."""
    write_file(STATIC / name, picture_bytes(few_colours(in_rows(pictures, columns))))


def in_rows(pictures: list[tuple[str, Image.Image]], columns: int | None = None) -> Image.Image:
    """Return pictures in rows of `columns`, each with a caption below it."""
    gap, line = 18, 24
    columns = columns or len(pictures)
    width, height = (
        max(sides) for sides in zip(*(picture.size for _, picture in pictures), strict=True)
    )
    rows = -(-len(pictures) // columns)
    sheet = Image.new(
        "RGB", (gap + columns * (width + gap), gap + rows * (height + line + gap)), PAPER
    )
    pen = ImageDraw.Draw(sheet)
    for number, (caption, picture) in enumerate(pictures):
        left, top = (
            gap + number % columns * (width + gap),
            gap + number // columns * (height + line + gap),
        )
        sheet.paste(picture, (left, top))
        pen.text((left, top + picture.height + 4), caption, fill=INK, font=font(14))
    return sheet


def draw_puzzles() -> None:
    """Draw the pictures of the page about puzzles: a round and a board being solved."""
    played = shipped()[19]
    moves = played.solution or ""
    stops = [len(moves) * part // 4 for part in range(5)]
    strip(
        "puzzles-flag.png",
        [
            (f"{stop} of {len(moves)} moves", flag_picture.draw(played.after(moves[:stop]), 32))
            for stop in stops
        ],
    )
    write_file(STATIC / "puzzles-flag.gif", FLAG.encode(played, "gif"))
    strip(
        "puzzles-rounds.png",
        [
            (f"round {number}", flag_picture.draw(shipped()[number - 1].after(""), 28))
            for number in (1, 7, 16, 20, 30)
        ],
    )
    board = Board.read("8672543_1")
    moves = solve("sliding", board, seed=1).moves or ""
    stops = [len(moves) * part // 4 for part in range(5)]
    strip(
        "puzzles-sliding.png",
        [
            (f"{stop} of {len(moves)} moves", sliding_picture.draw(board.after(moves[:stop]), 48))
            for stop in stops
        ],
    )


def draw_breeding() -> None:
    """Draw levels of sheets 1, 10 and 40 of a session, bred by somebody who picks the most
    symmetric ones while the objective favours long paths.
    """

    def symmetry(level: Level) -> float:
        walls = level.tiles != 0
        cells, count = int(walls.size), int(walls.sum())
        return float(cells * (walls & walls[::-1, ::-1]).sum() - count * count) / max(
            cells * count - count * count, 1
        )

    session = breed("maze", size=(16, 16), seed=3, blend=0.2)
    shown: list[Level] = []
    captions: list[str] = []
    for number in range(1, 41):
        order = sorted(
            range(len(session.levels)), key=lambda place: -symmetry(session.levels[place])
        )
        if number in {1, 10, 40}:
            shown += [session.levels[place] for place in order[:4]]
            captions += [
                f"sheet {number}: symmetry {symmetry(session.levels[place]):.0%}"
                for place in order[:4]
            ]
        session.pick(dict(zip(order, ("love", "like", "like"), strict=False)))
        session.next()
    sheet("breeding.png", shown, captions, 4)


def draw_history() -> None:
    """Draw the history of a stored run."""
    with TemporaryDirectory() as folder, Store(Path(folder) / "runs.sqlite") as store:
        evolve("maze", size=(40, 40), seed=7, generations=1000, store=store)
        write_file(
            STATIC / "history.png",
            history_picture(store.history(1), "evolve maze 40x40, seed 7", Path("history.png")),
        )


def draw_likeness() -> None:
    """Draw examples of three styles, and levels made like each."""
    shown: list[Level] = []
    captions: list[str] = []
    for file in sorted(STYLES.glob("*.txt")):
        example = load_level(file)
        made = pack(like=[example], count=3, seed=1, distinct=0.12)
        shown += [Level(example.tiles, example.places), *made.levels]
        captions += [
            f"{file.stem}, drawn by hand",
            *(f"like it: {measures['likeness']:.2f}" for measures in made.measures),
        ]
    sheet("likeness.png", shown, captions, 4)


def draw_gymnasium() -> None:
    """Draw an episode in a maze, the other environments in the middle of a solution, and a level
    before and after design.
    """
    shown: list[tuple[str, Image.Image]] = []
    env = PlayEnv("maze", recipe="labyrinth", size=(15, 15), render_mode="rgb_array")
    observation, info = env.reset(seed=1)
    visits = np.zeros((17, 17), np.int64)
    total, steps, ended = 0.0, 0, False
    while not ended:
        if steps in {0, 40}:
            shown.append((f"Maze-v0: step {steps}", Image.fromarray(env.render())))
        # An explorer: it goes where it has been least often.
        x, y = observation["player"] + 1
        visits[y, x] += 1
        near = np.array([visits[y - 1, x], visits[y + 1, x], visits[y, x - 1], visits[y, x + 1]])
        observation, reward, terminated, truncated, info = env.step(
            int(np.where(info["action_mask"], near, visits.sum() + 1).argmin())
        )
        total, steps, ended = total + reward, steps + 1, terminated or truncated
    shown.append(
        (
            f"{'won' if info['won'] else 'lost'} at step {steps}, return {total:.2f}",
            Image.fromarray(env.render()),
        )
    )
    games: dict[str, dict[str, Any]] = {
        "dungeon": {"tile": 24, "theme": "cave", "generations": "recipe"},
        "chromatic": {"size": (15, 15), "generations": "recipe"},
        "flag": {"size": (6, 6)},
        "sliding": {"size": (4, 4)},
    }
    for name, arguments in games.items():
        env = PlayEnv(name, render_mode="rgb_array", **arguments)
        env.reset(seed=3)
        moves = env.level.solution or ""
        for move in moves[: len(moves) // 2]:
            env.step(MOVES.index(move))
        shown.append(
            (
                f"{TASKS[name].id.removeprefix('levolve/')}: step {len(env.moves)} of {len(moves)}",
                Image.fromarray(env.render()),
            )
        )
    ranked = {"objective.feasible_first": True}
    designer = DesignEnv(
        "maze",
        size=(10, 10),
        settings=ranked,
        representation="wide",
        changes=0.6,
        render_mode="rgb_array",
        theme="sand",
        tile=24,
    )
    random = np.random.default_rng(1)
    _, info = designer.reset(seed=3)
    shown.append((f"Design-v0: score {info['score']:.2f}", Image.fromarray(designer.render())))
    ended = False
    while not ended:
        # A greedy designer: each change is one of the best.
        legal = np.flatnonzero(info["action_mask"])
        rewards = np.array([deepcopy(designer).step(action)[1] for action in legal])
        _, _, terminated, truncated, info = designer.step(
            random.choice(legal[rewards == rewards.max()])
        )
        ended = terminated or truncated
    shown.append(
        (
            f"after {info['changes']} changes: score {info['score']:g}",
            Image.fromarray(designer.render()),
        )
    )
    strip("gymnasium.png", shown, 3)


def draw_studies() -> None:
    """Draw the pictures of the pages about strategies and studies."""
    front = evolve(
        "maze", size=(14, 14), seed=7, generations=300, settings={"strategy": "nsga2"}
    ).front
    found = expressive_range(
        ["maze", "maze-tunnels", "castle", "braided"], size="14x14", samples=120
    )
    rivals = ["maze", "maze-long", "maze-barriers", "maze-tunnels", "ashlock-direct"]
    ranks = compare_sizes(
        rivals, ["8x8", "10x10", "12x12"], runs=6, evaluations=1500, objective="exit_path"
    ).ranks
    for name, content in (
        ("front", png_of(front.plot())),
        ("range", range_picture(found)),
        ("ranks", png_of(ranks.plot())),
    ):
        with Image.open(BytesIO(content)) as picture:
            write_file(STATIC / f"{name}.png", picture_bytes(few_colours(picture.convert("RGB"))))


def draw_questions() -> None:
    """Draw one run of each setting of the page about the notes' questions."""

    def found(recipe: str, **settings: object) -> Level:
        changes = {"evaluations": 20_000, "generations": 20_000, **settings}
        return evolve(recipe, size=(20, 20), seed=1, settings=changes).best

    required = {
        number: found(
            "maze",
            objective={
                "kind": "reconvergence",
                "exit_members": number,
                "feasible_first": True,
            },
        )
        for number in (0, 3, 5)
    }
    strip(
        "questions-members.png",
        [
            (f"k = {number}: members of each cell", draw_field(level, "members", 20, ends=True))
            for number, level in required.items()
        ],
    )
    four = {
        name: found(f"ashlock-{name}") for name in ("direct", "chromatic", "positive", "negative")
    }
    sheet(
        "questions-genotypes.png",
        list(four.values()),
        [f"{name}: {measure(level)['exit_path'][0]} steps" for name, level in four.items()],
        4,
    )
    strip(
        "questions-ends.png",
        [
            (kind, draw_field(found("maze", objective={"kind": kind}), "distances", 20, ends=True))
            for kind in ("exit_path", "culs_de_sac", "cul_de_sac_length")
        ],
    )


def main() -> None:
    """Draw everything; the same seeds give the same pictures."""
    runs = [evolve(recipe, seed=3) for recipe in RECIPES]
    sheet(
        "recipes.png",
        [run.best for run in runs],
        [f"{run.recipe.name}: {run.best_score:g} steps" for run in runs],
        3,
    )
    runs = [evolve("maze", seed=3, objective=objective) for objective in OBJECTIVES]
    captions = [
        f"{objective} {run.best_score:g}" for objective, run in zip(OBJECTIVES, runs, strict=True)
    ]
    sheet("objectives.png", [run.best for run in runs], captions, 5)
    write_file(
        STATIC / "legend.png",
        encode(
            evolve("maze", seed=5, objective="isolated_reconvergence").best,
            Look(tile=22),
            ends=True,
            legend=True,
        ),
    )
    draw_fields()
    draw_designs()
    draw_themes()
    draw_things()
    draw_furnished()
    draw_dungeons()
    draw_fashion()
    draw_round_trip()
    made = pack(
        "maze",
        count=8,
        size=(16, 16),
        target={"regions": "1..4"},
        curve="easy..hard",
        distinct=0.3,
        seed=1,
    )
    sheet(
        "pack.png",
        list(made.levels),
        [f"difficulty {measures['difficulty']}" for measures in made.measures],
        4,
    )
    draw_puzzles()
    draw_breeding()
    draw_history()
    draw_likeness()
    draw_gymnasium()
    draw_studies()
    draw_questions()
    mazes = sorted(
        (evolve("maze", seed=seed) for seed in range(1, 13)), key=lambda run: run.best_score
    )
    sheet(
        "mazes.png",
        [run.best for run in mazes],
        [f"{run.best_score:g} steps, seed {run.seed}" for run in mazes],
        4,
    )


if __name__ == "__main__":
    main()
