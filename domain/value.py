"""What the domain is made of: values, which never change."""

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False):
    """A value. It can refer only to what was there before it, so no circle runs through it and the collector of
    garbage is spared it: an evening is thousands of them, and a service holds hundreds of evenings.
    """
