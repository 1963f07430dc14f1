"""The findings: what a record proves against itself, for the director and the auditor, until one is published."""

from collections.abc import Iterator

from domain import events
from projections.evening import Evening
from projections.projection import Projection, Row
from projections.walk import DEALING, MONEY


def rows(told: Evening) -> Iterator[Row]:
    """One row a finding in force, numbered from 1, with the entries that prove it."""
    meta = told.meta
    for number, found in enumerate(told.findings, start=1):
        finding = found.finding
        yield (
            meta.session_id,
            number,
            meta.club_id,
            told.opened.date,
            found.version,
            found.entry,
            found.place,
            finding.kind,
            finding.rule,
            finding.seat,
            list(finding.cards),
            list(finding.entries),
            finding.text,
            told.void,
            found.acknowledged,
            found.published,
        )


FINDINGS = Projection(
    name="findings",
    version=3,
    key=2,
    columns=(
        "session_id",
        "number",
        "club_id",
        "date",
        "version",
        "entry",
        "place",
        "kind",
        "rule",
        "seat",
        "cards",
        "entries",
        "text",
        "void",
        "acknowledged",
        "published",
    ),
    handles=MONEY | DEALING | {events.FindingAcknowledged},
    rows=rows,
)
