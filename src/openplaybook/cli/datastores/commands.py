"""`openplaybook datastores`: create, fill, search, show and delete the stores that data store tools answer from."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.cli.options import AsJson, DataDir
from openplaybook.jsonvalues import JsonObject, as_list, as_object

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient

app = typer.Typer(help="Create, fill, search and delete the stores that data store tools use.", no_args_is_help=True)

DEFAULT_COLLECTION = "projects/local/locations/global/collections/default_collection"

_CONTENT = {"PUBLIC_WEB": "PUBLIC_WEBSITE", "UNSTRUCTURED": "CONTENT_REQUIRED", "STRUCTURED": "NO_CONTENT"}
"""`DataStore.contentConfig` of each type."""
_CHUNK_SIZE = 500
"""Tokens of a passage, unless another number is asked for: the most that there may be."""
_TYPES = {config: kind for kind, config in _CONTENT.items()}

_DOCUMENT_HELP = "Id of a document, or the path or URL that it is from."

StoreName: TypeAlias = Annotated[
    str, typer.Argument(metavar="NAME", help=f"Full name of the store, or its id in {DEFAULT_COLLECTION}.")
]
Language: TypeAlias = Annotated[str, typer.Option(help="Language of the documents, such as de.", show_default="found")]


@app.command("create")
def create_store(
    name: StoreName,
    type_: Annotated[str, typer.Option("--type", metavar="|".join(_CONTENT), help="What the store holds.")],
    language: Language = "",
    chunk_size: Annotated[
        int, typer.Option(help="Largest passage in tokens, 100 to 500; 0 searches whole documents.")
    ] = _CHUNK_SIZE,
    data_dir: DataDir = None,
) -> None:
    """Create an empty store, and print its full name."""
    from openplaybook.cli.access import server_api

    with server_api(data_dir=data_dir) as api:
        typer.echo(_create(api, full_name(name), type_, language, chunk_size))


@app.command("ingest")
def ingest(
    name: StoreName,
    sources: Annotated[list[str], typer.Argument(metavar="PATH|URL...", help="Files, folders, or a site.")],
    language: Language = "",
    full: Annotated[bool, typer.Option("--full", help="Also delete documents that are not among these.")] = False,
    as_: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Name of the only file in the store, such as sub/page.md.")
    ] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Fill a store with files, folders, records or a site. A store that does not exist is created first.

    Takes HTML, PDF, DOCX, PPTX, XLSX, Markdown and text; .jsonl and .csv files hold a record a line. A table with the
    columns question and answer is an FAQ. Documents that have not changed are skipped, so the command can be repeated.
    A file takes the place of the document of its name: its path in the folder that is given.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.datastores.ingest_sources import plan_of
    from openplaybook.cli.datastores.sent_documents import ingest_files, ingest_sites
    from openplaybook.cli.output import harmless, print_json

    plan = plan_of(sources, as_)
    if full and plan.sites:
        raise CommandError(
            "--full is for files: pages that a site does not have any more leave by themselves", exit_code=2
        )
    for path in plan.left_out:
        typer.secho(f"left out, as its kind is not taken: {harmless(path)}", fg="yellow", err=True)
    with server_api(data_dir=data_dir) as api:
        store = full_name(name)
        if _find(api, store) is None:
            _create(api, store, plan.store_type, language, _CHUNK_SIZE)
            typer.echo(f"created {store} ({plan.store_type})", err=True)
        outcome = ingest_sites(api, store, plan.sites) if plan.sites else ingest_files(api, store, plan, full=full)
    if as_json:
        print_json(outcome.to_json(store))
    else:
        typer.echo(outcome.sentence(store))
    for sample in outcome.errors:
        typer.secho(f"error: {harmless(sample)}", fg="red", err=True)
    if outcome.failed:
        raise typer.Exit(1)


@app.command("search")
def search(
    name: StoreName,
    query: Annotated[str, typer.Argument(help="Words or a question.", show_default=False)] = "",
    queries: Annotated[
        Path | None, typer.Option(metavar="FILE", help='Many at once: a {"id", "query"} a line; prints a line each.')
    ] = None,
    filter_: Annotated[str, typer.Option("--filter", help='Such as: country: ANY("Canada")')] = "",
    limit: Annotated[int, typer.Option("-k", min=1, max=100, help="Results at most.")] = 10,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Search a store, and show why each passage was found."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.datastores.search_output import print_results, read_queries, search_store
    from openplaybook.cli.output import print_json, print_json_line

    if bool(query) == (queries is not None):
        raise CommandError("give either a query or --queries", exit_code=2)
    with server_api(data_dir=data_dir) as api:
        store = full_name(name)
        if queries is not None:
            for id_, text in read_queries(queries):
                print_json_line({"id": id_, "results": search_store(api, store, text, filter_, limit)})
            return
        results = search_store(api, store, query, filter_, limit)
    if as_json:
        print_json({"results": results})
    else:
        print_results(results)


@app.command("list")
def list_stores(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all stores: full name, type, documents."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json, print_rows

    with server_api(data_dir=data_dir) as api:
        stores = list(api.list("v1/projects/-/locations/-/collections/-/dataStores", "dataStores"))
    if as_json:
        print_json({"dataStores": stores})
    elif stores:
        print_rows([("NAME", "TYPE", "DOCUMENTS"), *map(_row, stores)])
    else:
        typer.echo("there are no data stores; openplaybook datastores ingest NAME PATH|URL makes one", err=True)


@app.command("show")
def show(
    name: StoreName,
    document: Annotated[str, typer.Argument(help=_DOCUMENT_HELP, show_default=False)] = "",
    data_dir: DataDir = None,
) -> None:
    """Show a store with its first documents, or one document, as JSON."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json

    with server_api(data_dir=data_dir) as api:
        store = full_name(name)
        if document:
            print_json(_document(api, store, document))
            return
        shown = api.get(f"v1/{store}")
        listed = api.get(f"v1/{store}/branches/default_branch/documents", pageSize="20")
        print_json({**shown, "documents": [_brief(as_object(each)) for each in as_list(listed.get("documents"))]})


@app.command("delete")
def delete(
    name: StoreName,
    document: Annotated[str, typer.Argument(help=f"{_DOCUMENT_HELP} Without it, the store.", show_default=False)] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete a store with all its documents, or one document."""
    from openplaybook.cli.access import server_api

    store = full_name(name)
    if not document and not yes and not typer.confirm(f"Delete {store} with all its documents?"):
        raise CommandError("nothing was deleted")
    with server_api(data_dir=data_dir) as api:
        if document:
            api.delete(f"v1/{_document(api, store, document)['name']}")
        else:
            api.finished(api.delete(f"v1/{store}"), version="v1")


def full_name(name: str) -> str:
    """The full name of a store that is named by its id, or by its full or short name. Raises `CommandError`."""
    from openplaybook.retrieval.base import store_name

    if "/" not in name:
        name = f"{DEFAULT_COLLECTION}/dataStores/{name}"
    found = store_name(name)
    if found is None:
        raise CommandError(
            f"{name} is not the name of a data store; write an id, or "
            "projects/PROJECT/locations/LOCATION/collections/COLLECTION/dataStores/ID",
            exit_code=2,
        )
    return found


def _document(api: "ApiClient", store: str, text: str) -> JsonObject:
    """The document of an id, or of the path or URL that it was taken from. Raises `ApiError`."""
    from openplaybook.retrieval.records.document_ids import id_of_uri, is_document_id

    for id_ in (*([text] if is_document_id(text) else []), id_of_uri(text)):
        try:
            return api.get(f"v1/{store}/branches/default_branch/documents/{id_}")
        except ApiError as error:
            if error.status != "NOT_FOUND" or "/documents/" not in str(error):
                raise
    raise ApiError("NOT_FOUND", f"{store} has no document {text}; openplaybook datastores show {store} lists some")


def _find(api: "ApiClient", store: str) -> JsonObject | None:
    try:
        return api.get(f"v1/{store}")
    except ApiError as error:
        if error.status == "NOT_FOUND":
            return None
        raise


def _create(api: "ApiClient", store: str, type_: str, language: str, chunk_size: int) -> str:
    if type_ not in _CONTENT:
        raise CommandError(f"--type is {type_!r}; it must be {', '.join(_CONTENT)}", exit_code=2)
    parent, _, id_ = store.rpartition("/dataStores/")
    body: JsonObject = {
        "displayName": id_,
        "industryVertical": "GENERIC",
        "solutionTypes": ["SOLUTION_TYPE_CHAT"],
        "contentConfig": _CONTENT[type_],
    }
    if language:
        body["languageInfo"] = {"languageCode": language}
    if type_ != "STRUCTURED":
        layout: JsonObject = {"chunkSize": chunk_size, "includeAncestorHeadings": True}
        # One that says nothing of chunks keeps documents whole.
        body["documentProcessingConfig"] = (
            {"chunkingConfig": {"layoutBasedChunkingConfig": layout}} if chunk_size else {}
        )
    created = api.post(f"v1/{parent}/dataStores?dataStoreId={id_}", body)
    return str(api.finished(created, version="v1")["name"])


def _row(store: JsonObject) -> tuple[str, str, str]:
    counted = as_object(store.get("billingEstimation"))
    kind = _TYPES.get(str(store.get("contentConfig", "")), "")
    return str(store["name"]), kind, str(counted.get("documents", ""))


def _brief(document: JsonObject) -> JsonObject:
    """A document without its contents, which may be long."""
    content = {key: value for key, value in as_object(document.get("content")).items() if key != "rawBytes"}
    return {**document, "content": content} if "content" in document else document
