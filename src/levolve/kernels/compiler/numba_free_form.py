"""What an entry of the cache has in order to be called without Numba; see `bare`."""

from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils as numba_cgutils
from numba.core import types as numba_types

from levolve.kernels.compiler.numba_free_call import CODES, BareRecord

# Numba has no types.
cgutils: Any = numba_cgutils
types: Any = numba_types

# Numba's memory management, as far as kernels need it that return no arrays. Memory begins with the
# count of references; the fourth number is the address of the array, which follows at the start of
# a cache line.
MEMORY = """
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)

define weak_odr ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
    %more = add i64 %size, 127
    %rounded = and i64 %more, -64
    %block = call ptr @aligned_alloc(i64 64, i64 %rounded)
    %missing = icmp eq ptr %block, null
    br i1 %missing, label %end, label %fill
fill:
    %data = getelementptr i8, ptr %block, i64 64
    %begin = insertvalue {i64, ptr, ptr, ptr, i64} {i64 1, ptr null, ptr null, ptr null, i64 0}, ptr %data, 3
    store {i64, ptr, ptr, ptr, i64} %begin, ptr %block
    br label %end
end:
    ret ptr %block
}

define weak_odr void @NRT_MemInfo_call_dtor(ptr %block) {
    call void @free(ptr %block)
    ret void
}
"""  # noqa: E501 text in another language
MEMORY_NAMES = {"NRT_MemInfo_alloc_aligned", "NRT_MemInfo_call_dtor"}


def described(signature: tuple[Any, ...]) -> str:
    """Return a description of the types of arguments, equal to what `bare.text_of` returns for the
    arguments; empty if there is none.
    """
    parts = [text_of_type(kind) for kind in signature]
    return f"tuple({', '.join(parts)})" if all(parts) else ""


def text_of_type(kind: Any) -> str:
    """Return a description of a type; empty if values of this type cannot be written to a block."""
    if isinstance(kind, types.BaseTuple):
        parts = [text_of_type(part) for part in kind]
        return (
            f"{getattr(kind, 'instance_class', tuple).__name__}({', '.join(parts)})"
            if all(parts)
            else ""
        )
    if type(kind) is types.Array and kind.aligned:
        item = text_of_type(kind.dtype)
        return (
            f"{'' if kind.mutable else 'readonly '}{item}[{kind.ndim}{kind.layout}]" if item else ""
        )
    name = str(kind)
    return name if name in CODES else ""


def add_bare_form(context: Any, library: Any, part: Any) -> BareRecord | None:
    """Add the function that takes a block to the library of an entry. Return what is known of it so
    far; None if it is not possible.
    """
    description, arguments, result = part.fndesc, part.signature.args, part.signature.return_type
    is_tuple = type(result) in {types.Tuple, types.UniTuple}
    results = tuple(text_of_type(kind) for kind in (result if is_tuple else [result]))
    if not CODES.keys() >= set(results) or not described(arguments):
        return None
    module = library.create_ir_module("bare")
    convention = context.call_conv
    kernel = cgutils.get_or_insert_function(
        module, convention.get_function_type(result, arguments), description.llvm_func_name
    )
    block = ir.LiteralStructType(
        [
            kernel.args[0].type.pointee,
            kernel.args[1].type.pointee,
            *(argument.type for argument in kernel.args[2:]),
        ]
    )
    function = ir.Function(
        module,
        ir.FunctionType(ir.IntType(32), [block.as_pointer()]),
        f"bare.{description.llvm_func_name}",
    )
    builder = ir.IRBuilder(function.append_basic_block())
    places = [
        builder.gep(function.args[0], [ir.IntType(32)(0), ir.IntType(32)(index)])
        for index in range(len(block.elements))
    ]
    builder.ret(
        builder.call(kernel, [*places[:2], *map(builder.load, places[2:])], attrs=("noinline",))
    )
    library.add_ir_module(module)
    needed = _missing(part.library) - MEMORY_NAMES
    return BareRecord(
        function.name,
        description.llvm_func_name,
        results,
        is_tuple,
        tuple(sorted(needed)),
        (),
        _memory(context.codegen()),
    )


def completed(record: BareRecord, library: Any) -> BareRecord:
    """Return what is known of an entry after it has been translated."""
    missing = _missing(library)
    needed = missing.intersection(record.needed)
    return record._replace(
        needed=tuple(sorted(needed)), unused=tuple(sorted(missing - needed - MEMORY_NAMES))
    )


def _missing(library: Any) -> set[str]:
    """Return the names that the code of a library needs and does not define."""
    module = library._final_module
    declared = [
        value.name
        for value in (*module.functions, *module.global_variables)
        if value.is_declaration
    ]
    return {name for name in declared if not name.startswith("llvm.")}


@cache
def _memory(codegen: Any) -> bytes:
    """Return the machine code of the memory management."""
    machine_code: bytes = codegen._tm.emit_object(binding.parse_assembly(MEMORY))
    return machine_code
