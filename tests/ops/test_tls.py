"""The box's own authority and certificate: made once, renewed in time, good for local names alone."""

from __future__ import annotations

import datetime
import socket
import ssl
import stat
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ops import tls
from ops.tls import CannotCertify, Certificate, box_names, fingerprint, given, own
from ops.trust import offer

NAMES = ["boston.test", "127.0.0.1", "localhost"]


@contextmanager
def shown(certificate: Certificate) -> Iterator[int]:
    """A server that shows the certificate to whoever connects, and its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.chain, certificate.key)
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(10)

    def answer() -> None:
        try:
            with context.wrap_socket(listening.accept()[0], server_side=True) as spoken:
                spoken.recv(1)
        except OSError:
            return

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield listening.getsockname()[1]
    listening.close()
    thread.join(10)


def trusts(authority: Path, certificate: Certificate, name: str) -> bool:
    """Does a tablet that trusts the authority believe that the server is called so?"""
    with shown(certificate) as port, socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
        try:
            with ssl.create_default_context(cafile=str(authority)).wrap_socket(plain, server_hostname=name):
                return True
        except ssl.SSLCertVerificationError:
            return False


@pytest.mark.parametrize("name", NAMES)
def test_tablet_that_trusts_the_authority_believes_each_of_the_names(tmp_path: Path, name: str) -> None:
    made = own(tmp_path / "tls", NAMES)
    assert made.authority is not None
    assert trusts(made.authority, made, name)
    assert not trusts(made.authority, made, "elsewhere.test")


def test_another_box_is_not_believed(tmp_path: Path) -> None:
    here, there = own(tmp_path / "here", NAMES), own(tmp_path / "there", NAMES)
    assert here.authority is not None
    assert not trusts(here.authority, there, "boston.test")


def test_second_start_keeps_what_was_made(tmp_path: Path) -> None:
    first = own(tmp_path / "tls", NAMES)
    before = {path.name: path.read_bytes() for path in (tmp_path / "tls").iterdir()}
    assert own(tmp_path / "tls", NAMES) == first
    assert {path.name: path.read_bytes() for path in (tmp_path / "tls").iterdir()} == before


def test_certificate_is_renewed_before_it_ends_and_the_authority_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = own(tmp_path / "tls", NAMES)
    assert first.authority is not None
    trusted = first.authority.read_bytes()
    late = first.ends - datetime.timedelta(tls.RENEW_DAYS - 1)
    monkeypatch.setattr(tls, "_now", lambda: late)
    renewed = own(tmp_path / "tls", NAMES)
    assert renewed.ends - late > datetime.timedelta(tls.CERTIFICATE_DAYS - 3)
    assert first.authority.read_bytes() == trusted


def test_new_name_gives_a_new_certificate_under_the_same_authority(tmp_path: Path) -> None:
    first = own(tmp_path / "tls", NAMES)
    again = own(tmp_path / "tls", [*NAMES, "second.test"])
    assert again.authority is not None
    assert again.authority == first.authority
    assert trusts(again.authority, again, "second.test")


def test_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    own(tmp_path / "tls", NAMES)
    assert stat.S_IMODE((tmp_path / "tls").stat().st_mode) == 0o700
    for name in ("authority.key", "certificate.key"):
        assert stat.S_IMODE((tmp_path / "tls" / name).stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["bank.example", "8.8.8.8", "2001:db8::1"])
def test_name_outside_a_local_network_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotCertify, match="not a name of a local network"):
        own(tmp_path / "tls", [name])
    assert not (tmp_path / "tls").exists()


def test_authority_itself_may_not_sign_for_other_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "_local", lambda name: True)
    forged = own(tmp_path / "tls", ["bank.example"])
    assert forged.authority is not None
    assert not trusts(forged.authority, forged, "bank.example")


def test_club_brings_its_own_certificate(tmp_path: Path) -> None:
    made = own(tmp_path / "tls", NAMES)
    brought = given(made.chain, made.key)
    assert brought.authority is None
    assert brought.ends == made.ends


def test_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    one, other = own(tmp_path / "one", NAMES), own(tmp_path / "other", NAMES)
    with pytest.raises(CannotCertify, match="is not that of the certificate"):
        given(one.chain, other.key)


def test_file_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("nothing")
    with pytest.raises(CannotCertify, match=r"notes\.txt"):
        given(text, text)


def test_ended_certificate_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = own(tmp_path / "tls", NAMES)
    monkeypatch.setattr(tls, "_now", lambda: made.ends + datetime.timedelta(1))
    with pytest.raises(CannotCertify, match="ended on"):
        given(made.chain, made.key)


def test_box_has_a_name_that_is_not_localhost() -> None:
    assert {"localhost", "127.0.0.1"} <= set(box_names())
    assert any(name.endswith(".local") for name in box_names())


def test_trust_page_gives_the_certificate_and_its_fingerprint(tmp_path: Path) -> None:
    made = own(tmp_path / "tls", NAMES)
    assert made.authority is not None
    server = offer(made.authority, "https://boston.test:8700", "127.0.0.1", 0, "http://boston.test:8701/")
    try:
        root = f"http://127.0.0.1:{server.server_address[1]}"
        with urllib.request.urlopen(f"{root}/", timeout=5) as answer:
            page = answer.read().decode()
        assert fingerprint(made.authority) in page
        assert 'href="https://boston.test:8700"' in page
        with urllib.request.urlopen(f"{root}/boston-box.crt", timeout=5) as answer:
            assert answer.headers["content-type"] == "application/x-x509-ca-cert"
            assert answer.read() == made.authority.read_bytes()
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{root}/authority.key", timeout=5)
    finally:
        server.shutdown()
