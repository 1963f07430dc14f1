"""Figures as they are shown: rates with a 95 % Wilson interval, means with their spread, always with n.

The Wilson interval stays within 0 and 1 and means something for few cases too, where the usual
p ± 1.96 sqrt(p(1-p)/n) does not: for k of n it is (k + z²/2 ± z sqrt(k(n-k)/n + z²/4)) / (n + z²).
"""

import math

import msgspec

Z = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


class Rate(msgspec.Struct, frozen=True):
    """`k` of `n` cases; `rate` and its interval are null where there is no case."""

    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


class Mean(msgspec.Struct, frozen=True):
    """A mean over `n` cases, with the sample's standard deviation (null for fewer than two cases)."""

    n: int
    total: int | float
    mean: float | None
    sd: float | None


def rate(k: int, n: int) -> Rate:
    """The share of `k` in `n` with its 95 % Wilson interval."""
    if not n:
        return Rate(k, n, None, None, None)
    middle, spread = k + Z * Z / 2, Z * math.sqrt(k * (n - k) / n + Z * Z / 4)
    low, high = (middle - spread) / (n + Z * Z), (middle + spread) / (n + Z * Z)
    # At the ends the bound is exact, which the division misses by a rounding.
    return Rate(k, n, k / n, low if k else 0.0, high if k < n else 1.0)


def mean(n: int, total: int | float, squares: int | float) -> Mean:
    """The mean of `n` values from their sum and the sum of their squares; amounts are exact, so nothing cancels."""
    if not n:
        return Mean(n, 0, None, None)
    variance = max(0.0, (squares - total * total / n) / (n - 1)) if n > 1 else None
    return Mean(n, whole(total), total / n, None if variance is None else math.sqrt(variance))


def whole(amount: int | float) -> int | float:
    """An amount without a fraction where it has none: 60, 62.5."""
    return int(amount) if amount == int(amount) else float(amount)
