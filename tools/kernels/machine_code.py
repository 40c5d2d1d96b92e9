"""Machine code of kernels: numba types and lowers each function once, and LLVM optimises each group once, as a whole.

numba optimises every function by itself, with all that it calls, so that inner functions are optimised as often as somebody
calls them. Here the code of all functions is put together first; then LLVM sees one program for each kind of processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import llvmlite.binding as ll
from numba.core import typing
from numba.core.codegen import AOTCPUCodegen, CPUCodeLibrary
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.cpu_options import FastMathOptions
from numba.core.dispatcher import Dispatcher
from numba.core.environment import lookup_environment
from numba.core.runtime import nrtdynmod
from numba.core.types import unliteral
from numba.pycc.compiler import ExportEntry, ModuleCompiler

__all__ = ["RUNTIME", "machine_code", "one_type_for_numbers"]

RUNTIME = "tacita_kernels"
"""The name under which the common part of all modules is compiled: memory, errors, boxing."""


def machine_code(
    module: str,
    entries: Iterable[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]],
    processors: Iterable[str],
) -> dict[str, bytes]:
    """Return the object file of an extension module for each kind of processor.

    Parameters
    ----------
    module
        Name of the extension module.
    entries
        Name, function, numba types of the arguments and options of each function that Python calls.
    processors
        LLVM's names of processors; '' for the plainest of the architecture.
    """
    compiler = _Compiler(module, list(entries))
    program = compiler.program()
    return {name: _optimised(program, name) for name in processors}


class _Compiler(ModuleCompiler):  # type: ignore[misc]
    """numba's compiler of modules, which puts all functions together before anything is optimised."""

    def __init__(
        self, module: str, entries: list[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]]
    ) -> None:
        exports = [ExportEntry(name, typing.signature(None, *types), function) for name, function, types, _ in entries]
        super().__init__(exports, module, use_nrt=True)
        self.external_init_function = f"pycc_init_{RUNTIME}"
        self.export_python_wrap = True
        self.options = {name: options for name, _, _, options in entries}

    @global_compiler_lock  # type: ignore[untyped-decorator]
    def program(self) -> bytes:
        """Return the whole module as LLVM's bitcode, not yet optimised."""
        with _NothingOptimised():
            library = self._collected()
            modules = [part._get_module_for_linking() for part in _reachable(library)]
            whole = library._final_module
            for part in modules:
                whole.link_in(part, preserve=True)
        for function in whole.functions:
            if not function.is_declaration and function.name not in self.dll_exports:
                function.linkage = "internal"
        whole.verify()
        return bytes(whole.as_bitcode())

    def _collected(self) -> Any:
        """Compile every entry and what it calls; return the library of the entries, its wrappers among them."""
        self.exported_function_types, self.function_environments = {}, {}
        self.environment_gvs, self.extra_environments = {}, {}
        library = self.context.codegen().create_library(self.module_name)
        runtime, _ = nrtdynmod.create_nrt_module(self.context)
        library.add_ir_module(runtime)
        for entry in self.export_entries:
            made = compile_extra(
                self.typing_context,
                self.context,
                entry.function,
                entry.signature.args,
                None,
                self._flags(entry.symbol),
                locals={},
                library=library,
            )
            self._export(library, entry, made)
        for part in _reachable(library):
            for variable in part._final_module.global_variables:
                if variable.name.startswith("_ZN08NumbaEnv"):
                    environment = lookup_environment(variable.name)
                    if environment is not None and environment.can_cache():
                        self.extra_environments[variable.name] = environment
        wrappers = library.create_ir_module("wrapper")
        self._emit_python_wrapper(wrappers)
        library.add_ir_module(wrappers)
        return library

    def _flags(self, symbol: str) -> Flags:
        flags = Flags()
        flags.no_compile = True
        flags.nrt = True
        flags.release_gil = True
        if self.options[symbol].get("fastmath"):
            flags.fastmath = FastMathOptions(self.options[symbol]["fastmath"])
        return flags

    def _export(self, library: Any, entry: ExportEntry, made: Any) -> None:
        for function in library._final_module.functions:
            if function.name.startswith("__excinfo_unwrap_args"):
                function.linkage = "linkonce_odr"
        library.get_function(made.fndesc.llvm_func_name).linkage = "internal"
        wrapper = library.get_function(made.fndesc.llvm_cpython_wrapper_name)
        wrapper.name = self._mangle_method_symbol(entry.symbol)
        wrapper.linkage = "external"
        self.exported_function_types[entry] = made.target_context.call_conv.get_function_type(
            made.fndesc.restype, made.fndesc.argtypes
        )
        self.function_environments[entry] = made.environment
        self.environment_gvs[entry] = made.fndesc.env_name


def one_type_for_numbers() -> None:
    """Compile each kernel once for whole numbers, whatever constants it is called with; numba compiles it for each constant."""
    call_template = Dispatcher.get_call_template

    def without_constants(self: Dispatcher, args: Any, kws: Any) -> Any:
        if self.py_func.__module__.startswith("tacita."):
            args = tuple(map(unliteral, args))
            kws = {name: unliteral(kind) for name, kind in dict(kws).items()}
        return call_template(self, args, kws)

    Dispatcher.get_call_template = without_constants


class _NothingOptimised:
    """While it lasts, libraries of functions are neither optimised nor linked: that comes once, at the end."""

    def __enter__(self) -> None:
        self.kept = {name: getattr(CPUCodeLibrary, name) for name in ("_optimize_functions", "finalize")}

        def finalize(library: CPUCodeLibrary) -> None:
            library._finalized = True

        self.executable = CPUContext.get_executable
        CPUContext.get_executable = lambda _context, _library, _function, _environment: (
            [].append
        )  # a function of its own, never called
        CPUCodeLibrary._optimize_functions = lambda _library, _module: None
        CPUCodeLibrary.finalize = finalize

    def __exit__(self, *_: object) -> None:
        for name, method in self.kept.items():
            setattr(CPUCodeLibrary, name, method)
        CPUContext.get_executable = self.executable


def _reachable(library: Any) -> list[Any]:
    """All libraries that a library needs, each once, in a fixed order."""
    found: dict[int, Any] = {}
    waiting = list(reversed(library._linking_libraries))
    while waiting:
        part = waiting.pop()
        if id(part) not in found:
            found[id(part)] = part
            waiting.extend(reversed(part._linking_libraries))
    return list(found.values())


class _Codegen(AOTCPUCodegen):  # type: ignore[misc]
    """numba's generator of code for another processor than this one; vectors as wide as the registers are."""

    def _customize_tm_features(self) -> str:
        # LLVM takes half of what AVX-512 offers unless it is told otherwise: early processors slowed down with the whole.
        return "-prefer-256-bit" if self._cpu_name == "x86-64-v4" else ""


def _optimised(program: bytes, processor: str) -> bytes:
    """Return the object code of a program for a kind of processor, after the passes that numba runs."""
    codegen = _Codegen("tacita", processor)
    module = ll.parse_bitcode(program)
    module.data_layout = codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = codegen._function_pass_manager()
            passes.run(function, builder)
    for settings in (
        {"loop_vectorize": codegen._loopvect, "slp_vectorize": False, "opt": codegen._opt_level, "cost": "cheap"},
        {},
    ):
        passes, builder = codegen._module_pass_manager(**settings)
        passes.run(module, builder)
    module.verify()
    return bytes(codegen._tm.emit_object(module))
