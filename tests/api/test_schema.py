"""The OpenAPI document: true of the service, complete, and good enough for a generated client."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis.strategies import booleans, one_of
from schemathesis.core.parameters import ParameterLocation as Where
from schemathesis.specs.openapi.checks import ignored_auth

from domain.entries import AnyEntry
from domain.events import AnyEvent
from service.settings import Settings
from tests.api.doors import DOORS, OPEN
from tests.api.house import House, evening
from tests.api.online import Online

pytestmark = pytest.mark.api
HERE = Path(__file__).parent
CLIENT = """\
content_type_overrides:
  application/jsonl: text/plain
  application/zip: application/octet-stream
  application/vnd.apache.parquet: application/octet-stream
post_hooks: []
"""
PAGES = {"GET /", "GET /sw.js", "GET /static/{path}", "GET /schema", "GET /metrics", "GET /verify.html"}
CONFIG = schemathesis.Config.from_path(HERE / "schemathesis.toml")


class Described:
    """A running service with something in it, and a key for every operation."""

    def __init__(self, online: Online) -> None:
        self.online = online
        self.club = online.house.club
        record = evening("scripted-results")
        self.session_id = self.club["director"].open(record)
        self.club["director"].take(self.session_id, record[1:])

    def headers(self, method: str, path: str) -> dict[str, str]:
        """Those of a key that may call the operation."""
        roles = {role for door in DOORS if door.name == f"{method} {path}" for role in door.roles}
        if not roles:
            return {}
        return {"authorization": f"Bearer {self.club['director' if 'director' in roles else 'admin'].key}"}


@pytest.fixture(scope="module")
def described(module_database: str) -> Iterator[Described]:
    with House(Settings(database_url=module_database)) as house, Online(house) as online:
        yield Described(online)


@pytest.fixture(scope="module")
def as_described(described: Described) -> Any:
    return schemathesis.openapi.from_url(f"{described.online.url}/schema", config=CONFIG)


@pytest.fixture(scope="module")
def document(described: Described) -> dict[str, Any]:
    told: dict[str, Any] = described.online.house.client.get("/schema").json()
    return told


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from refs(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from refs(value)


def test_every_door_is_described(document: dict[str, Any]) -> None:
    assert dict(operations(document)).keys() == ({door.name for door in DOORS} | set(OPEN)) - PAGES


def test_every_reference_leads_somewhere_and_every_name_is_one(document: dict[str, Any]) -> None:
    names = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(refs(document)) == names
    ids = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(ids)) == len(ids)
    titles = [shape["title"] for shape in document["components"]["schemas"].values()]
    assert len(set(titles)) == len(titles)


def test_entries_and_events_are_tagged_unions_that_know_no_other_field(document: dict[str, Any]) -> None:
    shapes = document["components"]["schemas"]
    sent = shapes["RecordRequest"]["properties"]["entries"]["items"]
    told = shapes["Envelope"]["properties"]["data"]
    for union, kinds, tag in ((sent, AnyEntry, "entry"), (told, AnyEvent, "type")):
        wanted = {kind.__struct_config__.tag for kind in kinds.__args__}  # type: ignore[attr-defined]
        assert union["discriminator"]["propertyName"] == tag
        mapping = union["discriminator"]["mapping"]
        assert mapping.keys() == wanted
        for value, ref in mapping.items():
            shape = shapes[ref.rpartition("/")[2]]
            assert shape["properties"][tag] == {"enum": [value]}
            assert tag in shape["required"]
    for ref in sent["discriminator"]["mapping"].values():
        assert shapes[ref.rpartition("/")[2]]["additionalProperties"] is False


@pytest.mark.parametrize("name", sorted({door.name for door in DOORS} | set(OPEN) - PAGES))
def test_the_service_keeps_to_its_description(name: str, described: Described, as_described: Any) -> None:
    method, path = name.split()
    known = {"session_id": described.session_id, "player_id": described.club.player_id}
    headers = described.headers(method, path)
    operation = as_described[path][method]
    both = operation.as_strategy(), operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)

    # Each is a request or two, and there are many operations.
    few = settings().max_examples // 5

    @settings(max_examples=few, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=one_of(both) if takes_anything(operation) else both[0], real=booleans())
    def keeps(case: Any, real: bool) -> None:
        wrong = {where for where, part in case.meta.components.items() if part.mode.is_negative}
        # Headers are the key's, and an optional value of `null` in an address is none.
        assume(not wrong or wrong & {Where.PATH, Where.QUERY, Where.BODY})
        assume(Where.QUERY not in wrong or "null" not in (case.query or {}).values())
        # A live stream does not end, so only those are asked for that there are not.
        if real and Where.PATH not in wrong and not path.endswith("/stream"):
            for given_name in case.path_parameters or {}:
                case.path_parameters[given_name] = known.get(given_name, case.path_parameters[given_name])
        # That nobody comes in without a key is for the table of doors to prove.
        case.call_and_validate(
            base_url=described.online.url, headers=headers, timeout=30, excluded_checks=[ignored_auth]
        )

    keeps()


def takes_anything(operation: Any) -> bool:
    """Is there anything to get wrong?"""
    raw = operation.definition.raw
    return bool(raw["parameters"]) or "requestBody" in raw


def test_a_generated_client_opens_a_session_and_records_a_deal(
    document: dict[str, Any], described: Described, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    (tmp_path / "config.yaml").write_text(CLIENT)
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none",
         "--output-path", "boston_client", "--config", "config.yaml", "--fail-on-warning"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    monkeypatch.syspath_prepend(tmp_path)
    client = import_module("boston_client").AuthenticatedClient(
        base_url=described.online.url, token=described.club["recorder"].key
    )
    models = import_module("boston_client.models")
    calls = {name: import_module(f"boston_client.api.sessions.{name}").sync
             for name in ("open_session", "record_entries", "session")}  # fmt: skip
    opening, *rest = evening("american-1")
    deal = rest[: next(at for at, entry in enumerate(rest) if entry["entry"] == "preference" and at > 1)]
    session_id = uuid4()
    asked = models.OpenRequest.from_dict({"session_id": str(session_id), "entry": opening})
    opened = calls["open_session"](client=client, body=asked)
    assert isinstance(opened, models.RecordAnswerShape), opened
    batch = models.RecordRequest.from_dict({"entries": deal, "expected_version": opened.version})
    assert type(batch.entries[0]).__name__ == "FirstDealer"
    told = calls["record_entries"](session_id, client=client, body=batch)
    assert isinstance(told, models.RecordAnswerShape), told
    assert [type(event.data).__name__ for event in told.events][:2] == ["FirstDealerDrawn", "PreferenceExposed"]
    state = calls["session"](session_id, client=client)
    assert len(state.rows) == 1
    again = calls["record_entries"](session_id, client=client, body=batch)
    assert isinstance(again, models.ProblemDetails)
    assert again.code == "version_conflict"
