"""How a function is compiled quickly: the one module that leans on private parts of numba.

numba compiles a function again for each mix of argument types, literal numbers included, links the LLVM code of every
function that a function calls into it, optimises the whole, and makes machine code of it: at each level of calls again,
for functions that nobody calls but those above. Here a function has one signature; the code of a rule is optimised
alone and waits; an entry links all rules below it at once. What several entries need and is large is shared: compiled
once, and called. What is kept on disk is loaded without the parts of numba that only compile.

`lacking` says whether this numba has these parts, and `numba_trial.py` tries them. Without them `numba_public.py` does
the work.
"""

import contextlib
import functools
import hashlib
import inspect
import pickle
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

import numba
from numba import _dispatcher, types
from numba.core import compiler, config, errors, serialize
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.typeconv.typeconv import TypeManager

from . import building, kept, stamps
from .annotations import games, refusal, short
from .building import Kept, Rule
from .symbols import numbered_apart

# Inner functions are optimised again inside each caller: a higher level for them only costs compile time.
_RULE_LEVEL, _ENTRY_LEVEL = 1, 3

# What is used of numba, with the names of its parameters.
_USED: Final = (
    (CPUDispatcher.__init__, "self py_func locals targetoptions pipeline_class"),
    (CPUDispatcher.compile, "self sig"),
    (CPUDispatcher.add_overload, "self cres"),
    (CPUDispatcher.get_call_template, "self args kws"),
    (CPUDispatcher.disable_compile, "self val"),
    (CPUDispatcher.typeof_pyval, "self val"),
    (CPUDispatcher._compile_for_args, "self args kws"),
    (CPUDispatcher._search_new_conversions, "self args kws"),
    (CPUDispatcher._explain_matching_error, "self args kws"),
    (JITCodeLibrary.finalize, "self"),
    (JITCodeLibrary.get_pointer_to_function, "self name"),
    (JITCodeLibrary._optimize_final_module, "self"),
    (JITCodeLibrary._ensure_finalized, "self"),
    (compiler.CompileResult._reduce, "self"),
    (
        compiler.CompileResult._rebuild.__func__,
        "cls target_context libdata fndesc env signature objectmode lifted typeann reload_init referenced_envs",
    ),
    (serialize.dumps, "obj"),
    (rtsys.initialize, "self ctx"),
    (TypeManager.set_safe_convert, "self fromty toty"),
    (TypeManager.check_compatible, "self fromty toty"),
    (TypeManager.get_pointer, "self"),
)


def lacking() -> str:
    """What this numba has otherwise than it is used here, or nothing."""
    for function, parameters in _USED:
        code = inspect.unwrap(function).__code__
        # Bits 2 and 3 say whether there are *args and **kwargs.
        count = code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 2 & 1) + (code.co_flags >> 3 & 1)
        if list(code.co_varnames[:count]) != parameters.split():
            return f"{function.__qualname__} has other parameters"
    codegen = CPUDispatcher.targetdescr.target_context.codegen()
    wanted = ((codegen, "_library_class"), (codegen, "magic_tuple"), (config, "OPT"))
    return next((f"{name} is missing" for owner, name in wanted if not hasattr(owner, name)), "")


# ---- libraries: what becomes of compiled functions


class _RuleLibrary(JITCodeLibrary):
    """The code of a rule: linked into that of others and never run alone, so that no machine code is made of it."""

    def finalize(self) -> None:
        """Optimise the rule alone; what it calls is linked with it where it is needed."""
        self._optimize_final_module()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None, since there is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """What numba asks to note the environment of a function that Python calls: a rule needs none."""
        return _NO_ENVIRONMENT


class _NoEnvironment:
    def set_env(self, env_name: str, env: object) -> None:
        """Note nothing."""


_NO_ENVIRONMENT = _NoEnvironment()


class _EntryLibrary(JITCodeLibrary):
    """The code of an entry or a shared rule, with all rules below it: whatever it calls but what is shared."""

    key = ""  # of a shared rule
    symbol = ""  # of a shared rule: the name of its machine code
    shared: frozenset["_EntryLibrary"] = frozenset()  # what it calls of that kind

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        below = _below(self)
        self.shared = frozenset(each for each in below if getattr(each, "symbol", ""))
        # Those that call stand before what they call: LLVM links a function in only if something calls it by then.
        self._linking_libraries = [each for each in below if each not in self.shared]
        for each in self._linking_libraries:
            self.shared |= getattr(each, "shared", frozenset())
        super().finalize()


def _below(library: _EntryLibrary) -> list[JITCodeLibrary]:
    """The libraries that are to be linked into this one, each before those that it calls itself."""
    order: list[JITCodeLibrary] = []
    seen = set()

    def visit(each: JITCodeLibrary) -> None:
        if each not in seen:
            seen.add(each)
            if isinstance(each, _RuleLibrary):
                for other in each._linking_libraries:
                    visit(other)
            order.append(each)

    for each in library._linking_libraries:
        visit(each)
    return order[::-1]


@contextlib.contextmanager
def _compiling(codegen: Any, level: int, library: type[JITCodeLibrary]) -> Iterator[None]:
    """Have numba run LLVM at this level, and make libraries of this class, for every function that it finishes."""
    before = config.OPT, codegen._library_class
    # The level is an int of a class of numba, which is asked for more than the number.
    config.OPT, codegen._library_class = type(config.OPT)(level), library
    try:
        yield
    finally:
        config.OPT, codegen._library_class = before


# ---- dispatchers: what numba takes for compiled functions


class _Dispatcher(CPUDispatcher):
    """A dispatcher that knows one signature, the declared one."""

    level = _RULE_LEVEL
    library: ClassVar[type[JITCodeLibrary]] = _RuleLibrary
    options: ClassVar[dict[str, Any]] = {
        "nopython": True,
        "boundscheck": None,
        "nogil": True,
        "error_model": "numpy",
        "no_cfunc_wrapper": True,
    }
    declared: Any

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func, {}, self.options)

    def settle(self) -> None:
        """Compile the declared signature, and no other."""
        self.compile_declared()
        self.disable_compile()

    def compile_declared(self) -> None:
        """Compile the declared signature. Errors of numba name records, without their fields."""
        try:
            with numbered_apart(), _compiling(self.targetctx.codegen(), self.level, self.library):
                self.compile(self.declared)
        except errors.NumbaError as error:
            error.patch_message(short(str(error)))
            raise

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the declared signature to compiled code. numba would compile another one for the types of `args`."""
        self.settle_once()
        template, signature, args, kws = super().get_call_template(args, kws)
        declared = zip(args, self.declared.args, strict=True)
        args = [wanted if isinstance(given, types.Omitted) else given for given, wanted in declared]
        return template, signature, args, kws

    def settle_once(self) -> None:
        """Compile the declared signature if that has not been done."""
        with global_compiler_lock:
            if self._can_compile:
                self.settle()


class _InnerDispatcher(_Dispatcher):
    """Of an inner function. It has no entrance for Python, which is a good part of its compile time."""

    options = _Dispatcher.options | {"no_cpython_wrapper": True}

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule.py_func)
        self.declared = rule.declared

    def add_overload(self, cres: Any) -> None:
        """Keep the result for compiled callers alone: the C dispatcher would jump to the missing entrance."""
        self.overloads[tuple(cres.signature.args)] = cres


def _made(rule: Rule) -> _InnerDispatcher:
    dispatcher = _InnerDispatcher(rule)
    dispatcher.settle_once()
    return dispatcher


Rule.make = staticmethod(_made)


def _harmless_conversions() -> TypeManager:
    """What an argument of an entry may become: an integer another one, or a bool. numba's own table has floats cut."""
    manager = TypeManager()
    for given in (types.boolean, *types.integer_domain):
        for wanted in (types.int64, types.boolean):
            if given != wanted:
                manager.set_safe_convert(given, wanted)
    return manager


_conversions = _harmless_conversions()


class Entry(Kept, _Dispatcher):
    """A function that Python calls, kept on disk."""

    level = _ENTRY_LEVEL
    library = _EntryLibrary

    def __init__(self, py_func: Callable[..., Any]) -> None:
        _Dispatcher.__init__(self, py_func)
        self.note(py_func)
        # numba hands a parameter left out to the compiled code as an OmittedArg, a type, hence a signature,
        # of its own. Here the default itself is filled in.
        _dispatcher.Dispatcher.__init__(
            self, _conversions.get_pointer(), py_func.__code__.co_argcount, True,
            tuple(inspect.signature(py_func).parameters), py_func.__defaults__ or (), False, False, False,
        )  # fmt: skip
        building.entries.append(self)

    @property
    def settled(self) -> bool:  # type: ignore[override]
        """Whether it can be called."""
        return not self._can_compile

    def settle(self) -> None:
        """Compile the declared signature if that has not been done. No other signature can be compiled afterwards."""
        with global_compiler_lock:
            if self._can_compile:
                self.build()

    def settle_once(self) -> None:
        """The same."""
        self.settle()

    @functools.cached_property
    def direct(self) -> Any:
        """The compiled version, for callers that are sure of the types of their arguments: nothing checks them."""
        self.settle()
        (result,) = self.overloads.values()
        return result.entry_point

    def compile_now(self) -> None:
        """Compile it and put it on the disk."""
        self.compile_declared()
        self.disable_compile()
        (result,) = self.overloads.values()
        if not result.library.has_dynamic_globals:
            calls = {each.key: each.symbol for each in result.library.shared}
            self.keep(self._kept_name(), self._stamp() + serialize.dumps((calls, result._reduce())))

    def load(self) -> bool:
        """Take it from the disk; a file of another stamp, or a damaged one, is none."""
        if self.settled:  # along with a shared rule
            return True
        head = self._stamp()
        for content in kept.read(self.source, self._kept_name()):
            if content.startswith(head):
                with contextlib.suppress(Exception):  # unpickling may raise anything
                    self._rebuild_from(memoryview(content)[len(head) :])
                    return True
        return False

    def _kept_name(self) -> str:
        """The name of the file on the disk."""
        return f"{self.file_name}{stamps.variant(self.py_func)}.nbc"

    def _stamp(self) -> bytes:
        """What a file is about: the sources, the signature, the versions and the processor."""
        code = hashlib.sha256(self.py_func.__code__.co_code).hexdigest()
        machine = self.targetctx.codegen().magic_tuple()
        about = stamps.stamp(self.py_func), str(self.declared), numba.__version__, machine, code
        return hashlib.sha256(repr(about).encode()).digest()

    def _rebuild_from(self, content: memoryview) -> None:
        """The inverse; ValueError if a shared rule has been compiled once more since, and is called otherwise now."""
        rtsys.initialize(self.targetctx)  # what compiled code calls; all else that numba prepares is for compiling
        calls, payload = pickle.loads(content)
        shared = [_shared_code(key, symbol) for key, symbol in calls.items()]
        if self.settled:  # a shared rule was missing, and everything was compiled with it
            return
        with _compiling(self.targetctx.codegen(), self.level, self.library):
            result = compiler.CompileResult._rebuild(self.targetctx, *payload)
        result.library.shared = frozenset(shared)
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.add_overload(result)
        self.disable_compile()

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        self.settle()
        return self  # the C dispatcher calls what it gets here with the same arguments

    def _search_new_conversions(self, *args: Any, **kws: Any) -> bool:
        """Allow members of an IntEnum, and no more: numba would look in its own table, which has floats cut."""
        members = [given for given in map(self.typeof_pyval, args) if isinstance(given, types.IntEnumMember)]
        for given in members:
            _conversions.set_safe_convert(given, types.int64)
        return bool(members)

    def _explain_matching_error(self, *args: Any, **kws: Any) -> None:
        """Name the first argument that does not fit."""
        names = inspect.signature(self.py_func).parameters
        for name, wanted, value in zip(names, self.declared.args, args, strict=True):
            given = self.typeof_pyval(value)
            if given != wanted and _conversions.check_compatible(given, wanted) is None:
                raise refusal(self.py_func, name, wanted, value)


class QuickEntry(Entry):
    """An entry that keeps the GIL."""

    options = Entry.options | {"nogil": False}


class GamesEntry(Entry):
    """An entry that returns games: numba forgets that they are records, with fields as attributes."""

    def __call__(self, *args: Any, **kws: Any) -> Any:
        """Call it."""
        return super().__call__(*args, **kws).view(games[self.declared.return_type.dtype])


class SharedRule(Entry):
    """A rule that is kept on disk as an entry is."""

    options = _InnerDispatcher.options
    is_shared = True

    def add_overload(self, cres: Any) -> None:
        """As for a rule; its library tells whose it is, to note in the file of an entry that calls it."""
        self.overloads[tuple(cres.signature.args)] = cres
        self.code = cres.library
        self.code.key, self.code.symbol = self.key, cres.fndesc.llvm_func_name

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        raise self.no_entrance()

    def _search_new_conversions(self, *args: Any, **kws: Any) -> bool:
        raise self.no_entrance()


def _shared_code(key: str, symbol: str) -> _EntryLibrary:
    rule = next(each for each in reversed(building.entries) if isinstance(each, SharedRule) and each.key == key)
    rule.settle()
    if rule.code.symbol != symbol:
        raise ValueError(f"{key} is not what was called")
    code: _EntryLibrary = rule.code
    return code
