"""The primitives against the vectors of their standards, and the one spelling of a statement."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.text import Malformed
from service.proof import tree
from service.proof.statement import (
    Checkpoint,
    KeyMade,
    Receipt,
    Statement,
    decoded,
    encoded,
    fingerprint,
    key_id,
    public_of,
    read,
    sign,
    split,
    verified,
    write,
)

# RFC 8032, 7.1: secret key, public key, message, signature.
ED25519 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]  # fmt: skip

# The eight leaves of the Certificate Transparency reference, and the roots of the trees over the first n of them.
LEAVES = [bytes.fromhex(leaf) for leaf in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
CLUB = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.mark.parametrize(("secret", "public", "message", "signature"), ED25519)
def test_signatures_are_those_of_the_standard(secret: str, public: str, message: str, signature: str) -> None:
    text = bytes.fromhex(message).decode()
    assert public_of(bytes.fromhex(secret)).hex() == public
    assert verified(bytes.fromhex(public), text, bytes.fromhex(signature))
    for byte in range(64):
        flipped = bytearray.fromhex(signature)
        flipped[byte] ^= 1
        assert not verified(bytes.fromhex(public), text, bytes(flipped))


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_certificate_transparency(size: int) -> None:
    assert tree.root(LEAVES[:size]).hex() == ROOTS[size]


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=70), st.data())
def test_a_path_leads_from_its_leaf_to_the_root_and_from_no_other(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path = tree.path(leaves, index)
    assert tree.led(leaves[index], index, len(leaves), path) == tree.root(leaves)
    assert tree.led(leaves[index] + b"!", index, len(leaves), path) != tree.root(leaves)
    assert tree.led(leaves[index], index, len(leaves), [*path, bytes(32)]) is None
    if path:
        assert tree.led(leaves[index], index, len(leaves), path[:-1]) is None
        at = data.draw(st.integers(0, len(path) - 1))
        path[at] = bytes([path[at][0] ^ 1]) + path[at][1:]
        assert tree.led(leaves[index], index, len(leaves), path) != tree.root(leaves)


def statements() -> list[Statement]:
    common = {"club": CLUB, "at": "2026-11-30T21:14:03.000001Z", "key": bytes(range(16))}
    receipt = Receipt(
        **common, session=CLUB, line=3, deal=2, version=212, hash=bytes(32), head=215, head_hash=bytes([255]) * 32,
        seats=(CLUB, CLUB, CLUB, CLUB), dealer="W", counts=1, outcome="failed", contract="7", preference="second",
        caller="E", trumps="S", tricks=(4, 5, 2, 2), shortfall=2, conceded=0, deltas=(30, -130, 30, 30),
        balances=(1020, 860, 1020, 1020), pool=(0, 80), events=bytes(32),
    )  # fmt: skip
    return [
        KeyMade(**common, number=1, public=bytes(32)),
        Checkpoint(**common, number=12, previous=bytes(32), sessions=57, root=bytes([7]) * 32),
        receipt,
        msgspec.structs.replace(receipt, contract=None, preference=None, caller=None, tricks=None, deltas=None),
    ]


@pytest.mark.parametrize("statement", statements(), ids=lambda one: one.__struct_config__.tag)
def test_a_statement_reads_in_one_way_only(statement: Statement) -> None:
    line = write(statement)
    assert read(line) == statement
    assert line.isascii()
    for at in range(len(line)):
        for other in {chr(ord(line[at]) ^ 1), chr(ord(line[at]) ^ 32), ""}:
            try:
                changed = read(line[:at] + other + line[at + 1 :])
            except Malformed:
                continue
            assert changed != statement
    parts = line.split("&")
    for swapped in ([parts[0], parts[2], parts[1], *parts[3:]], [*parts, parts[-1]], parts[:-1], parts[1:]):
        with pytest.raises(Malformed):
            read("&".join(swapped))


def test_the_shortest_and_the_longest_statement_fit_a_printed_code() -> None:
    signed = sign(bytes(32), statements()[2])
    assert len(signed.line) < 800
    assert split(signed.line) == signed
    assert signed.by(public_of(bytes(32)))
    assert not signed.by(public_of(bytes(31) + b"\1"))


def test_the_spelling_of_bytes_is_strict() -> None:
    assert decoded(encoded(bytes(16))) == bytes(16)
    for wrong in (
        "AAAAAAAAAAAAAAAAAAAAAB",
        "AAAA AAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAA==",
        "+" * 22,
        "A",
        "ä" * 22,
    ):
        with pytest.raises(ValueError, match=r"."):
            decoded(wrong, 16)


def test_a_fingerprint_is_eight_groups_of_four() -> None:
    key = key_id(public_of(bytes(32)))
    assert fingerprint(key).split() == [key.hex().upper()[at : at + 4] for at in range(0, 32, 4)]
