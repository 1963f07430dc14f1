"""A tablet talks to the club's box by name: over https everything works, over plain http it is told what does not."""

from __future__ import annotations

import base64
import hashlib
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, Page

from tests.browser.conftest import FLAGS, PATIENCE, kept_here, record_of
from tests.browser.driver import Driver
from tests.browser.running import PLAYERS, Service, free_port
from tests.ops.test_serve import served

pytestmark = pytest.mark.browser

NAME = "box.boston.test"

Reach = Callable[..., Page]


@pytest.fixture
def reach(browser: Browser, chromium: str) -> Iterator[Reach]:
    """`reach(link, certificate)`: a tablet that finds the box by its name and trusts this certificate of the box."""
    launched: list[Browser] = []

    def make(link: str, certificate: Path | None = None) -> Page:
        flags = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        if certificate:
            flags.append(f"--ignore-certificate-errors-spki-list={digest(certificate)}")
        tablet = browser.browser_type.launch(executable_path=chromium, args=flags)
        launched.append(tablet)
        page = tablet.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(link)
        return page

    yield make
    for tablet in launched:
        tablet.close()


def digest(certificate: Path) -> str:
    """By which a browser is told to trust a certificate's key, as a tablet is that was led through trusting the box."""
    public = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
    return base64.b64encode(
        hashlib.sha256(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    ).decode()


def test_over_https_by_name(reach: Reach, tmp_path: Path) -> None:
    """`boston serve --tls` with the authority that the box makes for itself."""
    port, data = free_port(), tmp_path / "a box"
    options = ["--public-url", f"https://{NAME}:{port}", "--trust-port", str(free_port())]
    with served(data, port, "--tls", "--name", NAME, *options) as box:
        director, admin = box.links()
        trusting = ssl.create_default_context(cafile=data / "tls" / "authority.pem")
        with httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=trusting, timeout=60) as client:
            client.headers["x-csrf-token"] = client.post("/api/sign-in", json={"code": admin}).json()["csrf"]
            for name in PLAYERS:
                assert client.post("/api/players", json={"name": name}).is_success
            page = reach(f"https://{NAME}:{port}/#pair={director}", data / "tls" / "certificate.pem")
            page.wait_for_selector('[data-key="new-evening"]')
            assert page.evaluate("isSecureContext && 'wakeLock' in navigator && 'storage' in navigator")
            kept_here(page)
            driver = Driver(page)
            entries = record_of("american-1")
            for _ in driver.play(entries[:12]):
                pass
            page.wait_for_selector('.banner:has-text("12 recorded, 12 on server")')
            page.context.set_offline(True)
            page.reload()
            for _ in driver.play(entries[:20], 12):
                pass
            page.context.set_offline(False)
            page.wait_for_selector('.banner:has-text("20 recorded, 20 on server")')
            session = page.url.rpartition("/")[2]
            assert client.get(f"/api/sessions/{session}").json()["entries"] == 20


def test_over_plain_http_it_is_told_what_does_not_work(reach: Reach, database: str) -> None:
    service = Service(database, NAME)
    page = reach(service.link())
    page.wait_for_selector('.banner:has-text("not loaded over https")')
    driver = Driver(page)
    for _ in driver.play(record_of("american-1")[:9]):
        pass
    page.wait_for_selector('.banner:has-text("9 recorded, 9 on server")')
    service.stop()
