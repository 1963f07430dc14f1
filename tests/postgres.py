"""Which PostgreSQL the tests run on, and how each test gets a database of its own.

The order is fixed: the server named by BOSTON_TEST_DATABASE_URL, else a container
when a Docker engine answers and has the image, else the embedded server.
BOSTON_TEST_POSTGRES (`container` or `embedded`) forces one of the last two, and
BOSTON_TEST_IMAGE names another image than postgres:18.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql

from ops import embedded

DOCKER_SOCKET = Path("/var/run/docker.sock")
# A container's data outlives its server, however that ends, but no longer than the container: it need not touch a disk.
IN_MEMORY = "/in-memory"


@dataclass(frozen=True)
class Choice:
    """A server the tests can run on, not yet started.

    `lacks` names the better choice that this machine could not offer, or is None.
    """

    kind: str
    description: str
    lacks: str | None = None


@dataclass(frozen=True)
class Server:
    """A running server: the URL of a superuser's database, and where it came from."""

    url: str
    description: str

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.url, autocommit=True)

    def url_of(self, database: str) -> str:
        """The URL of another database on this server, for the same superuser."""
        scheme, _, rest = self.url.partition("://")
        authority, _, tail = rest.partition("/")
        _, mark, query = tail.partition("?")
        return f"{scheme}://{authority}/{database}{mark}{query}"


def image() -> str:
    return os.environ.get("BOSTON_TEST_IMAGE", "postgres:18")


def choose() -> Choice:
    """The server this run will use; looks, but starts nothing."""
    if os.environ.get("BOSTON_TEST_DATABASE_URL"):
        return Choice("url", "the server of BOSTON_TEST_DATABASE_URL")
    forced = os.environ.get("BOSTON_TEST_POSTGRES")
    if forced not in (None, "", "container", "embedded"):
        raise ValueError(f"BOSTON_TEST_POSTGRES is {forced!r}: it must be 'container' or 'embedded'")
    container = Choice("container", f"{image()} through testcontainers")
    if forced == "embedded":
        return Choice("embedded", "the embedded server (forced)")
    problem = docker_problem()
    if problem is None:
        return container
    if forced == "container":
        raise RuntimeError(f"BOSTON_TEST_POSTGRES asks for a container, but {problem}")
    return Choice("embedded", f"the embedded server ({problem})", lacks=f"PostgreSQL in a container: {problem}")


def docker_problem() -> str | None:
    """Why no container can be started here, or None when one can."""
    if not os.environ.get("DOCKER_HOST") and not DOCKER_SOCKET.exists():
        return "no Docker engine on this machine"
    import docker
    from docker.errors import DockerException, ImageNotFound

    try:
        client = docker.from_env(timeout=5)
        client.ping()
        client.images.get(image())
    except ImageNotFound:
        return f"the Docker engine has no image {image()}"
    except (DockerException, OSError) as error:
        return f"the Docker engine does not answer ({error})"
    return None


@contextmanager
def running(choice: Choice) -> Iterator[Server]:
    """Start the chosen server, and stop it afterwards; nothing of it stays."""
    if choice.kind == "url":
        yield Server(os.environ["BOSTON_TEST_DATABASE_URL"], choice.description)
    elif choice.kind == "container":
        # The reaper is one more image to have; the context manager removes the container.
        os.environ.setdefault("TESTCONTAINERS_RYUK_DISABLED", "true")
        # Tries once a second until the server answers, which on a busy machine takes a while.
        os.environ.setdefault("TC_MAX_TRIES", "180")
        postgres = import_module("testcontainers.community.postgres")
        made = postgres.PostgresContainer(image(), driver=None).with_env("PGDATA", f"{IN_MEMORY}/data")
        with made.with_tmpfs_mount(IN_MEMORY) as container:
            yield Server(container.get_connection_url(), choice.description)
    else:
        with embedded.temporary_folder() as folder, embedded.EmbeddedPostgres(folder) as server:
            yield Server(server.owner_url, choice.description)


@contextmanager
def template(server: Server, migrate: Callable[[str], object] | None) -> Iterator[str]:
    """A migrated database whose clones the tests get; its name."""
    name = f"boston_template_{secrets.token_hex(6)}"
    with fresh(server, name, "template0"):
        if migrate is not None:
            migrate(server.url_of(name))
        yield name


@contextmanager
def fresh(server: Server, name: str, source: str) -> Iterator[str]:
    """A new database cloned from `source`, dropped afterwards whoever is still connected; its URL."""
    with server.connect() as connection:
        connection.execute(
            # Copying the files of so small a database takes a third of the time that writing it to the log does.
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                sql.Identifier(name), sql.Identifier(source)
            )
        )
    try:
        yield server.url_of(name)
    finally:
        with server.connect() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def migration() -> Callable[[str], object] | None:
    """The product's own migration command, or None while there is none."""
    return import_module("ops.migrate").migrate if find_spec("ops.migrate") else None
