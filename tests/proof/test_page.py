"""The page that checks offline: the same verdicts as Python over the same files, and the vectors of the standards."""

from __future__ import annotations

import base64
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ops.proof.finding import NOTES, SAYS
from ops.proof.reported import FIELDS
from service.proof.page import page
from tests.proof.corpus import Corpus, Files, corpus, steady, verdict
from tests.proof.test_files import TABLE, checked
from tests.proof.test_primitives import ED25519, LEAVES, ROOTS

NODE = shutil.which("node")
RUNNER = Path(__file__).parent / "verdicts.mjs"
VERIFIER = Path(__file__).parents[2] / "service" / "verifier"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(NODE is None, reason="needs Node.js")]


@pytest.fixture(scope="module")
def made() -> Corpus:
    with pytest.MonkeyPatch.context() as patch:
        steady(patch)
        return corpus()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "verify.html"
    path.write_bytes(page())
    return path


def said(file: Path, cases: Mapping[str, Files], **more: Any) -> Any:
    """What the page's scripts say in Node."""
    coded = {
        name: {one: base64.b64encode(content).decode() for one, content in files.items()}
        for name, files in cases.items()
    }
    asked = json.dumps({"page": str(file), "cases": coded} | more)
    assert NODE is not None
    run = subprocess.run([NODE, RUNNER], input=asked, capture_output=True, text=True, timeout=280, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_the_page_gives_every_verdict_of_the_table(made: Corpus, file: Path) -> None:
    assert said(file, made.cases)["verdicts"] == json.loads(TABLE.read_text())


def flipped(made: Corpus, seed: int) -> Iterator[tuple[str, Files]]:
    choose = random.Random(seed)
    for name, content in sorted(made.genuine.items()):
        for at in sorted(choose.sample(range(len(content)), 20)):
            bit = choose.randrange(8)
            changed = content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]
            yield f"{name} byte {at} bit {bit}", {name: changed}


def test_the_page_agrees_with_python_about_flipped_bits(made: Corpus, file: Path) -> None:
    cases = dict(flipped(made, 20261130))
    python = {name: {one.name: verdict(iter(one.findings)) for one in checked(files)} for name, files in cases.items()}
    assert said(file, cases)["verdicts"] == python


def test_a_printed_fingerprint_is_asked_for(made: Corpus, file: Path) -> None:
    forged = {"forged": made.cases["everything signed with another key, alone"]}
    told = said(file, forged, fingerprint="1B4F 39F1 A57B D33F A8BC AB57 B8BD 00F2")["verdicts"]
    assert "key" in told["forged"]["forged.jsonl"]


def test_the_primitives_are_those_of_the_standards(file: Path) -> None:
    texts = [bytes(range(256)) * (n // 256) + bytes(n % 256) for n in (0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000)]
    order = 2**252 + 27742317777372353535851937790883648493
    signatures = [[public, bytes.fromhex(message).decode(), signature] for _, public, message, signature in ED25519]
    public, message, signature = signatures[1]
    scalar = int.from_bytes(bytes.fromhex(signature)[32:], "little") + order
    twisted = signature[:64] + scalar.to_bytes(32, "little").hex()
    vectors = {
        "sha256": [base64.b64encode(text).decode() for text in texts],
        "roots": [[leaf.hex() for leaf in LEAVES[:size]] for size in range(9)],
        "signatures": [*signatures, [public, message + "!", signature], [public, message, twisted]],
    }
    told = said(file, {}, vectors=vectors)
    assert told["sha256"] == [sha256(text).hexdigest() for text in texts]
    assert told["roots"] == ROOTS
    assert told["signatures"] == [True, True, False, False]


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    text = page().decode()
    assert not re.search(r"""(?:src|href)\s*=\s*["']|@import|[: ]url\(|fetch\(|XMLHttpRequest|import\s*\(""", text)
    assert "default-src 'none'" in text
    assert text.count("<script>") == text.count("</script>") == text.count("'sha256-") - 1


def test_the_page_knows_every_entry_and_finding() -> None:
    reported = (VERIFIER / "reported.js").read_text()
    fields = dict(re.findall(r'^  (\w+): "([^"]*)",$', reported, re.MULTILINE))
    assert fields == {event: " ".join((kind, *names)) for event, (kind, names) in FIELDS.items()}
    texts = (VERIFIER / "texts.js").read_text()
    for code in (SAYS.keys() | NOTES.keys()) - {"judged"}:
        assert len(re.findall(rf"^    {code}: \"", texts, re.MULTILINE)) == 2, code


def test_both_languages_say_the_same_things(file: Path) -> None:
    keys = said(file, {})["keys"]
    assert keys.keys() == {"en", "ru"}
    assert keys["en"] == keys["ru"]
    assert len(keys["en"]) > 70
    # A key that stands twice would silently say the second.
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', '""', (VERIFIER / "texts.js").read_text())
    for half in plain.partition("  ru: {")[::2]:
        told = re.findall(r"(\w+): \"\"", half.partition("place: {")[0])
        assert len(set(told)) == len(told)


def test_the_library_is_the_one_that_was_vendored() -> None:
    kept = (VERIFIER / "vendor" / "nacl-fast.min.js").read_bytes()
    assert sha256(kept).hexdigest() == "3ec535c004aeeb225785d8e93fb33bf99f52e399bd7dfc01969b5629baea5131"
