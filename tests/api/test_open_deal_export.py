"""An export of records gives nothing of a deal in progress to anybody but the director."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from tests.api.house import House, Key, evening

pytestmark = pytest.mark.api


def exported(key: Key, session: str) -> list[dict[str, object]]:
    answer = key.get("/api/exports/records")
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return [json.loads(line) for line in archive.read(f"{session}.jsonl").splitlines()]


def test_cards_of_an_open_deal_are_in_the_directors_export_alone(house: House) -> None:
    record = evening("american-2")[:30]
    assert [entry["entry"] for entry in record].count("play") > 4
    session = house.club["recorder"].open(record)
    house.club["recorder"].take(session, record[1:])
    assert len(exported(house.club["director"], session)) == len(record)
    for role in ("admin", "auditor"):
        told = {entry["entry"] for entry in exported(house.club[role], session)}  # type: ignore[index]
        assert told == {"open", "first_dealer"}
