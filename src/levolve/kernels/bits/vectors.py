"""Vectors of words: eight 64-bit words that a kernel loads, combines and stores at once.

Numba does not compile a loop over the words of a vector to the processor's vector instructions if
the loop's next round depends on this one. A kernel that uses the functions here does, whatever
surrounds them. As plain Python, a vector is an array.
"""

import operator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import when_numba_is_loaded

LANES = 8

Words = NDArray[np.uint64]


def load(words: Words, first: np.uint64) -> Words:
    """Return the vector of `LANES` words of an array from `first` on. Vectors have `&`, `|`, `^`,
    `+`, `-`, `~`, and `<<`, `>>` by a word.

    A vector is never changed: write `a = a | b`, not `a |= b`, which plain Python would do in
    place.
    """
    return words[int(first) : int(first) + LANES].copy()


def store(words: Words, first: np.uint64, vector: Words) -> None:
    """Write a vector into an array from `first` on."""
    words[int(first) : int(first) + LANES] = vector


def spread(word: np.uint64) -> Words:
    """Return a vector of `LANES` equal words."""
    return np.full(LANES, word, np.uint64)


def staggered(vector: Words) -> np.uint64:
    """Return one word for a vector of words: bit i of the word in lane k is bit i + k. Bits that
    meet are joined.
    """
    word = 0
    for lane in range(LANES):
        word |= int(vector[lane]) << lane
    return np.uint64(word & 0xFFFFFFFFFFFFFFFF)


def _teach_numba() -> None:
    """Define the compiled forms. Numba has no types: all are `Any`."""
    names = (
        "llvmlite.ir",
        "numba.core.types",
        "numba.core.cgutils",
        "numba.core.typing.templates",
        "numba.extending",
    )
    modules: list[Any] = [import_module(name) for name in names]
    ir, types, cgutils, templates, extending = modules
    word = ir.IntType(64)
    form = ir.VectorType(word, LANES)

    class Vector(types.Type):  # type: ignore[name-defined, misc] # Numba has no types
        """The type of a vector in compiled kernels."""

    vector = Vector("vector of words")
    array = types.Array(types.uint64, 1, "C")

    @extending.register_model(Vector)
    class Model(extending.models.PrimitiveModel):  # type: ignore[name-defined, misc] # the same
        """How a compiled kernel holds a vector."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, form)

    def place(context: Any, builder: Any, words: Any, first: Any) -> Any:
        """Generate the address of a vector in an array."""
        data = context.make_array(array)(context, builder, words).data
        return builder.bitcast(builder.gep(data, [first]), form.as_pointer())

    def equal_words(builder: Any, value: Any) -> Any:
        one = builder.insert_element(
            ir.Constant(form, ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
        )
        return builder.shuffle_vector(
            one,
            ir.Constant(form, ir.Undefined),
            ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES),
        )

    def loaded(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(place(context, builder, *arguments), align=8)

    def stored(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], place(context, builder, *arguments[:2]), align=8)
        return context.get_dummy_value()

    def joined(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(word, [form])
        join = cgutils.get_or_insert_function(
            builder.module, kind, f"llvm.vector.reduce.or.v{LANES}i64"
        )
        return builder.call(
            join, [builder.shl(arguments[0], ir.Constant(form, list(range(LANES))))]
        )

    def define(function: Any, result: Any, kinds: tuple[Any, ...], generate: Any) -> None:
        # A `ConcreteTemplate` lists signatures. Several may belong to one function, such as an
        # operator.
        signatures = {"key": function, "cases": [templates.signature(result, *kinds)]}
        templates.infer_global(function)(
            type("Signatures", (templates.ConcreteTemplate,), signatures)
        )
        extending.lower_builtin(function, *kinds)(generate)

    define(
        spread,
        vector,
        (types.uint64,),
        lambda _context, builder, _signature, arguments: equal_words(builder, arguments[0]),
    )
    define(staggered, types.uint64, (vector,), joined)
    define(load, vector, (array, types.uint64), loaded)
    define(store, types.none, (array, types.uint64, vector), stored)
    for operation, name in (
        (operator.and_, "and_"),
        (operator.or_, "or_"),
        (operator.xor, "xor"),
        (operator.add, "add"),
        (operator.sub, "sub"),
    ):
        define(
            operation,
            vector,
            (vector, vector),
            lambda _context, builder, _signature, arguments, name=name: getattr(builder, name)(
                *arguments
            ),
        )
    define(
        operator.invert,
        vector,
        (vector,),
        lambda _context, builder, _signature, arguments: builder.not_(arguments[0]),
    )
    for operation, name in ((operator.lshift, "shl"), (operator.rshift, "lshr")):
        define(
            operation,
            vector,
            (vector, types.uint64),
            lambda _context, builder, _signature, arguments, name=name: getattr(builder, name)(
                arguments[0], equal_words(builder, arguments[1])
            ),
        )


when_numba_is_loaded(_teach_numba)
