"""What is logged of an error names nobody."""

from __future__ import annotations

import pytest
from psycopg import errors

from service.faults import logged


@pytest.mark.parametrize(
    ("kind", "told"), [(LookupError, "LookupError"), (errors.UniqueViolation, "UniqueViolation 23505")]
)
def test_its_kind_and_its_place_are_logged_and_none_of_its_words(kind: type[Exception], told: str) -> None:
    name = " ".join(("Agatha", "Smith"))
    with pytest.raises(kind) as raised:
        raise kind(f"Key (name)=({name}) already exists.")
    fields = logged(raised.value)
    assert fields["error"] == told
    assert "test_faults.py" in fields["trace"]
    assert "Agatha" not in str(fields)
