"""Agents by name: `balanced`, `ismcts:simulations=500,style=loki`, or a plug-in, `path/to/file.py:Class:depth=3`.

A spec is a name and, after a colon, arguments. The names are those of the game's table (`table.py`). A plug-in is a
class of a module (`package.module:Class`) or of a file (`path/to/file.py:Class`); the arguments are its keyword
arguments. It can play any game. An installed package can name its plug-ins by entry points of the group
`bloodrage.agents`. See docs/agents.md.
"""

import difflib
import hashlib
import importlib
import importlib.util
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from itertools import chain
from math import isfinite
from pathlib import Path
from types import ModuleType
from typing import Final, cast
from urllib.parse import urlsplit

from bloodrage_env import games
from bloodrage_env.errors import UserError

from . import parts
from .base import AgentLike
from .match import describe
from .shipped import Argument, Asks, Shipped, Value

GROUP: Final = "bloodrage.agents"
# A module first, and the shortest file: arguments may contain plug-ins, too.
_PLUG_IN: Final = re.compile(
    r"(?P<source>[A-Za-z_]\w*(?:\.\w+)*|.+?\.py):(?P<name>[A-Za-z_]\w*)(?::(?P<rest>(?s:.*)))?"
)


@dataclass(frozen=True)
class Spec:
    """A parsed spec.

    Attributes
    ----------
    name : str
        A shipped agent; module:Class or file:Class of a plug-in.
    arguments : mapping
        Values by name, with defaults.
    shipped : Shipped or None
        The row of the game's table, None for a plug-in.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> registry.parse("agents.py:Mine").asks
    ['runs the code of agents.py:Mine']
    """

    name: str
    arguments: Mapping[str, Value]
    shipped: Shipped | None = None  # None for a plug-in

    @property
    def asks(self) -> list[str]:
        """What the agent does outside of the game, each as the end of a sentence."""
        if self.shipped is None:
            return [f"runs the code of {self.name}"]
        named = {argument.name: argument for argument in self.shipped.arguments}
        given = [(named[name], value) for name, value in self.arguments.items()]
        asked = [f"{each.asks} {value}" for each, value in given if each.asks is not None and value != each.free]
        return [*filter(None, [self.shipped.asks]), *asked]


def table(game: str = games.FIRST) -> Mapping[str, Shipped]:
    """The shipped agents of a game."""
    return parts.table(game).agents


def default(game: str) -> str:
    """Return the spec of the agent for seats without a named agent."""
    return parts.table(game).default


def demo(game: str, seats: int) -> list[str]:
    """Return the specs of the agents of a demo with `seats` seats."""
    known = parts.table(game)
    return [*known.demo[:seats], *[known.default] * (seats - len(known.demo))]


def names(game: str = games.FIRST) -> list[str]:
    """Return the names of the shipped agents of a game.

    Parameters
    ----------
    game : str
        The name of the game.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> registry.names("bloodrage")[:2]
    ['random', 'greedy']
    """
    return list(table(game))


def alone(game: str = games.FIRST) -> list[str]:
    """Return the names of the shipped agents of a game that need neither a person, a service nor a file."""
    return [name for name, agent in table(game).items() if agent.alone]


def installed(game: str = games.FIRST) -> dict[str, str]:
    """Return module:Class by name for the plug-ins of installed packages. They cannot replace shipped agents."""
    ours = table(game)
    return {point.name: point.value for point in entry_points(group=GROUP) if point.name not in ours}


def split(text: str) -> list[str]:
    """Split a list of specs at commas. A part with "=" is an argument of the spec before.

    Parameters
    ----------
    text : str
        The list.

    Returns
    -------
    list of str
        The specs.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> registry.split("random,ismcts:ms=50,style=loki")
    ['random', 'ismcts:ms=50,style=loki']
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part and ":" not in part.partition("=")[0]:
            specs[-1] += f",{part}"
        else:
            specs.append(part.strip())
    return specs


def parse(spec: str, game: str = games.FIRST) -> Spec:
    """Parse and check a spec and add defaults. A plug-in is not loaded.

    Parameters
    ----------
    spec : str
        Such as `balanced` or `ismcts:simulations=500`.
    game : str
        The name of the game.

    Returns
    -------
    Spec
        The name and the arguments. Raises UserError for an invalid spec.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> registry.parse("ismcts:simulations=50").arguments["simulations"]
    50
    """
    if not spec.isprintable():
        raise UserError(f"the agent {spec[:60]!r} contains a character that can't be printed")
    name, colon, rest = spec.strip().partition(":")
    shipped = table(game).get(name)
    if shipped is not None:
        return Spec(name, _checked(name, shipped, _pairs(spec, rest)), shipped)
    plug_in = _PLUG_IN.fullmatch(spec.strip())
    named = {} if plug_in else installed(game)  # which reads what every installed package says of itself
    if name in named:
        plug_in = _PLUG_IN.fullmatch(f"{named[name]}{colon}{rest}")
    if plug_in is None:
        known = [*table(game), *named]
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}, and plug-ins as file.py:Class"
        for other in games.names():
            if name in table(other):
                raise UserError(f"{name} plays {games.spec(other).title}, not {games.spec(game).title}")
        raise UserError(f"there is no agent {name[:60]!r}; {hint}")
    source = plug_in["source"]
    if source.endswith(".py"):
        source = Path(source).as_posix()
    given = {key: _guessed(text) for key, text in sorted(_pairs(spec, plug_in["rest"] or "").items())}
    return Spec(f"{source}:{plug_in['name']}", given)


def canonical(spec: str, game: str = games.FIRST) -> str:
    """Return the canonical spec: no defaults, arguments in the order of the table (of a plug-in by name).

    Parameters
    ----------
    spec : str
        Such as `balanced` or `ismcts:simulations=500`.
    game : str
        The name of the game.

    Returns
    -------
    str
        The spec. Raises UserError for an invalid one.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> registry.canonical("ismcts:threads=1,simulations=50")
    'ismcts:simulations=50'
    """
    parsed = parse(spec, game)
    shown = parsed.arguments
    if parsed.shipped is not None:
        defaults = {argument.name: argument.default for argument in parsed.shipped.arguments}
        shown = {key: value for key, value in shown.items() if value != defaults[key]}
    rest = ",".join(f"{key}={written(value)}" for key, value in shown.items())
    return f"{parsed.name}:{rest}" if rest else parsed.name


def is_shipped(spec: str, game: str = games.FIRST) -> bool:
    """Return whether the spec names a shipped agent, not a plug-in."""
    return parse(spec, game).shipped is not None


def check_granted(
    named: Iterable[str], granted: Iterable[str], game: str, where: str | Path, option: str = "--allow"
) -> None:
    """Check the specs that a file names, before anything is made of them. `where` is the file.

    Raise UserError for an agent that does anything outside of the game, unless it is one of `granted`, which the user
    has typed. `option` is the option that grants it.
    """
    typed = [*granted]
    for spec in named:
        asks = [] if spec in typed else parse(spec, game).asks
        if asks and canonical(spec, game) not in {canonical(each, game) for each in typed}:
            raise UserError(
                f"{where} names an agent that {', '.join(asks)}; to allow that, add {option} {shlex.quote(spec)}"
            )


def make(spec: str, game: str = games.FIRST) -> AgentLike:
    """Return a new agent.

    Parameters
    ----------
    spec : str
        Such as `balanced` or `ismcts:simulations=500`.
    game : str
        The name of the game.

    Returns
    -------
    AgentLike
        The agent. Raises UserError for an invalid spec, or a plug-in that cannot be loaded or made.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> type(registry.make("random")).__name__
    'RandomAgent'
    """
    parsed = parse(spec, game)
    if parsed.shipped is not None:
        module, _, name = parsed.shipped.where.partition(":")
        shipped = getattr(importlib.import_module(module), name)
        return cast(AgentLike, shipped(**parsed.shipped.fixed, **parsed.arguments))
    try:
        agent = _class_of(parsed.name)(**parsed.arguments)
    except (UserError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a plug-in may raise anything, SystemExit too
        raise UserError(f"can't make {parsed.name}: {describe(error)}") from error
    if not callable(getattr(agent, "act", None)):
        raise UserError(f"{parsed.name} is not an agent: it has no method act(observation, action_mask, rng)")
    return agent


def load(spec: str, game: str = games.FIRST) -> None:
    """Load the class of an agent, as `make` does, so that a pickle can refer to it. Raise UserError as `make` does."""
    parsed = parse(spec, game)
    if parsed.shipped is None:
        try:
            _class_of(parsed.name)
        except (UserError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise UserError(f"can't load {parsed.name}: {describe(error)}") from error


def fingerprint(spec: str, game: str = games.FIRST) -> str:
    """Return a hash of what decides how an agent plays: rules version, spec, sources, files in arguments.

    The sources of a shipped agent are those of all agents of its game. The source of a plug-in is its file; modules
    that the file imports are not included.

    Parameters
    ----------
    spec : str
        Such as `balanced` or `ismcts:simulations=500`.
    game : str
        The name of the game.

    Returns
    -------
    str
        The SHA-256 in hex. Raises UserError for an invalid spec or a missing file.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> len(registry.fingerprint("random"))
    64
    """
    parsed = parse(spec, game)
    digest = hashlib.sha256(f"{games.game(game).rules_version}\n{canonical(spec, game)}\n".encode())
    if parsed.shipped is not None:
        patterns = ("*.py", "mcts/*.py", "compiled/*.py", "compiled/*.csv")
        files = [
            path
            for each in dict.fromkeys(parts.folders(game))
            for path in sorted(chain.from_iterable(map(each.glob, patterns)))
        ]
        files += [_policy_file(str(value), game) for key, value in parsed.arguments.items() if key == "path"]
    else:
        files = [source_of(spec, game)]
    for path in files:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror}") from error
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def source_of(spec: str, game: str = games.FIRST) -> Path:
    """Return the file of a plug-in without running any of its code. Raise UserError if it is missing."""
    return _source_of(parse(spec, game).name.rpartition(":")[0])


def help_text(game: str = games.FIRST) -> str:
    """Return the shipped agents of a game and their arguments, one per line."""
    width = max(map(len, table(game)))
    lines = []
    for name, agent in table(game).items():
        lines.append(f"{name:{width}}  {agent.says}")
        for argument in agent.arguments:
            default = "" if argument.default is None else f"; default {written(argument.default)}"
            lines.append(f"{'':{width}}    {argument.name}: {argument.meaning} ({argument.described()}{default})")
    return "\n".join(lines)


# ---- arguments


def _pairs(spec: str, text: str) -> dict[str, str]:
    """Split the text "a=1,b=2" into names and texts."""
    pairs: dict[str, str] = {}
    for part in text.split(",") if text else ():
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier() or not value.strip():
            raise UserError(f"in {spec[:80]!r} {part[:40]!r} is not an argument, which is written name=value")
        if name in pairs:
            raise UserError(f"in {spec[:80]!r} {name} is given twice")
        pairs[name] = value.strip()
    return pairs


def _checked(agent: str, shipped: Shipped, given: Mapping[str, str]) -> dict[str, Value]:
    """Return the arguments of a shipped agent, in the order of its table, with defaults."""
    table = {argument.name: argument for argument in shipped.arguments}
    for name in given:
        if name not in table:
            near = difflib.get_close_matches(name, table, 1)
            hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(table) or 'none'}"
            raise UserError(f"{agent} has no argument {name[:40]!r}; {hint}")
    left_out: set[str] = set()
    for group in shipped.one_of:
        rivals = [name for name in group if name in given]
        if len(rivals) > 1:
            raise UserError(f"{agent} takes {' or '.join(rivals)}, not both")
        left_out |= set(group) if rivals else set()
    values: dict[str, Value] = {}
    for name, argument in table.items():
        if name in given:
            values[name] = _value(agent, argument, given[name])
        elif argument.default is not None and name not in left_out:
            values[name] = argument.default
    return values


def _value(agent: str, argument: Argument, text: str) -> Value:
    """Convert a text to a value of an argument."""
    value = _guessed(text)
    if argument.kind is str:
        value = text
        good = not argument.choices or text in argument.choices
        if argument.asks is Asks.CONNECT:
            _check_address(agent, argument.name, text)
    elif argument.kind is float and type(value) is int:
        value = float(value)
        good = argument.low <= value <= argument.high
    else:
        good = type(value) is argument.kind
        good = good and (isinstance(value, (bool, str)) or argument.low <= value <= argument.high)
    if not good:
        near = difflib.get_close_matches(text, argument.choices, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UserError(f"{agent}: {argument.name}={text[:40]} is not {argument.described()}{hint}")
    return value


def _check_address(agent: str, name: str, text: str) -> None:
    """Raise UserError for an address with a password or a query: specs are stored and shown."""
    try:
        parts = urlsplit(text)
    except ValueError:
        raise UserError(f"{agent}: {name} is not an address") from None
    if "@" in parts.netloc or parts.query:
        raise UserError(f"{agent}: {name} can't contain a name, a password or a query; give a key by key=VARIABLE")


def _guessed(text: str) -> Value:
    """Convert a text to the integer, float or bool that it spells; return other texts unchanged."""
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    if re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,24})?(e[-+]?[0-9]{1,3})?", text) and isfinite(float(text)):
        return float(text)
    return text


def written(value: Value) -> str:
    """Return a value as a text that `_guessed` converts back."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _policy_file(path: str, game: str) -> Path:
    """Return the file that an argument `path` refers to."""
    from .network import file_of  # which brings compiled code along

    return file_of(path, game)


# ---- plug-ins


def _source_of(source: str) -> Path:
    """Return the file of a module, or of a path to one."""
    path = Path(source) if source.endswith(".py") else Path(_origin(source))
    if not path.is_file():
        raise UserError(f"there is no file {source}")
    return path


def _origin(module: str) -> str:
    """Return where Python would find a module. `importlib.util.find_spec` would run the parent packages."""
    place: Sequence[str] | None = None
    found: ModuleSpec | None = None
    names = module.split(".")
    for count in range(1, len(names) + 1):
        looked = (finder.find_spec(".".join(names[:count]), place) for finder in sys.meta_path)
        found = next(filter(None, looked), None)
        place = None if found is None else found.submodule_search_locations
        if count < len(names) and place is None:
            found = None
            break
    if found is None or found.origin is None or not found.has_location:
        raise UserError(f"there is no module {module} with a file")
    return found.origin


def _class_of(plug_in: str) -> type[AgentLike]:
    """Return the class of a plug-in, module:class or file:class. Raise UserError for a missing class or
    failing code.
    """
    source, _, name = plug_in.rpartition(":")
    found = getattr(_file(source) if source.endswith(".py") else importlib.import_module(source), name, None)
    if not isinstance(found, type):
        raise UserError(f"{source} has no class {name}")
    return found


def _file(source: str) -> ModuleType:
    """Return the module of a file. It runs once for each content, so that its agents can be pickled."""
    path = _source_of(source).resolve()
    content = hashlib.sha256(str(path).encode() + path.read_bytes())
    name = f"plug_in_{content.hexdigest()[:12]}_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise UserError(f"{source} can't be loaded")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # dataclasses and the like look their module up
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
