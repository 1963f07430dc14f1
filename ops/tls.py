"""A box's own certificate authority, and the certificate that its tablets see.

Service worker, wake lock and kept storage exist only over https, and a box in a club room has no public name.
So it makes an authority once, that a tablet is told to trust once, and signs a certificate for its own names with
it, anew well before it ends. The authority may only ever sign for names and addresses of a local network: whoever
stole it could not pretend to be anybody's bank. Both keys lie in the data folder, for its owner alone.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
CERTIFICATE_DAYS = 397
"""Browsers refuse certificates that run longer than about thirteen months."""
RENEW_DAYS = 45
_DOMAINS = ("localhost", "local", "lan", "home", "internal", "home.arpa", "test")
_NETWORKS = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.2.0/24", "169.254.0.0/16",
             "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10")  # fmt: skip


class CannotCertify(Exception):
    """No certificate can be made or used; the message says why and what to do."""


@dataclass(frozen=True)
class Certificate:
    """What a server shows: its chain and key as files, and when it ends. `authority` is None for a club's own."""

    chain: Path
    key: Path
    ends: datetime.datetime
    authority: Path | None


def given(chain: Path, key: Path) -> Certificate:
    """A certificate that the club brings itself; raises `CannotCertify` unless chain and key belong together."""
    try:
        leaf = x509.load_pem_x509_certificates(chain.read_bytes())[0]
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except (OSError, ValueError, TypeError) as error:
        raise CannotCertify(f"{chain} and {key} do not read as a PEM certificate and its key: {error}") from error
    if _public(leaf.public_key()) != _public(private.public_key()):
        raise CannotCertify(f"the key in {key} is not that of the certificate in {chain}")
    if leaf.not_valid_after_utc <= _now():
        raise CannotCertify(f"the certificate in {chain} ended on {leaf.not_valid_after_utc:%Y-%m-%d}")
    return Certificate(chain, key, leaf.not_valid_after_utc, None)


def own(folder: Path, names: Iterable[str]) -> Certificate:
    """The box's certificate for these names, made or renewed where that is due. Raises `CannotCertify`."""
    wanted = sorted(set(names))
    for name in wanted:
        if not _local(name):
            text = f"{name} is not a name of a local network; bring a certificate for it with --cert and --key"
            raise CannotCertify(text)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        authority, signer = _authority(folder)
        chain, key = folder / "certificate.pem", folder / "certificate.key"
        leaf = _kept(chain)
        if leaf is None or not key.exists() or not _serves(leaf, authority, wanted):
            leaf = _sign(authority, signer, wanted, chain, key)
    except (OSError, ValueError) as error:
        raise CannotCertify(f"the certificate in {folder} cannot be made or read: {error}") from error
    return Certificate(chain, key, leaf.not_valid_after_utc, folder / "authority.pem")


def box_names() -> list[str]:
    """What tablets may call this machine: its name, the name as Bonjour tells it, and its addresses."""
    host = socket.gethostname().split(".")[0].lower()
    names = {"localhost", "127.0.0.1", f"{host}.local"}
    for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        # Connecting a datagram socket sends nothing; it only asks which own address would be used.
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            try:
                trial.connect((address, 9))
                names.add(trial.getsockname()[0])
            except OSError:
                continue
    return sorted(name for name in names if _local(name))


def fingerprint(authority: Path) -> str:
    """The authority's SHA-256 fingerprint in pairs, as tablets show it."""
    read = x509.load_pem_x509_certificate(authority.read_bytes()).fingerprint(hashes.SHA256())
    return ":".join(f"{byte:02X}" for byte in read)


def _authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    path, secret = folder / "authority.pem", folder / "authority.key"
    kept = _kept(path)
    if kept is not None and secret.exists() and kept.not_valid_after_utc > _now() + _days(CERTIFICATE_DAYS):
        signer = serialization.load_pem_private_key(secret.read_bytes(), None)
        if isinstance(signer, ec.EllipticCurvePrivateKey):
            return kept, signer
    signer = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Boston"),
            x509.NameAttribute(NameOID.COMMON_NAME, f"Boston box {socket.gethostname()[:40]}"),
        ]
    )
    permitted: list[x509.GeneralName] = [x509.DNSName(domain) for domain in (*_DOMAINS, socket.gethostname().lower())]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in _NETWORKS]
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    authority = (
        _builder(name, name, signer.public_key(), AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(True, 0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(signer.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )
    _write(secret, _pem(signer), 0o600)
    _write(path, authority.public_bytes(serialization.Encoding.PEM), 0o644)
    return authority, signer


def _sign(
    authority: x509.Certificate, signer: ec.EllipticCurvePrivateKey, names: list[str], chain: Path, key: Path
) -> x509.Certificate:
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0][:64])])
    usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    leaf = (
        _builder(subject, authority.subject, private.public_key(), CERTIFICATE_DAYS)
        .add_extension(x509.BasicConstraints(False, None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(list(map(_general, names))), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )
    _write(key, _pem(private), 0o600)
    parts = (leaf.public_bytes(serialization.Encoding.PEM), authority.public_bytes(serialization.Encoding.PEM))
    _write(chain, b"".join(parts), 0o644)
    return leaf


def _builder(
    subject: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    # A tablet's clock may be behind by some hours.
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(_now() - _days(1))
        .not_valid_after(_now() + _days(days - 1))
    )


def _serves(leaf: x509.Certificate, authority: x509.Certificate, names: list[str]) -> bool:
    """Is a kept certificate still good: not ending soon, of this authority, and for all the names?"""
    if leaf.not_valid_after_utc < _now() + _days(RENEW_DAYS):
        return False
    try:
        leaf.verify_directly_issued_by(authority)
    except Exception:
        return False
    said = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return all(_general(name) in said for name in names)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _local(name: str) -> bool:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        plain = name.lower()
        return plain == socket.gethostname().lower() or any(
            plain == domain or plain.endswith(f".{domain}") for domain in _DOMAINS
        )
    return any(address in ipaddress.ip_network(network) for network in _NETWORKS)


def _kept(path: Path) -> x509.Certificate | None:
    return x509.load_pem_x509_certificates(path.read_bytes())[0] if path.exists() else None


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _public(key: object) -> bytes:
    public: bytes = key.public_bytes(  # type: ignore[attr-defined]
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return public


def _write(path: Path, content: bytes, mode: int) -> None:
    """Writes a file whole or not at all; a secret is never readable by others, not even for a moment."""
    fresh = path.with_suffix(f"{path.suffix}.new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _days(number: int) -> datetime.timedelta:
    return datetime.timedelta(number)
