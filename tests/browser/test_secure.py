"""A tablet talks to the club's box by name: over https everything works, over plain http it is told what does not."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, BrowserType

from tests.browser.conftest import FLAGS, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service

pytestmark = pytest.mark.browser

NAME = "box.club.example"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of the box, with its key, from an authority of this test."""
    made = trustme.CA().issue_cert(NAME, "127.0.0.1")
    path = tmp_path / "box.pem"
    made.private_key_and_cert_chain_pem.write_to_path(path)
    return path


def trusting(certificate: Path) -> str:
    """The digest by which a browser trusts this certificate's key, as a tablet that was led to trust its authority."""
    pem = certificate.read_bytes()
    loaded = x509.load_pem_x509_certificate(pem[pem.index(b"-----BEGIN CERTIFICATE") :])
    public = loaded.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(public).digest()).decode()


@pytest.fixture
def launch(browser: Browser) -> BrowserType:
    return browser.browser_type


@pytest.fixture
def named(launch: BrowserType, chromium: str, certificate: Path) -> Iterator[Browser]:
    """A browser that finds the box by its name."""
    flags = [
        *FLAGS,
        f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
        f"--ignore-certificate-errors-spki-list={trusting(certificate)}",
    ]
    launched = launch.launch(executable_path=chromium, args=flags)
    yield launched
    launched.close()


def test_over_https_by_name(named: Browser, database: str, certificate: Path) -> None:
    service = Service(database, NAME, certificate)
    page = named.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
    page.goto(service.link())
    page.wait_for_selector('[data-key="new-evening"]')
    assert page.evaluate("isSecureContext && 'wakeLock' in navigator && 'storage' in navigator")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
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
    assert service.state()["entries"] == 20
    service.stop()


def test_over_plain_http_it_is_told_what_does_not_work(named: Browser, database: str) -> None:
    service = Service(database, NAME)
    page = named.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
    page.goto(service.link())
    page.wait_for_selector('.banner:has-text("not loaded over https")')
    driver = Driver(page)
    for _ in driver.play(record_of("american-1")[:9]):
        pass
    page.wait_for_selector('.banner:has-text("9 recorded, 9 on server")')
    service.stop()
