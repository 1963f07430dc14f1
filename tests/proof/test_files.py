"""Files that are brought: genuine ones hold, and whatever was done to one is named, with the place.

`BOSTON_WRITE_VERDICTS=1` writes the table of verdicts anew; what that changed is to be read before it is kept.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.events import DealSettled
from ops.proof.check import check
from ops.proof.compare import compare
from ops.proof.evidence import Evidence
from ops.proof.finding import NOTES, Finding
from ops.proof.judged import judge
from service.envelope import seal
from tests.proof.corpus import EVENING, Box, Corpus, Files, Log, corpus, steady, verdict

TABLE = Path(__file__).parent / "verdicts.json"


@pytest.fixture(scope="module")
def made() -> Corpus:
    with pytest.MonkeyPatch.context() as patch:
        steady(patch)
        return corpus()


def checked(files: Files, fingerprint: str | None = None) -> list[Evidence]:
    told = [check(name, content) for name, content in files.items()]
    for one in told:
        judge(one)
    compare(told, fingerprint)
    return told


def grave(told: list[Evidence]) -> set[str]:
    return {f"{one.name}: {finding.code}" for one in told for finding in one.findings if finding.grave}


def test_the_corpus_is_the_same_every_time(made: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    steady(monkeypatch)
    assert corpus() == made


def test_every_verdict_is_the_one_of_the_table(made: Corpus) -> None:
    table = {
        name: {one.name: verdict(iter(one.findings)) for one in checked(files)} for name, files in made.cases.items()
    }
    if os.environ.get("BOSTON_WRITE_VERDICTS"):
        TABLE.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n")
    assert table == json.loads(TABLE.read_text())


def test_what_is_genuine_holds_alone_and_together(made: Corpus) -> None:
    for name in ("all together", *(case for case in made.cases if case.startswith("alone "))):
        assert grave(checked(made.cases[name])) == set(), name


HARMLESS = ("alone ", "all together", "an old ", "an older ", "everything signed with another key, alone")
HARMLESS_HERE = ("bundle.jsonl: with line ends of another system",)


def test_whatever_was_done_to_a_file_is_found(made: Corpus) -> None:
    sound = [
        name
        for name, files in made.cases.items()
        if not name.startswith(HARMLESS) and name not in HARMLESS_HERE and not grave(checked(files))
    ]
    assert sound == []


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_flipped_bit_anywhere_is_found(made: Corpus, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(made.genuine)))
    content = made.genuine[name]
    # The address before a code is not part of it.
    first = content.index(b"#") + 1 if name.endswith(".txt") else 0
    at = data.draw(st.integers(first, len(content.rstrip()) - 1))
    flipped = content[:at] + bytes([content[at] ^ 1 << data.draw(st.integers(0, 7))]) + content[at + 1 :]
    assert grave(checked({name: flipped})), (name, at)


@pytest.mark.parametrize("deep", [b"[" * 99999 + b"]" * 99999, b'{"a":' * 50000 + b"1" + b"}" * 50000])
def test_what_is_nested_too_deeply_is_unreadable(deep: bytes) -> None:
    for content in (b'{"type":"receipt","x":' + deep + b"}", b'{"type":"bundle"}\n{"type":' + deep + b"}\n"):
        assert any("unreadable" in one for one in grave(checked({"deep.json": content})))


def test_a_bundle_cut_anywhere_is_found(made: Corpus) -> None:
    content = made.genuine["bundle.jsonl"].rstrip()
    for end in range(0, len(content), 61):
        assert grave(checked({"bundle.jsonl": content[:end]})), end


def test_an_old_receipt_names_what_superseded_it(made: Corpus) -> None:
    told = checked(made.cases["an old receipt beside the bundle"])
    assert grave(told) == set()
    assert "superseded entry 18" in verdict(iter(told[0].findings))
    assert "corrected entry 18" in verdict(iter(told[1].findings))


def test_a_printed_fingerprint_shows_a_box_that_signed_everything_anew(made: Corpus) -> None:
    genuine = checked({"bundle.jsonl": made.genuine["bundle.jsonl"]})[0]
    forged = made.cases["everything signed with another key, alone"]
    assert grave(checked(forged)) == set()
    for key in genuine.keys:
        assert grave(checked(forged, key.hex().upper())) == {"forged.jsonl: key"}
        assert grave(checked({"bundle.jsonl": made.genuine["bundle.jsonl"]}, key.hex())) == set()


def test_a_settlement_that_does_not_follow_is_judged_even_if_it_is_signed() -> None:
    """Whoever holds the key can sign a chain of lies; that it breaks the rules shows all the same."""
    box = Box()
    log = Log(box, 1).take(*EVENING)
    at = next(at for at, one in enumerate(log.envelopes) if isinstance(one.data, DealSettled))
    told = log.envelopes[at].data
    assert isinstance(told, DealSettled)
    log.envelopes[at] = replace(log.envelopes[at], data=replace(told, price=told.price + 10))
    log.bodies = [row.body for row in seal(bytes(32), log.envelopes)]
    found = checked({"forged.jsonl": box.bundle(log, [], log.names)})
    assert verdict(f for f in found[0].findings if f.grave) == []
    judged = [one for one in found[0].findings if one.code == "judged"]
    assert judged == [Finding("judged", f"event {at + 1}")]


def test_every_note_says_where_or_needs_none() -> None:
    assert all("{where}" in text or code == "uncovered" for code, text in NOTES.items())
