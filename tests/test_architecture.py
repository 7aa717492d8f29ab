"""What `docs/architecture.md` says of the code's shape holds: layers, writers, homes."""

import ast
import functools
import graphlib
import importlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "bloodrage_env"
GAME = PACKAGE / "games" / "bloodrage"
ENGINE = GAME / "engine"

# The layers of the package and of a game, from the bottom. What is not named stands at the top: commands, `__init__`.
SHARED = (
    {"errors", "files", "encoding", "text"},
    {"core"},
    {"study"},
    {"games"},
    {"env", "gpu", "vector", "bloodrage_v0", "berserk_v0", "terminal", "arguments", "render"},
)
LAYERS = (
    {"mode", "SPEC"},  # `SPEC` of a game's `__init__` contains names only
    {"engine"},
    {"card_lists", "rewards"},
    {"options"},
    {"observation"},
    {"game"},
    {"notation", "replay", "render"},
    {"env", "terminal", "aims", "presentation", "table_page"},
)


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """What is parsed is kept for the tests of this module alone."""
    yield
    parsed.cache_clear()


def imports_of(path: Path, root: Path) -> set[str]:
    """The parts of `root` that a file in it imports at its head, those only for type checks included."""
    inside = path.relative_to(root).parts
    found = set()
    for node in parsed(path).body:
        if isinstance(node, ast.ImportFrom) and 0 < node.level <= len(inside):
            package = list(inside[: len(inside) - node.level])
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found.update([*package, *name.split(".")][0] for name in names)
    return found


@pytest.mark.parametrize(("root", "layers"), [(PACKAGE, SHARED), (GAME, LAYERS), (GAME.with_name("berserk"), LAYERS)])
def test_imports_go_one_way(root: Path, layers: Sequence[set[str]]) -> None:
    def layer_of(part: str) -> int:
        return next((level for level, names in enumerate(layers) if part in names), len(layers))

    guilty = {
        f"{path.relative_to(root)}: {part}"
        for path in root.rglob("*.py")
        if root != PACKAGE or not path.is_relative_to(PACKAGE / "games")
        for part in imports_of(path, root)
        if layer_of(part) > layer_of(path.relative_to(root).parts[0].removesuffix(".py"))
    }
    assert guilty == set()


def absolute_imports_of(path: Path, anywhere: bool) -> set[str]:
    """The top-level packages that a file imports at its head, or `anywhere` in it."""
    tree = parsed(path)
    found = set()
    for node in ast.walk(tree) if anywhere else tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


def modules() -> dict[str, Path]:
    """The files of the three packages, by the names of their modules."""
    found = {}
    for package in (PACKAGE, ROOT / "agents" / "bloodrage_agents", ROOT / "training" / "bloodrage_training"):
        for path in package.rglob("*.py"):
            found[".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")] = path
    return found


def imports(anywhere: bool) -> dict[str, set[str]]:
    """The modules that each module imports at its head, or `anywhere` in it."""
    known, graph = modules(), dict[str, set[str]]()
    for name, path in known.items():
        package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
        graph[name] = set()
        tree = parsed(path)
        for node in ast.walk(tree) if anywhere else tree.body:
            if isinstance(node, ast.ImportFrom):
                origin = package[: len(package) + 1 - node.level] if node.level else []
                origin += node.module.split(".") if node.module else []
                names = [".".join([*origin, alias.name]) for alias in node.names]
                graph[name] |= {each if each in known else ".".join(origin) for each in names} & known.keys()
            elif isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names} & known.keys()
    return graph


def test_no_module_imports_itself_over_others() -> None:
    """Imports within functions and for type checks included."""
    graphlib.TopologicalSorter(imports(anywhere=True)).prepare()  # raises CycleError, which names the modules


def test_the_picture_is_that_of_the_imports() -> None:
    """A part imports only parts to its right."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (picture,) = re.findall(r"^    training  >.*(?:\n {8}.*)*", page, re.MULTILINE)
    floors = [re.split(r",\s+", floor.strip()) for floor in re.split(r">\s", picture)]
    level = {part: number for number, floor in enumerate(floors) for part in floor}

    def part_of(module: str) -> str | None:
        package, *inside = module.split(".")
        if package != "bloodrage_env":
            return package.removeprefix("bloodrage_")
        if inside[:1] in (["games"], ["core"]) and len(inside) > 1:
            return f"core/{inside[1]}" if inside[0] == "core" else "games/NAME"
        return inside[0] if inside and inside[0] in level else None

    parts = {
        (part_of(module), part_of(other)): f"{module} imports {other}"
        for module, others in imports(anywhere=False).items()
        for other in others
    }
    assert {name for pair in parts for name in pair if name} >= level.keys()
    assert {
        found
        for (part, other), found in parts.items()
        if part and other and part != other and level[part] >= level[other]
    } == set()


LEARNERS = {
    "torch", "stable_baselines3", "sb3_contrib", "torchrl", "tensordict", "tianshou", "ray", "pyspiel", "open_spiel"
}  # fmt: skip


@pytest.mark.parametrize(
    ("package", "upward", "anywhere"),
    [
        ("bloodrage_env", {"bloodrage_training"}, True),
        ("bloodrage_env", LEARNERS, True),
        ("agents/bloodrage_agents", LEARNERS | {"bloodrage_training"}, True),
    ],
)
def test_packages_import_no_package_above_them(package: str, upward: set[str], anywhere: bool) -> None:
    guilty = {
        str(path.relative_to(ROOT))
        for path in (ROOT / package).rglob("*.py")
        if absolute_imports_of(path, anywhere) & upward
    }
    assert guilty == set()


def test_only_what_people_use_imports_the_agents() -> None:
    """The agents stand on the rest of the package."""
    users = {
        path.relative_to(PACKAGE).parts[0]
        for path in PACKAGE.rglob("*.py")
        if "bloodrage_agents" in absolute_imports_of(path, anywhere=True)
    }
    assert users == {"commands", "gym.py", "serve"}


@pytest.mark.parametrize("package", ["bloodrage_env", "agents/bloodrage_agents", "training"])
def test_others_know_the_engine_by_its_facade(package: str) -> None:
    """What `engine/__init__.py` names, and nothing else of it."""
    inside = re.compile(
        r"^ *(?:from|import) +[\w.]*bloodrage\.engine\.\w|^ *from +\.+engine\.\w"
        r"|(?<!core\.)\bengine\.(?:" + MODULES + r")\b",
        re.MULTILINE,
    )
    guilty = {
        f"{path.relative_to(ROOT)}: {line[0]}"
        for path in (ROOT / package).rglob("*.py")
        if not {"core", "berserk"} & {*path.parts} and not path.is_relative_to(ENGINE)
        for line in inside.finditer(without_texts(path.read_text(encoding="utf-8")))
    }
    assert guilty == set()


MODULES = "|".join(sorted({path.relative_to(ENGINE).parts[0].removesuffix(".py") for path in ENGINE.rglob("*.py")}))


def without_texts(source: str) -> str:
    """Source code without comments and docstrings."""
    return ast.unparse(ast.parse(re.sub(r'""".*?"""', '""', source, flags=re.DOTALL)))


def test_the_facade_names_all_it_imports() -> None:
    tree = ast.parse((ENGINE / "__init__.py").read_text(encoding="utf-8"))
    imported = {
        each.asname or each.name for node in tree.body if isinstance(node, ast.ImportFrom) for each in node.names
    }
    assert imported == set(importlib.import_module("bloodrage_env.games.bloodrage.engine").__all__)


MAX_LINES, MAX_FUNCTION = 450, 60


def source_files() -> list[Path]:
    folders = ("bloodrage_env", "agents", "training", "tests", "docs", "notebooks", "research")
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def reference_lines(tree: ast.Module) -> set[int]:
    """The lines of docstrings with sections: pages of the reference, which are written where the code is."""
    found = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and "\n---" in (ast.get_docstring(node) or ""):
            found |= set(range(node.body[0].lineno, int(node.body[0].end_lineno or 0) + 1))
    return found


def test_files_and_functions_are_short() -> None:
    """Functions without those defined in them, both without the pages of the reference."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = []
    for path in source_files():
        source = path.read_text(encoding="utf-8")
        tree = parsed(path)
        reference = reference_lines(tree)
        if source.count("\n") - len(reference) > MAX_LINES:
            long.append(str(path.relative_to(ROOT)))
        for node in ast.walk(tree):
            if isinstance(node, kinds):
                lines = set(range(node.lineno, int(node.end_lineno or 0) + 1)) - reference
                for inner in ast.walk(node):
                    if inner is not node and isinstance(inner, kinds):
                        lines -= set(range(inner.lineno, int(inner.end_lineno or 0) + 1))
                if len(lines) > MAX_FUNCTION:
                    long.append(f"{path.relative_to(ROOT)}: {node.name}")
    assert long == []


def test_only_primitives_write_scores_figures_and_cards() -> None:
    """Beside them set-up, and a redeal, which fills a copy of its own."""
    fields = "glory|glory_from|rage|stat_step|figures|on_board|occupied|hand|hand_size|upgrades|discards|gone|main|late"
    write = re.compile(rf"\bs\.(?:{fields})\b(?:\[[^\]]*\])?\s*[-+|&]?=(?!=)")
    writers = {
        str(path.relative_to(ENGINE))
        for path in ENGINE.rglob("*.py")
        if path.parent.name != "dealing" and write.search(path.read_text(encoding="utf-8"))
    }
    assert writers == {"primitives.py", "rules/setup.py"}


def test_only_hooks_and_effects_name_cards() -> None:
    named = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if re.search(r"\bCard\.[A-Z]", path.read_text(encoding="utf-8"))
    }
    assert {name.rsplit("/", 1)[0] for name in named} == {
        "games/bloodrage/engine/effects",
        "games/bloodrage/engine/hooks",
        "games/bloodrage/render",  # the drawing of each monster
    }


def test_the_core_knows_no_game() -> None:
    """Neither by its imports, as above, nor in words."""
    words = re.compile(r"\b(?:blood rage|(?:clan|province|glory|rage|pillage|age|warrior|card)s?)\b", re.IGNORECASE)
    found = {
        f"{path.name}: {word[0]}"
        for path in (PACKAGE / "core").rglob("*.py")
        for word in words.finditer(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_only_hooks_and_effects_say_what_a_figure_counts_as() -> None:
    """Elsewhere a kind is only an address; warriors are named where texts and scales tell one figure from several."""
    decides = re.compile(r"(?:[=<>!]=|[<>])\s*(?:Figure|Slot)\.(?!WARRIOR)|\bFigure\.MONSTER|\bSlot\.MONSTER_1\b")
    folders = (ENGINE, GAME / "notation", ROOT / "agents" / "bloodrage_agents")
    guilty = {
        str(path.relative_to(ROOT))
        for folder in folders
        for path in folder.rglob("*.py")
        if decides.search(path.read_text(encoding="utf-8"))
    }
    assert guilty == {
        "bloodrage_env/games/bloodrage/engine/board.py",
        "bloodrage_env/games/bloodrage/engine/hooks/figures.py",
    }


def test_a_chapter_uses_no_effect_and_no_hook_only_forwards() -> None:
    """Cards speak through hooks, and a hook says something of its own."""
    chapters = {path.name for path in (ENGINE / "rules").glob("*.py") if "effects" in path.read_text(encoding="utf-8")}
    assert chapters == set()
    forwarding = set()
    for path in (ENGINE / "hooks").glob("*.py"):
        for node in parsed(path).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            statement = node.body[-1]
            call = getattr(statement, "value", None)
            if len(node.body) == 2 and isinstance(call, ast.Call):
                if [ast.unparse(each) for each in call.args] == [each.arg for each in node.args.args]:
                    forwarding.add(node.name)
    assert forwarding == set()


def lines_of(function: ast.AST, name: str) -> list[int]:
    return [node.lineno for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]


def records_that_outlive_their_array(function: ast.FunctionDef) -> set[str]:
    """Arrays of records made in a function and not mentioned after the last use of a record that lies in them.

    numba frees an array after the last statement that names it; a record taken from it does not keep it alive.
    """
    found = set()
    assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign) and len(node.targets) == 1]
    for node in assigned:
        call, target = node.value, node.targets[0]
        if not (isinstance(call, ast.Call) and isinstance(target, ast.Name)):
            continue
        made = (
            ast.unparse(call.func) in ("np.zeros", "np.empty")
            and len(call.args) == 2
            and isinstance(call.args[1], ast.Name)
        )
        copied = ast.unparse(call).startswith(("states[", "views[")) and ast.unparse(call.func).endswith("].copy")
        if not (made or copied):
            continue
        taken = [
            each
            for each in ast.walk(function)
            if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and each.value.id == target.id
        ]
        lines = [each.lineno for each in taken]
        for alias in assigned:
            if alias.value in taken and isinstance(alias.targets[0], ast.Name):
                lines += lines_of(function, alias.targets[0].id)
        whole = set(lines_of(function, target.id)) - {each.lineno for each in taken}
        # In a loop the array is needed again next time round, so that it lives until the loop ends.
        loops = [
            each for each in ast.walk(function) if isinstance(each, (ast.For, ast.While)) and each.lineno > node.lineno
        ]
        inside = any(loop.lineno <= min(lines, default=0) and max(lines) <= (loop.end_lineno or 0) for loop in loops)
        if lines and not inside and max(whole, default=0) <= max(lines):
            found.add(f"{function.name}: {target.id}")
    return found


def test_no_record_outlives_its_array() -> None:
    files = [
        *PACKAGE.rglob("*.py"),
        *(ROOT / "agents" / "bloodrage_agents").rglob("*.py"),
        *(ROOT / "training" / "bloodrage_training" / "learn" / "compiled").rglob("*.py"),
    ]
    guilty: set[str] = set()
    for path in files:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef) and {"rule", "entry", "quick_entry"} & {
                ast.unparse(d) for d in node.decorator_list
            }:
                guilty |= {f"{path.relative_to(ROOT)}: {name}" for name in records_that_outlive_their_array(node)}
    assert guilty == set()


def test_the_picture_names_every_part_of_the_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    parts = {path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert {name for name in parts - {"__init__.py"} if f"../bloodrage_env/{name})" not in page} == set()


def test_every_module_says_what_it_contains() -> None:
    """The documents have no list of files: the site makes one of the docstrings."""
    assert {name for name, path in modules().items() if not ast.get_docstring(parsed(path))} == set()


def test_functions_say_what_to_do() -> None:
    """In the imperative mood: "Return", not "Returns"."""
    verbs = {"Returns", "Raises", "Yields", "Makes", "Reads", "Writes", "Steps", "Copies", "Adds", "Plays", "Sets"}
    guilty = {
        f"{name}: {node.name}"
        for name, path in modules().items()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if {*(ast.get_docstring(node) or "").split()[:1]} & verbs
    }
    assert guilty == set()


# ---- where a rule lives

CITATION = re.compile(r"\b[Rr]ules\s+(\d[\d.]*(?:(?:,\s|,?\sand\s|\sto\s|;\s|\sor\s)\d+(?:\.\d+)+)*)")


def paragraphs_in(text: str) -> set[str]:
    """The paragraphs that a text names; `6.3.1 to 6.3.4` are four."""
    found = set()
    for first, last in re.findall(r"(\d+(?:\.\d+)*)(?: to (\d+(?:\.\d+)+))?", text):
        head, _, number = first.rpartition(".")
        stop = int(last.rpartition(".")[2]) if last else int(number)
        found |= {f"{head}.{n}".lstrip(".") for n in range(int(number), stop + 1)}
    return found


def cited_by(path: Path) -> set[str]:
    """The paragraphs that a file cites."""
    text = path.read_text(encoding="utf-8")
    return {number for numbers in CITATION.findall(text) for number in paragraphs_in(numbers)}


def lives(paragraph: str, cited: set[str]) -> bool:
    """Whether a paragraph, or a part of it, is among the cited ones."""
    return any(number == paragraph or number.startswith(f"{paragraph}.") for number in cited)


def test_every_rule_is_cited_by_the_code() -> None:
    """A paragraph, a part of it, or the one that it is part of."""
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    paragraphs = re.findall(r"^\*\*(\d+(?:\.\d+)+)\*\*", page, re.MULTILINE)
    cited = set[str]().union(*map(cited_by, GAME.rglob("*.py")))
    assert len(paragraphs) > 100
    assert [each for each in paragraphs if not lives(each, cited) and each.rpartition(".")[0] not in cited] == []


def test_one_module_writes_tables_in_markdown() -> None:
    writer = re.compile(r"""f["']\| |["'] \| ["']\.join""")
    writers = [path for path in (ROOT / "training").rglob("*.py") if writer.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in writers] == ["markdown.py"]
