"""The pool: full pools set aside, and the open one (rules 38, 39, 42 and 43).

Amounts are whole white units. A pool is written `(full, open)` and travels as `[full, open]`.
"""

from domain.value import Value


class Pool(Value, frozen=True, array_like=True):
    """`full` pools set aside at the cap each, and `open` units in the one being filled."""

    full: int = 0
    open: int = 0


def total(pool: Pool, cap: int | None) -> int:
    """All the money that lies in the pools."""
    return pool.full * (cap or 0) + pool.open


def put_in(pool: Pool, amount: int, cap: int | None) -> Pool:
    """The pool after `amount` came in; what goes over the cap feeds another (rule 42)."""
    if cap is None:
        return Pool(pool.full, pool.open + amount)
    more, rest = divmod(pool.open + amount, cap)
    return Pool(pool.full + more, rest)


def active(pool: Pool, cap: int | None) -> int:
    """What a success takes and a failure doubles: one full pool if there is any, else the open one (rule 42)."""
    return cap if cap is not None and pool.full else pool.open


def win(pool: Pool, cap: int | None) -> tuple[int, Pool]:
    """What the winner takes, and the pool afterwards (rule 42)."""
    taken = active(pool, cap)
    return taken, Pool(pool.full - 1, pool.open) if pool.full else Pool(0, 0)


def double(pool: Pool, cap: int | None) -> tuple[int, Pool]:
    """What a failure pays in, and the pool afterwards (rules 39 and 42)."""
    paid = active(pool, cap)
    return paid, Pool(pool.full + 1, pool.open) if pool.full else put_in(pool, paid, cap)
