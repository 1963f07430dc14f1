"""Random evenings over HTTP fold back from the log to the state that the record gives (see `ops.evenings`)."""

from __future__ import annotations

import secrets

import pytest

from domain.rulesets import RULESETS
from ops.evenings import Differs, evening, record
from tests.api.house import House, Key

pytestmark = pytest.mark.api
EACH = 20


class Through:
    """The door of the service in this process."""

    def __init__(self, key: Key) -> None:
        self._key = key
        self.asked = 0

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        self.asked += 1
        headers = {"authorization": f"Bearer {self._key.key}", "content-type": "application/json"}
        answer = self._key.client.request(method, path, content=body, headers=headers)
        return answer.status_code, answer.content


@pytest.fixture
def seed(pytestconfig: pytest.Config) -> str:
    """Every run has other evenings; the header of the run tells the seed."""
    return str(pytestconfig.option.hypothesis_seed)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_random_evenings_fold_back_to_the_same_state(house: House, ruleset: str, seed: str) -> None:
    door = Through(house.club["director"])
    for number in range(EACH):
        before = door.asked
        entries = record(door, ruleset, f"{seed}/{number}", one_by_one=number == 0)
        if number == 0:
            assert door.asked - before > entries


def test_a_difference_is_told_with_its_seed(house: House) -> None:
    class Forgetful(Through):
        def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
            status, answer = super().ask(method, path, body)
            return (status, answer.rsplit(b"\n", 2)[0]) if path.endswith("/record") else (status, answer)

    seed = secrets.token_hex(4)
    with pytest.raises(Differs, match=seed):
        record(Forgetful(house.club["director"]), "russian", seed, one_by_one=False)


def test_an_evening_has_slips_and_ids_of_its_own() -> None:
    told = [evening("american-decimal", f"{number}") for number in range(10)]
    kinds = {entry.__struct_config__.tag for each in told for entry in each}
    assert {"undo", "redo", "withdraw", "misdeal", "tricks", "show"} <= kinds
    for each in told:
        assert len({entry.id for entry in each}) == len(each)
