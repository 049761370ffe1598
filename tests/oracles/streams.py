"""Random streams in whole Python numbers of any size, cut to 64 bits by a remainder."""

Stream = tuple[int, int]

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def bit_changes(step: int) -> int:
    """At how many places two neighbouring bits differ; the highest bit has a 0 above it."""
    return (step ^ (step >> 1)).bit_count()


def first_step(z: int) -> int:
    """A step before it is looked at for regularity."""
    z = (z ^ (z >> 33)) * 0xFF51AFD7ED558CCD % WORD
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53 % WORD
    return (z ^ (z >> 33)) | 1


def open_stream(seed: int, purpose: int, generation: int, individual: int) -> Stream:
    key = mix((seed + GOLDEN) % WORD)
    for part in (purpose, generation, individual):
        key = mix((key + (part + 1) * GOLDEN) % WORD)
    step = first_step((key + GOLDEN) % WORD)
    if bit_changes(step) < 24:
        step ^= 0xAAAAAAAAAAAAAAAA
    return key, step


def draw(stream: Stream, index: int) -> int:
    start, step = stream
    return mix((start + (index + 1) * step) % WORD)


def draw_float(stream: Stream, index: int) -> float:
    return (draw(stream, index) >> 11) / 2**53


def draw_below(stream: Stream, index: int, bound: int) -> int:
    """Of the 2**32 upper halves each result keeps equally many: those whose product leaves less
    than 2**32 mod bound are passed over.
    """
    bits = draw(stream, index)
    while (bits >> 32) * bound % 2**32 < 2**32 % bound:
        bits = mix((bits + GOLDEN) % WORD)
    return (bits >> 32) * bound // 2**32


def draw_bits(stream: Stream, index: int, threshold: int) -> int:
    """Coin by coin: bit j of 64 words, the first word highest, is a 64-bit number, and the coin is
    1 if it lies below the threshold.
    """
    if threshold == WORD - 1:
        return WORD - 1
    words = [draw(stream, 64 * index + digit) for digit in range(64)]
    ones = 0
    for coin in range(64):
        number = 0
        for word in words:
            number = 2 * number + (word >> coin) % 2
        if number < threshold:
            ones += 2**coin
    return ones
