"""Numbers that are not zero, found many at once: where they are few, as in an observation, the others cost nothing."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen, config
from numba.extending import intrinsic

from ..compile.decorators import Bytes, Floats, Ints, Mask, Shorts, rule

WORD: Final = 64  # numbers that are compared at once, as bits of an int64
GROUP: Final = 4  # columns that are written at once


def _plain_bits(numbers: Any, start: int) -> int:
    found = numbers.reshape(-1)[start : start + WORD] != 0
    return sum(1 << int(i) for i in np.flatnonzero(found))  # not negative, as an int64 may be: Python's has no end


def _wide_bits(_: Any, numbers: types.Array, start: types.Integer) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = ir.IntType(WORD)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        wanted = arguments[1]
        # Nothing beyond a row is read: its last word begins earlier, and the shift below drops what is not wanted.
        last = builder.sub(array.nitems, whole(WORD))
        first = builder.select(builder.icmp_signed("<", wanted, last), wanted, last)
        several = ir.VectorType(array.data.type.pointee, WORD)
        place = builder.bitcast(builder.gep(array.data, [first]), several.as_pointer())
        found = builder.load(place, align=numbers.dtype.bitwidth // 8)
        compare = builder.fcmp_unordered if isinstance(numbers.dtype, types.Float) else builder.icmp_unsigned
        differ = builder.bitcast(compare("!=", found, ir.Constant(several, [0] * WORD)), whole)
        return builder.lshr(differ, builder.sub(wanted, first))

    return types.int64(numbers, types.int64), write


def _plain_lowest(bits: int) -> int:
    bits = int(bits)  # numpy's integers of older versions do not tell their length
    return (bits & -bits).bit_length() - 1 if bits else WORD


def _wide_lowest(_: Any, bits: types.Integer) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(bits), write


def _plain_count(bits: int) -> int:
    return int(bits).bit_count()


def _wide_count(_: Any, bits: types.Integer) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(bits), write


def _wide_compress(
    _: Any, row: types.Array, start: types.Integer, columns: types.Array, counts: types.Array, at: types.Integer
) -> tuple[Any, Callable[..., Any]]:
    byte, short, whole, place = (ir.IntType(bits) for bits in (8, 16, 64, 32))
    half = WORD // 2

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, into, numbers = (
            context.make_array(signature.args[i])(context, builder, arguments[i]) for i in (0, 2, 3)
        )
        wanted = arguments[1]
        last = builder.sub(array.nitems, whole(WORD))
        first = builder.select(builder.icmp_signed("<", wanted, last), wanted, last)
        seen = builder.sub(wanted, first)  # lanes of the word before

        def kept(values: Any, which: Any) -> Any:
            kind, mask = values.type, which.type
            name = f"llvm.x86.avx512.mask.compress.v{kind.count}i{kind.element.width}"
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind, kind, mask]), name)
            return builder.call(function, [values, ir.Constant(kind, [0] * kind.count), which])

        def stored(values: Any, data: Any, index: Any) -> None:
            target = builder.bitcast(builder.gep(data, [index]), values.type.as_pointer())
            builder.store(values, target, align=values.type.element.width // 8)

        several = ir.VectorType(byte, WORD)
        found = builder.load(builder.bitcast(builder.gep(array.data, [first]), several.as_pointer()), align=1)
        bits = builder.bitcast(builder.icmp_unsigned("!=", found, ir.Constant(several, [0] * WORD)), whole)
        # The word before has written these lanes.
        bits = builder.shl(builder.lshr(bits, seen), seen)
        which = builder.bitcast(bits, ir.VectorType(ir.IntType(1), WORD))
        position = arguments[4]
        # Whole vectors are stored: the next one begins where the numbers of this one end.
        stored(kept(found, which), numbers.data, position)
        # Columns are twice as wide as counts, so that a vector holds half as many.
        shorts = ir.VectorType(short, half)
        zeros, broadcast = ir.Constant(shorts, [0] * half), ir.Constant(ir.VectorType(place, half), [0] * half)
        base = builder.insert_element(zeros, builder.trunc(first, short), place(0))
        base = builder.shuffle_vector(base, base, broadcast)
        for begin in (0, half):
            selected = ir.Constant(ir.VectorType(place, half), list(range(begin, begin + half)))
            part = builder.shuffle_vector(which, which, selected)
            columns_here = builder.add(base, ir.Constant(shorts, list(range(begin, begin + half))))
            stored(kept(columns_here, part), into.data, position)
            count = builder.ctpop(builder.bitcast(part, ir.IntType(half)))
            position = builder.add(position, builder.zext(count, whole))
        return position

    return types.int64(row, types.int64, columns, counts, types.int64), write


# LLVM makes no such instructions of the plain functions.
# set_bits(numbers, start): the bits of an int64, bit i set if the number at start + i is not zero; of a contiguous
# array of int8 or float32 of any shape, counted flat, of WORD numbers or more. Those beyond its end are not set.
set_bits = _plain_bits if config.DISABLE_JIT else intrinsic(_wide_bits)
# lowest_bit(bits): the number of the lowest bit that is set, WORD if there is none.
lowest_bit = _plain_lowest if config.DISABLE_JIT else intrinsic(_wide_lowest)
# count_bits(bits): how many bits are set.
count_bits = _plain_count if config.DISABLE_JIT else intrinsic(_wide_count)
# compress(row, start, columns, counts, at): write those of WORD numbers of a row from `start` on that are not zero, and
# their columns, from position `at` on; returns the position after the last one. WORD elements from `at` on may be
# changed. The row must have WORD numbers or more. On processors for which CAN_COMPRESS is true.
compress = intrinsic(_wide_compress)
CAN_COMPRESS: Final = not config.DISABLE_JIT and "+avx512vbmi2" in (
    config.CPU_FEATURES or codegen.get_host_cpu_features()
)


@rule
def count_set(numbers: Mask) -> int:
    """How many numbers are not zero."""
    # `set_bits` reads WORD numbers, wherever a shorter row ends.
    count = 0
    if len(numbers) < WORD:
        for number in numbers:
            count += int(number != 0)
        return count
    for start in range(0, len(numbers), WORD):
        count += count_bits(set_bits(numbers, start))
    return count


@rule
def nth_set(numbers: Mask, rank: int) -> int:
    """The position of the number of this rank, from 0, among those that are not zero; -1 if there are not so many."""
    if len(numbers) < WORD:
        for i in range(len(numbers)):
            rank -= int(numbers[i] != 0)
            if rank < 0:
                return i
        return -1
    for start in range(0, len(numbers), WORD):
        bits = set_bits(numbers, start)
        count = count_bits(bits)
        if rank < count:
            # Each step clears the lowest bit.
            for _ in range(rank):
                bits &= bits - 1
            return start + lowest_bit(bits)
        rank -= count
    return -1


def _finder(row_type: Any, columns_type: Any, names: str) -> Callable[[Any, Any, int, int], int]:
    """Make `find` for rows and columns of one type; `names` are the arrays that must have room."""
    no_room = f"{names} must have room for all that is not zero"

    @rule
    def append_group(start: int, bits: int, columns: columns_type, at: int) -> int:
        """Write GROUP columns: of the first bits that are set, or anything once there are no more; returns the bits
        left.

        How many are set cannot be foreseen, and a wrong guess costs more than columns that are not needed.
        """
        for i in range(GROUP):
            columns[at + i] = start + lowest_bit(bits)
            bits &= bits - 1
        return bits

    @rule
    def append(column: int, columns: columns_type, at: int, room: int) -> int:
        """Write one column; returns the position after it."""
        if at >= room:
            raise ValueError(no_room)
        columns[at] = column
        return at + 1

    @rule
    def find(row: row_type, columns: columns_type, room: int, at: int) -> int:
        """Write the columns of all numbers of a row that are not zero, from position `at` on; returns the position
        after the last one. ValueError if there is no room for them. Beyond it some `columns` may be changed.
        """
        if len(row) < WORD:
            for column in range(len(row)):
                if row[column] != 0:
                    at = append(column, columns, at, room)
        else:
            for start in range(0, len(row), WORD):
                bits = set_bits(row, start)
                after = at + count_bits(bits)
                while bits != 0:
                    if after + GROUP <= room:
                        bits = append_group(start, bits, columns, at)
                        at += GROUP
                    else:
                        at = append(start + lowest_bit(bits), columns, at, room)
                        bits &= bits - 1
                at = after
        return at

    return find


find_in_floats = _finder(Floats, Ints, "indices and values")
find_in_bytes = _finder(Bytes, Ints, "indices and values")
find_counts = _finder(Bytes, Shorts, "columns and counts")


@rule
def append_set(row: Floats, indices: Ints, values: Floats, at: int) -> int:
    """Write the columns and the values of all numbers of a row that are not zero, from position `at` on; returns the
    position after the last one. ValueError if there is no room for them. Beyond it some `indices` may be changed.
    """
    first = at
    at = find_in_floats(row, indices, min(len(indices), len(values)), at)
    for i in range(first, at):
        values[i] = row[indices[i]]
    return at


@rule
def append_one_by_one(row: Bytes, columns: Shorts, counts: Bytes, at: int) -> int:
    """Do as `append_set`, with the counts of an observation."""
    first = at
    at = find_counts(row, columns, min(len(columns), len(counts)), at)
    for i in range(first, at):
        counts[i] = row[columns[i]]
    return at


@rule
def append_compressed(row: Bytes, columns: Shorts, counts: Bytes, at: int) -> int:
    """Do the same with instructions that some processors have. Up to WORD elements beyond the result can change."""
    if len(row) < WORD or at + len(row) + WORD > min(len(columns), len(counts)):
        return append_one_by_one(row, columns, counts, at)
    for start in range(0, len(row), WORD):
        at = compress(row, start, columns, counts, at)
    return at


append_counts: Final = append_compressed if CAN_COMPRESS else append_one_by_one
