"""How a kernel is compiled: as a part that other kernels call, and as an entry that Python calls.

Numba optimises each function and translates it to machine code as soon as it is compiled, and does
so again with the copy in each of its callers. Of kernels that call each other five levels deep,
that is most of the work. Here a *part* remains code for LLVM, neither optimised nor translated. An
*entry* links a part with all the parts that it calls: they are optimised and translated once,
together.
"""

import sys
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba import _dynfunc  # type: ignore[attr-defined] # written in C
from numba.core import codegen, registry, types
from numba.core import compiler as numba_compiler
from numba.core import dispatcher as numba_dispatcher

from levolve.kernels.compiler.compiled_forms import named
from levolve.kernels.compiler.dispatcher_cache import (
    CompileResult,
    EntryCache,
    KernelCache,
    dumps,
    loads,
)
from levolve.kernels.compiler.numba_free_call import BareRecord
from levolve.kernels.compiler.numba_free_form import add_bare_form, completed

# Numba has no types.
compiler: Any = numba_compiler
dispatching: Any = numba_dispatcher
FunctionCompiler: Any = dispatching._FunctionCompiler
Library: Any = codegen.JITCodeLibrary
target: Any = registry.cpu_target
LINEAR_ALGEBRA = "scipy.linalg"


class PartLibrary(Library):  # type: ignore[misc]
    """The code of a part and of all parts that it calls."""

    def add_llvm_module(self, ll_module: Any) -> None:
        """Add code, without what has no effect: addresses in this process, above all, which could
        not be cached.
        """
        passes = binding.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_dead_code_elimination_pass()
        passes.add_global_dead_code_eliminate_pass()
        ll_module.data_layout = self._codegen._data_layout
        passes.run(ll_module, self._codegen._pass_builder())
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Link the parts that are called."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Return the code for LLVM: there is no other."""
        self._ensure_finalized()
        return self.name, "part", self._final_module.as_bitcode()

    @classmethod
    def restored(cls, codegen: Any, state: tuple[str, str, bytes]) -> "PartLibrary":
        """Return the library that `serialize_using_object_code` has described."""
        name, _, bitcode = state
        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        return library


class EntryLibrary(Library):  # type: ignore[misc]
    """The machine code of an entry."""

    # How it is called without Numba; None if it cannot be.
    bare: BareRecord | None = None

    def add_llvm_module(self, ll_module: Any) -> None:
        """Add code that converts arguments and results: it is long, and takes a third of the time
        of the kernel to optimise.
        """
        for function in ll_module.functions:
            if not function.is_declaration:
                function.add_function_attribute("noinline")
                function.add_function_attribute("optnone")
        ll_module.data_layout = self._codegen._data_layout
        self._final_module.link_in(ll_module)


class StoringCompiler(FunctionCompiler):  # type: ignore[misc]
    """What a dispatcher compiles with, if it compiles parts or entries, and stores what it has
    compiled.
    """

    def __init__(self, usual: Any, cache: KernelCache | None) -> None:
        """Replace the usual compiler of a dispatcher."""
        super().__init__(
            usual.py_func,
            usual.targetdescr,
            usual.targetoptions,
            usual.locals,
            usual.pipeline_class,
        )
        self._cache = cache
        self.context = self.targetdescr.target_context

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        if self._cache is None:
            return self.result(args, return_type)
        return self._cache.compiled_once(
            tuple(args), self.context, lambda: self.result(args, return_type)
        )

    @abstractmethod
    def result(self, args: Any, return_type: Any) -> Any:
        """Compile for a signature."""


class PartCompiler(StoringCompiler):
    """Compiles a kernel as a part."""

    def result(self, args: Any, return_type: Any) -> Any:
        """Compile for a signature."""
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = True
        library = PartLibrary(self.context.codegen(), self.py_func.__qualname__)
        result = compiler.compile_extra(
            self.targetdescr.typing_context,
            self.context,
            self.py_func,
            args,
            return_type,
            flags,
            self.locals,
            library,
            self.pipeline_class,
        )
        return _known(self.context, result._replace(type_annotation=""))


class EntryCompiler(StoringCompiler):
    """Compiles a part as an entry."""

    def __init__(self, usual: Any, cache: KernelCache | None, part: Callable[[], Any]) -> None:
        """Replace the usual compiler of a dispatcher. `part` returns the dispatcher of the part."""
        super().__init__(usual, cache)
        self._part = part

    def result(self, args: Any, return_type: Any) -> Any:
        """Compile for a signature."""
        dispatcher = self._part()
        dispatcher.compile(tuple(args))
        part = dispatcher.overloads[tuple(args)]
        library = EntryLibrary(self.context.codegen(), part.library.name)
        library.enable_object_caching()
        library.add_linking_library(part.library)
        # With Numba's memory management, as parts are compiled: it converts the arrays. If the part
        # comes from the cache, the compiler's definitions, which convert tuples, are not loaded
        # yet.
        self.context.refresh()
        context = self.context.subtarget(enable_nrt=True)
        context.create_cpython_wrapper(
            library, part.fndesc, part.environment, None, release_gil=True
        )
        bare = add_bare_form(context, library, part)
        entry = context.get_executable(library, part.fndesc, part.environment)
        library.bare = None if bare is None else completed(bare, library)
        result = part._replace(library=library, entry_point=entry, metadata={})
        for environment in result._find_referenced_environments():
            library.codegen.set_env(environment.env_name, environment)
        return result


class PartCache(KernelCache):
    """The cached code of one part."""

    kind = "part"

    def packed(self, result: Any) -> bytes:
        """Return what is stored of a part."""
        return dumps(result._reduce())

    def rebuilt(self, context: Any, content: bytes) -> Any:
        """Return a part from what was stored."""
        (
            library,
            fndesc,
            environment,
            signature,
            objectmode,
            lifted,
            annotation,
            reload_init,
            environments,
        ) = loads(content)
        for action in reload_init:
            action()
        result = CompileResult(
            typing_context=context.typing_context,
            target_context=context,
            entry_point=None,
            typing_error=None,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            fndesc=fndesc,
            library=PartLibrary.restored(context.codegen(), library),
            call_helper=None,
            environment=environment,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=environments,
        )
        return _known(context, result)


def _known(context: Any, result: Any) -> Any:
    """Make a part known to the compiler. Its key is a function of Python without code, as for all
    that Numba compiles without a wrapper.
    """
    description = result.fndesc
    key = _dynfunc.make_function(
        description.lookup_module(),
        description.qualname,
        "a part of other kernels",
        0,
        result.environment,
        (result.library,),
    )
    context.insert_user_function(key, description, [result.library])
    return result._replace(entry_point=key)


def part_of(function: Callable[..., Any], options: dict[str, Any], folder: Path | None) -> Any:
    """Return a kernel in the form that other kernels call."""
    part, cache = _dispatcher(
        function, options, None if folder is None else PartCache(function, folder)
    )
    part._compiler = PartCompiler(part._compiler, cache)
    _without_literals(part)
    return part


def entry_of(
    function: Callable[..., Any],
    options: dict[str, Any],
    folder: Path | None,
    part: Callable[[], Any],
) -> Any:
    """Return a kernel in the form that Python calls. `part` returns the other form, if there is
    something to compile.
    """
    entry, cache = _dispatcher(
        function, options, None if folder is None else EntryCache(function, folder)
    )
    entry._compiler = EntryCompiler(entry._compiler, cache, part)
    return entry


def _dispatcher(
    function: Callable[..., Any], options: dict[str, Any], cache: KernelCache | None
) -> tuple[Any, KernelCache | None]:
    njit: Any = numba.njit
    dispatcher = njit(
        nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, **options
    )(named(function))
    if cache is not None:
        dispatcher._cache = cache
    return dispatcher, cache


def _without_literals(part: Any) -> None:
    """Compile one version of a kernel for all integers, not one for each number that is written as
    such in a call.
    """
    unliteral: Callable[[Any], Any] = types.unliteral
    template = part.get_call_template

    def plain_template(arguments: Any, named: Any) -> Any:
        return template(
            [unliteral(kind) for kind in arguments],
            {name: unliteral(kind) for name, kind in named.items()},
        )

    part.get_call_template = plain_template


def compiled(entry: Any, arguments: tuple[Any, ...]) -> Any:
    """Return what Numba knows of the form for arguments of these types."""
    kinds = tuple(entry.typeof_pyval(argument) for argument in arguments)
    entry.compile(kinds)
    return entry.overloads[kinds]


def load_definitions() -> None:
    """Load the compiler's definitions, without SciPy's linear algebra: where SciPy is installed,
    Numba would load it, in as much time again.

    No kernel uses it, and Numba loads it later if another function does. No other thread may import
    SciPy meanwhile.
    """
    hidden = LINEAR_ALGEBRA not in sys.modules
    if hidden:
        sys.modules[LINEAR_ALGEBRA] = None  # type: ignore[assignment] # for Python, a module that cannot be imported
    try:
        target.target_context.refresh()
    finally:
        if hidden:
            del sys.modules[LINEAR_ALGEBRA]
