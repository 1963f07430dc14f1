"""The verifier in a browser, opened from a disk and from a box without https: what is dropped on it, it judges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from service.proof.page import page as verifier
from tests.browser.running import Service
from tests.proof.corpus import Corpus, corpus, steady

pytestmark = pytest.mark.browser
TABLE = Path(__file__).parents[1] / "proof" / "verdicts.json"
TOGETHER = (
    "an old receipt beside the bundle",
    "a session that was cut and signed anew",
    "everything signed with another key, beside a receipt",
    "bundle.jsonl: edited event body",
    "bundle.jsonl: cut in a line",
    "late.json: edited link.path.1",
)


@pytest.fixture(scope="module")
def made() -> Corpus:
    with pytest.MonkeyPatch.context() as patch:
        steady(patch)
        return corpus()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", offline=False)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    assert errors == []


def said(page: Page) -> dict[str, list[str]]:
    """The codes that the page shows, file by file."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("article")].map((one) =>
            [one.querySelector("h2").textContent.split(":")[0],
             [...one.querySelectorAll("li[data-code]")].map((item) => item.dataset.code).sort()]))"""
    )


@pytest.mark.parametrize("case", TOGETHER)
def test_files_dropped_on_the_page_get_the_verdicts_of_the_table(
    page: Page, made: Corpus, tmp_path: Path, case: str
) -> None:
    (tmp_path / "verify.html").write_bytes(verifier())
    for name, content in made.cases[case].items():
        (tmp_path / name).write_bytes(content)
    page.goto((tmp_path / "verify.html").as_uri())
    page.set_input_files("#files", [tmp_path / name for name in made.cases[case]])
    page.wait_for_selector("article")
    assert said(page) == json.loads(TABLE.read_text())[case]


def test_a_scanned_code_is_judged_by_a_box_without_https(page: Page, made: Corpus, service: Service) -> None:
    code = made.genuine["late.txt"].decode().partition("#")[2]
    page.goto(f"{service.url}/verify.html#{code}")
    page.wait_for_selector("article")
    assert said(page)["QR"] == json.loads(TABLE.read_text())["alone late.txt"]["late.txt"]
    assert page.locator("article .good").inner_text() == "Holds"
    assert "line 3 of the score sheet" in page.locator("article").inner_text()
    page.click("#language")
    assert page.locator("article .good").inner_text() == "Всё сходится"
    assert "строка 3 листа счёта" in page.locator("article").inner_text()
    page.fill("#paste", code.replace("line=3", "line=2"))
    page.click("#ask button")
    assert page.locator("article .bad").inner_text() == "НЕ СХОДИТСЯ"


def test_a_printed_fingerprint_names_another_key(page: Page, made: Corpus, tmp_path: Path) -> None:
    (tmp_path / "verify.html").write_bytes(verifier())
    (tmp_path / "bundle.jsonl").write_bytes(made.genuine["bundle.jsonl"])
    page.goto((tmp_path / "verify.html").as_uri())
    page.set_input_files("#files", [tmp_path / "bundle.jsonl"])
    page.wait_for_selector("article .good")
    told = page.locator("article").inner_text()
    assert "both sides agree on eight" in told
    assert "N Ann, E Bea, S Cal, W Dan" in told
    assert page.locator("label", has=page.locator("#key")).inner_text().startswith("Fingerprint of the club's key")
    page.fill("#key", "0000 1111 2222 3333 4444 5555 6666 7777")
    page.click("#ask button")
    page.wait_for_selector("article .bad")
    assert "key" in said(page)["bundle.jsonl"]
