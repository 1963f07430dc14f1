"""The OpenAPI 3.1 document at `/schema`, made from the routes as they are.

The shapes are msgspec's own, so they say what is really read and written: which fields are unknown, which tag
chooses which kind of entry or event. Every route of the API answers errors in one shape, and the document says so.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, get_args, get_origin

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.params import BodyKwarg, KwargDefinition
from litestar.response import ServerSentEvent, Stream
from litestar.routes import HTTPRoute
from litestar.types import Empty
from litestar.typing import FieldDefinition

from service.principal import COOKIE, CSRF
from service.problems import MEDIA, ProblemDetails

JSON = "application/json"
REF = "#/components/schemas/{name}"
PROBLEMS = {
    400: "The input does not read.",
    401: "Not signed in.",
    403: "Not allowed.",
    404: "There is no such thing in this club.",
    409: "It conflicts with what is there.",
    413: "Too large.",
    415: "Not a media type that is read here.",
    422: "Refused by a rule of the game.",
    429: "Too often; `Retry-After` says how long to wait.",
    500: "The service failed.",
    503: "The service cannot answer now.",
}
_OPEN_PROBLEMS = (400, 401, 500, 503)
_RARE_PROBLEMS = (429,)
"""What only those routes answer that say so."""
_GIVEN = {"request", "state", "scope", "socket", "headers", "cookies", "query", "body"}
_LIMITS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
}
_SAFE = ("GET", "HEAD")


class Named(msgspec.Struct, frozen=True):
    """A parameter: where it stands, its name on the wire, its type and whether it must be given."""

    where: str
    name: str
    kind: Any
    limits: dict[str, Any]
    description: str | None
    required: bool
    default: Any


class Told(msgspec.Struct, frozen=True):
    """An answer: its media types and the type of its content; no type is no content. It may come in others `also`."""

    description: str
    media: tuple[str, ...]
    kind: Any
    also: dict[str, Any] = {}


class Operation(msgspec.Struct, frozen=True):
    """One method of one path."""

    path: str
    method: str
    handler: HTTPRouteHandler
    parameters: tuple[Named, ...]
    body: Any
    answers: dict[int, Told]

    @property
    def open(self) -> bool:
        """May it be called without signing in?"""
        return bool(self.handler.opt.get("roles") == "anyone")


def operations(app: Litestar) -> list[Operation]:
    """Every operation that the document describes, by path and method."""
    found = [
        operation(route, handler, method)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if handler.resolve_include_in_schema()
        for method in sorted(handler.http_methods - {"OPTIONS", "HEAD"})
    ]
    return sorted(found, key=lambda one: (one.path, one.method))


def operation(route: HTTPRoute, handler: HTTPRouteHandler, method: str) -> Operation:
    """What a route takes and gives, as its handler's signature says."""
    in_path = set(route.path_parameters)
    fields = dict(_fields(handler))
    parameters = [_named(name, field, name in in_path) for name, field in fields.items() if name != "data"]
    parameters += [
        Named("path", name, told.type, {}, None, True, None)
        for name, told in route.path_parameters.items()
        if name not in fields
    ]
    body = handler.opt.get("reads") or (fields["data"].annotation if "data" in fields else None)
    return Operation(route.path_format, method, handler, tuple(parameters), body, _answers(handler, method))


def _fields(handler: HTTPRouteHandler) -> Iterator[tuple[str, FieldDefinition]]:
    """What the handler and the functions that it depends on want to be given by the request."""
    provided = handler.resolve_dependencies()
    wanted = list(handler.parsed_fn_signature.parameters.items())
    while wanted:
        name, field = wanted.pop(0)
        if name in provided:
            wanted += provided[name].parsed_fn_signature.parameters.items()
        elif name not in _GIVEN:
            yield name, field


def _named(name: str, field: FieldDefinition, in_path: bool) -> Named:
    told = field.kwarg_definition
    limits: dict[str, Any] = {}
    description = None
    if isinstance(told, KwargDefinition) and not isinstance(told, BodyKwarg):
        name = getattr(told, "query", None) or getattr(told, "name", None) or name
        description = told.description
        limits = {theirs: value for ours, theirs in _LIMITS.items() if (value := getattr(told, ours)) is not None}
    default = None if field.default is Empty or field.default is inspect.Parameter.empty else field.default
    required = in_path or (default is None and not field.is_optional)
    return Named("path" if in_path else "query", name, field.raw, limits, description, required, default)


def _answers(handler: HTTPRouteHandler, method: str) -> dict[int, Told]:
    told: dict[int, Told] = {}
    kind = handler.parsed_fn_signature.return_type.annotation
    media = str(getattr(handler.media_type, "value", handler.media_type) or JSON)
    if get_origin(kind) is Response:
        (kind,) = get_args(kind)
    if kind is ServerSentEvent:
        kind, media = str, "text/event-stream"
    elif kind is Stream or (media != JSON and kind in (bytes, str)):
        kind = str
    done = "Done." if kind in (None, type(None)) else "The answer."
    medias = handler.opt.get("media", (media,))
    told[handler.status_code] = Told(
        done, medias, None if kind in (None, type(None)) else kind, handler.opt.get("also", {})
    )
    for status, spec in (handler.responses or {}).items():
        if status < 400:
            description = "The answer." if spec.description == "Additional response" else spec.description
            medias = (str(getattr(spec.media_type, "value", spec.media_type)),)
            told[status] = Told(description, medias, spec.data_container)
    return told


def document(app: Litestar, version: str) -> dict[str, Any]:
    """The OpenAPI document of an application."""
    found = operations(app)
    shapes = _Shapes(_kinds(found))
    named = Counter(one.handler.handler_name for one in found)
    paths: dict[str, Any] = {}
    for one in found:
        name = one.handler.handler_name if named[one.handler.handler_name] == 1 else _by_path(one.path)
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, name, shapes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Boston",
            "version": version,
            "description": "The record of club evenings of the card game Boston.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": shapes.components,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An access key."},
                "browser": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE,
                    "description": f"A browser's sign-in; what it writes carries the header {CSRF} too.",
                },
            },
        },
    }


def _by_path(path: str) -> str:
    """A name for an operation whose function shares its own with another."""
    return "_".join(part for part in path.split("/") if part not in ("", "api") and part[0] != "{").replace("-", "_")


def _kinds(found: Iterable[Operation]) -> list[Any]:
    """Every type that the document speaks of."""
    kinds: list[Any] = [ProblemDetails]
    for one in found:
        kinds += [parameter.kind for parameter in one.parameters]
        kinds += [answer.kind for answer in one.answers.values() if answer.kind is not None]
        kinds += [kind for answer in one.answers.values() for kind in answer.also.values()]
        if one.body is not None:
            kinds.append(one.body)
    return kinds


class _Shapes:
    """The schemas of types, each named one kept once under a readable name."""

    def __init__(self, kinds: Iterable[Any]) -> None:
        self._plain = {repr(kind): kind for kind in map(_plain, kinds)}
        schemas, components = msgspec.json.schema_components(list(self._plain.values()), ref_template=REF)
        names = _readable(components)
        self._schemas = {key: _renamed(schema, names) for key, schema in zip(self._plain, schemas, strict=True)}
        self.components = {
            names[name]: _renamed(shape, names) | {"title": names[name]} for name, shape in sorted(components.items())
        }

    def __call__(self, kind: Any) -> dict[str, Any]:
        return dict(self._schemas[repr(_plain(kind))])


def _plain(kind: Any) -> Any:
    """The type without what is meant for the framework and not for msgspec."""
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        kept = [note for note in notes if isinstance(note, msgspec.Meta)]
        return Annotated[(_plain(inner), *kept)] if kept else _plain(inner)
    return kind


def _readable(components: Iterable[str]) -> dict[str, str]:
    """Names that a generated client can use: of a generic type what it is made of, without its limits."""
    taken: dict[str, str] = {}
    for name in sorted(components):
        plain = re.sub(r"msgspec\.Meta(_\w+?)?___|typing\.|Annotated_|msgspec\.Meta", "", name)
        words = [word for word in re.split(r"[^A-Za-z0-9]+", plain) if word]
        short = "".join(word[:1].upper() + word[1:] for word in words if not word.isdigit())
        numbered, count = short, 1
        while numbered in taken.values():
            count += 1
            numbered = f"{short}{count}"
        taken[name] = numbered
    return taken


def _renamed(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, dict):
        # "No more items" is said by the number of them already, and generators stumble over a schema that is `false`.
        return {key: _renamed(value, names) for key, value in schema.items() if (key, value) != ("items", False)}
    if isinstance(schema, list):
        return [_renamed(value, names) for value in schema]
    if isinstance(schema, str) and schema.startswith(REF[:21]):
        return REF.format(name=names[schema.rpartition("/")[2]])
    return schema


def _operation(one: Operation, name: str, shapes: _Shapes) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": name,
        "tags": [_by_path(one.path).partition("_")[0]],
        "summary": (one.handler.fn.__doc__ or name).strip().partition("\n")[0],
        "parameters": [_parameter(parameter, shapes) for parameter in one.parameters],
        "responses": {},
    }
    roles: tuple[str, ...] = one.handler.opt["roles"]
    if one.open:
        told["security"] = []
    else:
        told["security"] = [{"key": []}, {"browser": []}]
        told["description"] = f"Roles: {', '.join(roles)}."
    if one.body is not None:
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": shapes(one.body)}}}
    for status, answer in one.answers.items():
        told["responses"][str(status)] = {"description": answer.description}
        if answer.kind is not None:
            told["responses"][str(status)]["content"] = {
                media: {"schema": shapes(kind)}
                for media, kind in [*((media, answer.kind) for media in answer.media), *answer.also.items()]
            }
    if one.handler.opt.get("etag"):
        told["responses"]["304"] = {"description": "Unchanged since the ETag that was sent."}
    usual = [status for status in (_OPEN_PROBLEMS if one.open else PROBLEMS) if status not in _RARE_PROBLEMS]
    for status in [*usual, *one.handler.opt.get("problems", ())]:
        if status in (413, 415) and one.method in _SAFE:
            continue
        problem = {"description": PROBLEMS[status], "content": {MEDIA: {"schema": shapes(ProblemDetails)}}}
        told["responses"].setdefault(str(status), problem)
    return told


def _parameter(parameter: Named, shapes: _Shapes) -> dict[str, Any]:
    schema = shapes(parameter.kind)
    variants = schema.get("anyOf")
    if parameter.where == "query" and variants:
        # A query parameter is left out where it has no value; there is no way to send null.
        kept = [variant for variant in variants if variant != {"type": "null"}]
        schema = kept[0] if len(kept) == 1 else {"anyOf": kept}
    schema = schema | parameter.limits
    if parameter.default is not None:
        schema["default"] = msgspec.to_builtins(parameter.default)
    told = {"name": parameter.name, "in": parameter.where, "required": parameter.required, "schema": schema}
    return told | ({"description": parameter.description} if parameter.description else {})


@get("/schema", opt={"roles": "anyone"}, include_in_schema=False)
async def schema(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """The OpenAPI document."""
    if "schema" not in state:
        state["schema"] = msgspec.json.encode(document(request.app, "1"))
    return Response(
        state["schema"], media_type="application/vnd.oai.openapi+json", headers={"cache-control": "no-cache"}
    )


ROUTES = [schema]
