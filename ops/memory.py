"""The memory of a process that folds evenings: what the collector of garbage is told about it."""

import gc


def settle() -> None:
    """Spares the collector of garbage what was made to stay, and calls it less often: evenings are folded into many
    small values that refer to one another and never in a circle. For a process that has loaded what it needs.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
