"""What the tests type: every command with every option at least once, in the smallest size.

The lines of a group are typed one after the other in one folder, which has only `FILES` at first.
"""

# Files that a user has written.
FILES = {
    "mine.py": "# A plug-in that registers nothing.\n",
    "kept.txt": "????????\n?##.????\n????????\n????????\n",
    "round.json": '{"rows": [[0, 1, 0], [1, 2, 5]], "start": [0, 1]}\n',
    "hall.txt": "S..#......\n#.##.####.\n...#.#....\n.###.#.##.\n.....#..#.\n#.##.##.#.\n..#...#.#E\n",
    "kinds.toml": '[gem]\nmeaning = "Shines."\nsign = "e"\ncounts = true\n',
    "mine.txt": "########\n#S..#..#\n#.#...##\n#.#.#..#\n#...##E#\n########\n",
    "lock.txt": "S...E\n#####\nthing: key 1,0\nthing: door 2,0\n",
}
TYPED = {"breed": "1 2\nnext\nsave session.json\nquit\n", "play": "rr\nrr\n"}
GROUPS = {
    "lists": """
        levolve --version
        levolve recipes
        levolve recipes maze --json --plugin mine.py
        levolve parts
        levolve parts formats --json --plugin mine.py
        levolve rules --quiet
        levolve rules --json --plugin mine.py
        levolve fingerprint caverns spirals --side 12 --arithmetic exact --portrait portrait.png \
            --quiet
        levolve fingerprint caverns --axes share,change --json --plugin mine.py
    """,
    "evolve": """
        levolve evolve maze --size 8x8 --seed 7 --generations 3 --objective culs_de_sac -o a.tmx \
            -o a.png --theme dusk --tile 16 --threads 1
        levolve evolve maze --size 8x8 --seed 7 --generations 3 --target exit_path=9..40 --set \
            genotype.fill=0.2 --json --quiet --no-store
        levolve evolve --like mine.txt --size 8x8 --seed 7 --generations 3 --store own.sqlite \
            --plugin mine.py
        levolve evolve maze --from mine.txt --keep walls --seed 1 --generations 3
        levolve evolve castle --from mine.txt --change 0.2 --seed 1 --generations 3 --all
        levolve evolve castle --size 15x11 --seed 1 --generations 2 --things keys=1,doors=1,treasure=2 \
            --allow-loss --no-store
        levolve furnish hall.txt --things treasure=2,monsters=1 --apart 1 --health 3 --seed 1 \
            --generations 2 -o furnished.tmx -o furnished.png --theme ice --tile 16 --threads 1 \
            --store own.sqlite
        levolve furnish hall.txt --things keys=1,doors=1,gems=1 --kinds kinds.toml --seed 1 \
            --allow-loss --set strategy.population=8 --json --quiet --no-store --plugin mine.py
        levolve evolve maze --size 8x4 --keep kept.txt --seed 1 --generations 3 --processes 2
        levolve evolve maze-automaton --size 12x12 --seed 1 --generations 3 --frame --ancestry \
            --tensorboard log -o a.json
        levolve replay a.json --threads 2 --quiet --plugin mine.py
        levolve replay a.json --json
        levolve show a.json --path --culs-de-sac --legend --caption tiles -o shown.png --theme \
            ice --tile 16 --quiet --plugin mine.py
        levolve show a.json --no-path --field distances --all
        levolve show a.json --json
        levolve show a.json --areas
        levolve show lock.txt --order order.png
        levolve check a.json a.tmx --quiet --plugin mine.py
        levolve check a.json --json
        levolve convert a.json b.png --theme ice --tile 16 --frame --json --plugin mine.py
        levolve convert a.json b.ldtk --quiet
    """,
    "play": """
        levolve play lock.txt --moves rrrr --warn --json --quiet --plugin mine.py
        levolve play lock.txt
        levolve evolve tower --size 13x9 --generations 3 --seed 1 --no-store -o tower.json
        levolve check tower.json lock.txt --allow-loss
        levolve convert lock.txt lock.json --allow-loss
        levolve convert lock.txt lock.tscn --godot-scene key=res://key.tscn --allow-loss
    """,
    "breed": """
        levolve breed maze --size 8x8 --seed 3 --sheet 4 --wild 0.5 --blend 0.5 --objective \
            culs_de_sac --theme ice --tile 16 --store own.sqlite
        levolve breed maze --size 8x8 --seed 3 --target exit_path=9..40 --set genotype.fill=0.2 \
            --blend 0.5 --quiet --plugin mine.py
        levolve breed --resume last --json
        levolve breed --sessions
        levolve breed --session session.json --no-store
    """,
    "pack": """
        levolve demo -o demo --seed 2 --theme ice --tile 16 --threads 2 --quiet --json --plugin \
            mine.py
        levolve pack maze -n 2 --size 8x8 --target exit_path=9..40 --distinct 0.1 --curve \
            easy..hard --to json,png --seed 1 -o one --theme ice --tile 16 --threads 1
        levolve pack maze --count 2 --size 8x8 --target exit_path=9..40 --spread exit_path --seed 2 -o two \
            --attempts 50 --set generations=20 --json --quiet --no-store
        levolve pack maze --count 2 --from mine.txt --keep walls --frame --seed 1 -o three --set \
            generations=20 --store own.sqlite --plugin mine.py
        levolve pack maze --count 2 --from mine.txt --change 0.5 --seed 1 -o near --all --set generations=9
        levolve pack labyrinth --count 2 --size 15x11 --things keys=1,doors=1 --allow-loss --seed 1 -o \
            locked --set generations=3
        levolve pack maze --like mine.txt --size 8x8 --count 2 --seed 1 -o four --set \
            generations=20 --processes 2
        levolve pack flag --count 1 --size 4x4 --unique --symmetry left-right --seed 1 -o five
        levolve join one two -o both --order hard..easy --to json,png --quiet --plugin mine.py
        levolve join one two -o again --json
        levolve check both
        levolve illuminate maze --size 8x8 --axes walls,exit_path --grid 4x4 --range walls=0..40 \
            --evaluations 500 --seed 1 --objective culs_de_sac -o map --theme ice \
            --tile 16 --threads 1 --store own.sqlite --plugin mine.py
        levolve illuminate maze --size 8x8 --axes walls,exit_path --grid 4x4 --evaluations 500 \
            --seed 1 --set genotype.fill=0.2 --json --quiet --no-store
        levolve pack --from-archive map --count 2 -o six
    """,
    "studies": """
        levolve compare maze maze-barriers --runs 2 --evaluations 200 --objective exit_path \
            --size 8x8 --seed 1 --set strategy.population=30 --paired -o a.png --threads 1 --quiet \
            --store own.sqlite --plugin mine.py
        levolve compare maze maze-barriers --runs 2 --evaluations 200 --target exit_path=9..40 \
            --size 8x8 --json --no-store
        levolve compare maze maze-barriers --axes walls,exit_path --grid 4x4 --range walls=0..40 \
            --runs 2 --evaluations 300 --size 8x8
        levolve compare maze --vary genotype.kind=direct,rooms --against direct --runs 2 \
            --evaluations 200 --size 8x8
        levolve range maze --vary objective.kind=exit_path,culs_de_sac --samples 2 --evaluations \
            200 --size 8x8
        levolve range maze --axes walls,exit_path --samples 3 --evaluations 200 --size 8x8 --grid \
            4x4 --seed 1 --set genotype.fill=0.2 -o r.png --threads 1 --quiet --store own.sqlite \
            --plugin mine.py
        levolve range maze --levels random --size 8x8 --samples 2 --evaluations 200 --json \
            --no-store
        levolve meta maze --vary strategy.population=20..60 --population 4 --generations 1 \
            --seeds 1 --seed 1 --size 8x8 --set generations=3 -o t.toml --plot t.png --threads 1 \
            --quiet --store own.sqlite --plugin mine.py
        levolve meta maze --vary strategy.population=20..60 --random --budget 2000 --size 8x8 \
            --set generations=3 --json --no-store
        levolve evolve t.toml --seed 1
    """,
    "puzzles": """
        levolve solve sliding _13425786 --method genetic --seed 1 --generations 50 --scheme \
            source --set population=100 --boards --plot d.png --store own.sqlite --plugin mine.py
        levolve solve sliding 1234_5678 --goal _12345678 --size 3x3 -o slide.gif --method exact \
            --quiet --no-store
        levolve solve flag round.json --seed 1 --json
        levolve make flag --count 1 --size 4x4 --length 6..14 --unique --symmetry left-right \
            --tiles 1,2 --wrong-turns 0..9 --tries 500 --seed 1 -o rounds --to txt,png --quiet \
            --plugin mine.py
        levolve make sliding --count 2 --length 10..14 --curve easy..hard --seed 1 --set size=3x3 \
            -o boards --json
    """,
    "maps": """
        levolve map spirals --size 24x16 --updates 3 --seed 4 --legend --palette source --pixels \
            2 -o a.png -o run.txt --text every --gif --threads 1 --store own.sqlite --plugin \
            mine.py
        levolve map caverns --size 24x16 --seed 2 --smooth 1 --pour 4,4=1 --level cave.tmx \
            --theme ice --tile 16 --quiet --no-store
        levolve map lagoon --morph spirals --field radial --length 9 --seed 4 --size 24x16 -o \
            m.png --json
        levolve map lagoon --seed 1 --updates 2 --window=-50,99,24,16 --scale 3 -o far.png
        levolve map source --seed 1 --size 24x16 --border bounded --arithmetic float --frames \
            steps --prefix s --updates 2
        levolve map source --seed 1 --size 24x16 -o map.txt --text map
        levolve map source --seed 2 --size 24x16 -o both.txt
        levolve map source --seed 3 --size 24x16 -o both.txt --append
        levolve map both.txt --record 2
        levolve map source --start map.txt --size 24x16 --updates 1
        levolve map map.txt --size 24x16 --map-is result
        levolve map lagoon --seed 1 --updates 2 --size 300x260 --tiles lagoon
        levolve map caverns --size 24x16 --seed 2 -o caves.txt
        levolve convert caves.txt caves.json --level
        levolve convert run.txt two.png --palette source --pixels 2
        levolve convert map.txt map.npy --size 24x16
    """,
    "runs": """
        levolve evolve maze --size 8x8 --seed 7 --generations 3
        levolve evolve maze --size 8x8 --seed 8 --generations 3 --store own.sqlite
        levolve runs -n 1
        levolve runs --all --json
        levolve runs --store own.sqlite
        levolve runs show 1
        levolve runs show last --store own.sqlite --json
        levolve runs plot last
        levolve runs plot 1 --store own.sqlite -o p.svg
        levolve runs export
        levolve runs export 1 --store own.sqlite -o h.csv
        levolve resume last
        levolve resume 1 --store own.sqlite --threads 2 --json --quiet --plugin mine.py
        levolve runs repair
        levolve runs repair --store own.sqlite
        levolve runs delete --older-than 30d
        levolve runs delete 1 --store own.sqlite
        levolve runs delete --all
    """,
    "bench": """
        levolve bench fashion --quick -o bench.json --quiet --plugin mine.py
        levolve bench fashion --quick --json
    """,
}

# Drawn on a terminal of 80 columns and 24 lines.
TERMINAL = """
    levolve
    levolve recipes
    levolve evolve maze --size 20x12 --seed 7 --generations 20 --watch --no-store
    levolve solve flag 12 --method exact --no-store
    levolve map spirals --size 40x20 --updates 3 --seed 4 --no-store
    levolve runs
"""
# Wrong calls of every command: each is refused before anything is written.
WRONG = """
    levolve nonsense
    levolve demo --tile 0
    levolve recipes nonsense
    levolve parts nonsense
    levolve evolve maze --size 0x0
    levolve evolve nonsense
    levolve evolve maze -o level.nonsense
    levolve evolve maze --set strategy.nonsense=1
    levolve breed nonsense
    levolve breed --session nowhere.json
    levolve pack maze --count 0
    levolve pack maze --target nonsense=1
    levolve join nowhere elsewhere
    levolve compare maze
    levolve compare maze maze-barriers --runs 1 --objective nonsense
    levolve range maze --axes walls,nonsense
    levolve illuminate maze --axes nonsense
    levolve meta maze --vary strategy.nonsense=1..2
    levolve solve sliding nonsense
    levolve solve sliding 1234567_8 --method exact --plot d.png
    levolve compare maze --vary size=8x8,9x9
    levolve solve flag 999
    levolve solve nonsense 1
    levolve make nonsense
    levolve make sliding --length 9..1
    levolve make sliding --set tries=9 --curve easy..hard
    levolve make sliding --set seed=9
    levolve map nonsense
    levolve map spirals --size 24
    levolve rules extra
    levolve fingerprint nonsense
    levolve show nowhere.json
    levolve show broken.json
    levolve furnish nowhere.json --things keys=1
    levolve play broken.json
    levolve play nowhere.txt --moves r
    levolve check --nonsense
    levolve convert nowhere.json a.png
    levolve convert broken.json a.png
    levolve replay nowhere.json
    levolve resume --threads none
    levolve studio --port 99999
    levolve prepare --processes 0
    levolve bench nonsense
    levolve runs --count 0
    levolve runs show nonsense
    levolve runs plot nonsense
    levolve runs delete
    levolve runs delete --older-than soon
    levolve runs export -o a.txt
    levolve runs repair extra
"""
# How test_studio.py starts the studio.
STUDIO = """
    levolve studio --port N --store mine.sqlite
    levolve studio --port N --store mine.sqlite --quiet
    levolve studio --open --plugin mine.py
    levolve studio --no-store
"""
# What is not typed here, and why.
ELSEWHERE = {
    "--cluster": "test_cluster.py starts every command with it",
    "prepare": (
        "it compiles for minutes where the cache is cold; tests/jobs/test_preparing.py does it "
        "in parts"
    ),
}
