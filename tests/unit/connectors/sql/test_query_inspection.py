"""Custom queries by their syntax trees: what they are, what they name, what is sent in their place."""

import pytest

from openplaybook.connectors.errors import ConnectorError, InvalidValue, PermissionRefused, WriteRefused
from openplaybook.connectors.sql.databases import pure_functions
from openplaybook.connectors.sql.databases.base import NameFolding
from openplaybook.connectors.sql.query_inspection import QueryRules, inspected_query

GRAMMARS = {
    "sqlite": ("main", NameFolding.IGNORED, pure_functions.SQLITE),
    "postgres": ("public", NameFolding.LOWER, pure_functions.POSTGRESQL),
    "mysql": ("shop", NameFolding.KEPT, pure_functions.MYSQL),
    "tsql": ("dbo", NameFolding.IGNORED, pure_functions.SQL_SERVER),
    "oracle": ("shop_owner", NameFolding.UPPER, pure_functions.ORACLE),
}


def rules(grammar: str, *tables: str, is_read_only: bool = False) -> QueryRules:
    """Those of a connection."""
    schema, folding, functions = GRAMMARS[grammar]
    return QueryRules(grammar, folding, schema, frozenset(tables), functions, is_read_only)


REFUSED = (
    "DROP TABLE customer",
    "CREATE TABLE t (a INT)",
    "ALTER TABLE customer ADD COLUMN x INT",
    "TRUNCATE TABLE customer",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE customer",
    "PRAGMA writable_schema = 1",
    "ATTACH DATABASE '/tmp/x' AS x",
    "VACUUM",
    "GRANT ALL ON customer TO public",
    "SET search_path = 'x'",
    "CALL p()",
    "DO $$ BEGIN END $$",
    "COPY customer TO '/tmp/x'",
    "COPY customer FROM PROGRAM 'id'",
    "LOAD DATA INFILE '/etc/passwd' INTO TABLE customer",
    "SELECT * INTO other FROM customer",
    "SELECT * FROM customer INTO OUTFILE '/tmp/x'",
    "SELECT * FROM customer INTO DUMPFILE '/tmp/x'",
    "SELECT * FROM customer FOR UPDATE",
    "SELECT * FROM customer LOCK IN SHARE MODE",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "EXPLAIN SELECT 1",
    "SHOW TABLES",
    "DESCRIBE customer",
    "USE mysql",
    "KILL 1",
    "LOCK TABLES customer WRITE",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "LISTEN x",
    "WITH gone AS (DELETE FROM customer RETURNING *) SELECT * FROM gone",
    "WITH gone AS (UPDATE customer SET name = 'x' RETURNING *) SELECT * FROM gone",
    "WITH gone AS (INSERT INTO customer (name) VALUES ('x') RETURNING *) SELECT * FROM gone",
    "SELECT pg_sleep(10)",
    "SELECT SLEEP(10)",
    "SELECT BENCHMARK(1000000000, MD5('x'))",
    "SELECT load_extension('x')",
    "SELECT LOAD_FILE('/etc/passwd')",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_catalog.pg_read_file('/etc/passwd')",
    "SELECT \"pg_read_file\"('/etc/passwd')",
    "SELECT * FROM pg_read_file('/etc/passwd') AS t(x)",
    "SELECT * FROM pg_ls_dir('/')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/x')",
    "SELECT query_to_xml('SELECT * FROM secret', true, true, '')",
    "SELECT dblink('host=x', 'SELECT 1')",
    "SELECT set_config('a.b', 'c', false)",
    "SELECT nextval('purchase_id_seq')",
    "SELECT pg_terminate_backend(1)",
    "SELECT pg_notify('x', 'y')",
    "SELECT GET_LOCK('x', 10)",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/x', 'y')",
    "SELECT fts3_tokenizer('x')",
    "SELECT randomblob(1000000000)",
    "SELECT zeroblob(1000000000)",
    "SELECT xp_cmdshell('id')",
    "SELECT * FROM OPENROWSET('x', 'y', 'z')",
    "SELECT UTL_HTTP.REQUEST('http://x')",
    "SELECT @a := 1",
    "SELECT @@version, @a",
    "SELECT s.nextval FROM customer s",
    "SELECT $1",
    "SELECT :name",
    "",
    ";",
    "-- nothing",
    "SELECT",
    "nonsense",
    "((((",
    "SELECT 'unclosed",
    "SELECT " + "(" * 3000 + "1" + ")" * 3000,
    "SELECT 1 -- " + "x" * 60_000,
    "SELECT ?" + ", ?" * 1_000,
)

SNEAKY = (
    "SELECT * FROM secret",
    "SELECT name FROM customer WHERE name = (SELECT word FROM secret)",
    "SELECT * FROM customer, secret",
    "SELECT * FROM customer JOIN secret ON 1 = 1",
    "SELECT * FROM (SELECT * FROM secret) AS s",
    "SELECT name FROM customer UNION SELECT word FROM secret",
    "WITH s AS (SELECT * FROM secret) SELECT * FROM s",
    "WITH secret AS (SELECT * FROM secret) SELECT * FROM secret",
    "SELECT * FROM secret AS t, (WITH secret AS (SELECT 1 AS a) SELECT * FROM secret) AS x",
    "WITH a AS (SELECT * FROM b), b AS (SELECT 1 AS x) SELECT * FROM a, secret",
    "SELECT (SELECT word FROM secret)",
    "SELECT CASE WHEN EXISTS (SELECT 1 FROM secret WHERE word LIKE 'x%') THEN 1 ELSE 0 END AS found",
    "SELECT name FROM customer ORDER BY (SELECT word FROM secret)",
    "SELECT * FROM SECRET",
    'SELECT * FROM "secret"',
    "SELECT * FROM shop.secret",
    "SELECT * FROM public.secret",
    "SELECT * FROM main.secret",
    "SELECT * FROM odd.kinds",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM mysql.user",
    "TABLE secret",
    "VALUES ((SELECT word FROM secret))",
    "SELECT * FROM (customer CROSS JOIN secret)",
    "DELETE FROM secret",
    "UPDATE customer SET email = (SELECT word FROM secret)",
    "INSERT INTO customer (name) SELECT word FROM secret",
    "DELETE FROM customer USING secret WHERE 1 = 1",
    "UPDATE customer SET email = s.word FROM secret s",
    "WITH secret AS (SELECT 1 AS a) DELETE FROM secret",
    "WITH secret AS (SELECT 1 AS a) UPDATE secret SET word = 'x'",
    "WITH secret AS (SELECT 1 AS a) INSERT INTO secret SELECT 1",
    "WITH secret AS (SELECT 1 AS a) INSERT INTO secret (word) SELECT 1",
    "WITH secret AS (SELECT 1 AS a) MERGE INTO secret USING customer AS c ON 1 = 1 WHEN MATCHED THEN DELETE",
)


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_what_is_no_query_is_refused(grammar: str, text: str) -> None:
    for is_read_only in (False, True):
        with pytest.raises((InvalidValue, PermissionRefused, WriteRefused)):
            inspected_query(text, rules(grammar, is_read_only=is_read_only), 25)


@pytest.mark.parametrize("grammar", ["mysql", "tsql"])
def test_settings_of_the_server_are_not_read(grammar: str) -> None:
    with pytest.raises(InvalidValue, match="must not have variables in it"):
        inspected_query("SELECT @@secure_file_priv", rules(grammar), 25)


@pytest.mark.parametrize("text", SNEAKY)
@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_tables_outside_the_list_are_refused(grammar: str, text: str) -> None:
    with pytest.raises((InvalidValue, PermissionRefused)) as refused:
        inspected_query(text, rules(grammar, "customer", "journal"), 25)
    assert "xyzzy" not in str(refused.value)


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        ("postgres", 'WITH "Secret" AS (SELECT 1) SELECT * FROM Secret'),
        ("postgres", 'WITH SECRET AS (SELECT 1) SELECT * FROM "SECRET"'),
        ("oracle", 'WITH "secret" AS (SELECT 1 AS a FROM customer) SELECT * FROM secret'),
    ],
)
def test_a_query_in_a_with_hides_no_table_whose_name_is_another_one(grammar: str, text: str) -> None:
    with pytest.raises(PermissionRefused, match="is no table of this connection"):
        inspected_query(text, rules(grammar, "customer"), 25)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ('/etc/passwd').pg_read_file",
        "SELECT (0.1::float8).pg_sleep",
        "SELECT (?).pg_read_file",
        "SELECT (c.name).pg_read_file FROM customer AS c",
        "SELECT (SELECT 'x').pg_read_file",
        "SELECT (ARRAY['/etc/passwd'])[1].pg_read_file",
        "SELECT c.tags[1].pg_read_file FROM customer AS c",
        "SELECT p.pg_read_file FROM unnest(ARRAY['/etc/passwd']) AS p",
        "SELECT p.pg_read_file FROM unnest(ARRAY['/etc/passwd']) AS p(x)",
        "SELECT P.pg_read_file FROM concat('/etc/', 'passwd') AS p",
        "SELECT unnest.pg_read_file FROM unnest(ARRAY['/etc/passwd'])",
        "SELECT concat.pg_read_file FROM concat('/etc/', 'passwd')",
        "SELECT p.pg_read_file FROM customer, LATERAL lower(name) AS p",
        "SELECT p.pg_read_file FROM ROWS FROM (lower('x')) AS p",
        "SELECT p.pg_sleep FROM CAST('0.1' AS float8) AS p",
        "SELECT p.pg_read_file FROM current_user AS p",
        "SELECT pg_read_file.pg_read_file FROM lower('x') AS pg_read_file(x)",
        "SELECT p.pg_read_file FROM lower('x') AS p, (SELECT 1 FROM lower('y') AS p(pg_read_file)) AS q",
    ],
)
def test_no_function_of_postgresql_is_called_behind_a_dot(text: str) -> None:
    with pytest.raises((InvalidValue, PermissionRefused)):
        inspected_query(text, rules("postgres"), 25)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT c.name, public.customer.name FROM customer AS c, public.customer",
        "SELECT s.a, c.* FROM (SELECT 1 AS a) AS s, customer AS c, LATERAL (SELECT 2 AS b) AS l WHERE l.b = s.a",
        "SELECT e.key, e.value, p.p, q.x FROM json_each('{}') AS e, unnest(ARRAY[1]) AS p, unnest(ARRAY[1]) AS q(x)",
        "SELECT (c.name).length, (c).* FROM customer AS c",
        "SELECT v.a FROM (VALUES (1)) AS v(a)",
        "WITH a AS (SELECT 1 AS x) SELECT a.x FROM a",
        "INSERT INTO customer (name) VALUES ('x') ON CONFLICT (name) DO UPDATE SET name = excluded.name",
        "UPDATE customer SET name = j.name FROM journal AS j WHERE customer.id = j.id",
    ],
)
def test_columns_behind_a_dot_are_read(text: str) -> None:
    assert inspected_query(text, rules("postgres", "customer", "journal"), 25).pieces


@pytest.mark.parametrize(
    ("grammar", "text", "sent"),
    [
        ("sqlite", "select name from customer", "SELECT name FROM customer LIMIT 26"),
        ("postgres", "select name from customer limit 10", "SELECT name FROM customer LIMIT 10"),
        ("postgres", "select name from customer limit 100", "SELECT name FROM customer LIMIT 26"),
        ("mysql", "select `name` from customer limit 100 offset 5", "SELECT `name` FROM customer LIMIT 26 OFFSET 5"),
        ("tsql", "select name from customer", "SELECT TOP 26 name FROM customer"),
        ("oracle", "select name from customer", "SELECT name FROM customer FETCH FIRST 26 ROWS ONLY"),
        ("postgres", "select 1 as a union select 2", "SELECT 1 AS a UNION SELECT 2 LIMIT 26"),
        ("postgres", "select name from customer /* x */ -- y", "SELECT name FROM customer LIMIT 26"),
        ("postgres", "delete from customer", "DELETE FROM customer"),
    ],
)
def test_what_is_sent_is_written_anew(grammar: str, text: str, sent: str) -> None:
    assert inspected_query(text, rules(grammar), 25).pieces == (sent,)


def test_rows_are_limited_in_every_form() -> None:
    assert inspected_query("(SELECT 1 AS a)", rules("postgres"), 25).pieces == ("(SELECT 1 AS a) LIMIT 26",)
    found = inspected_query("SELECT a FROM customer WHERE b = ? LIMIT ?", rules("postgres"), 25)
    assert (found.limit, found.count) == (1, 2)
    fetched = inspected_query("SELECT a FROM customer FETCH FIRST 100 ROWS ONLY", rules("oracle"), 25)
    assert fetched.pieces == ("SELECT a FROM customer FETCH FIRST 26 ROWS ONLY",)
    for limit in ("LIMIT 10 + 90", "LIMIT (SELECT 5)", "LIMIT -1"):
        with pytest.raises(InvalidValue, match="must say how many rows it wants"):
            inspected_query(f"SELECT a FROM customer {limit}", rules("postgres"), 25)


@pytest.mark.parametrize(
    "text", ["REPEAT('x', 1000000000)", "LPAD('x', 1000000000, 'y')", "REPEAT('x', ?)", "SPACE(a)"]
)
def test_small_queries_make_no_large_texts(text: str) -> None:
    with pytest.raises((InvalidValue, PermissionRefused)):
        inspected_query(f"SELECT {text} AS a FROM customer", rules("mysql"), 25)
    assert inspected_query("SELECT LPAD(name, 20, '.') AS a FROM customer", rules("mysql"), 25).is_query


def test_parameters_keep_their_places_where_their_order_changes() -> None:
    found = inspected_query("SELECT name FROM customer WHERE a = ? LIMIT ?, ?", rules("mysql"), 25)
    assert found.pieces == ("SELECT name FROM customer WHERE a = ", " LIMIT ", " OFFSET ", "")
    assert (found.parameters, found.count) == ((0, 2, 1), 3)


def test_marks_in_texts_names_and_comments_are_none() -> None:
    text = """SELECT '?', "a?", E'\\'?', $$ ? $$ FROM customer /* ? */ WHERE a = ? -- ?"""
    assert inspected_query(text, rules("postgres"), 25).count == 1


@pytest.mark.parametrize("text", ["SELECT a ? 'b' FROM customer", "SELECT a ?| ARRAY['b'] FROM customer"])
def test_operators_of_postgresql_with_a_question_mark_are_written_as_functions(text: str) -> None:
    if "?|" in text:
        assert inspected_query(text, rules("postgres"), 25).count == 0
    else:
        with pytest.raises(ConnectorError, match="cannot be read as SQL"):
            inspected_query(text, rules("postgres"), 25)
    assert inspected_query("SELECT jsonb_exists(a, ?) FROM customer", rules("postgres"), 25).count == 1


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        ("postgres", "SELECT * FROM Customer"),
        ("postgres", "SELECT * FROM public.customer"),
        ("sqlite", 'SELECT * FROM "CUSTOMER"'),
        ("tsql", "SELECT * FROM dbo.[Customer]"),
        ("oracle", 'SELECT * FROM "CUSTOMER"'),
        ("mysql", "SELECT * FROM shop.customer"),
        ("oracle", "SELECT 1 FROM dual"),
        ("postgres", "WITH a AS (SELECT * FROM customer), b AS (SELECT * FROM a) SELECT * FROM b, a"),
        ("postgres", "WITH RECURSIVE a AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM a) SELECT * FROM a"),
        ("postgres", "SELECT * FROM customer AS secret"),
        ("postgres", "SELECT * FROM (SELECT 1 AS a) AS secret"),
        ("postgres", "SELECT * FROM generate_series(1, 3) AS g"),
    ],
)
def test_tables_of_the_list_are_known_in_all_spellings(grammar: str, text: str) -> None:
    assert inspected_query(text, rules(grammar, "customer"), 25).is_query


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        ("postgres", 'SELECT * FROM "Customer"'),
        ("mysql", "SELECT * FROM CUSTOMER"),
        ("postgres", "SELECT * FROM odd.customer"),
    ],
)
def test_tables_that_are_only_alike_are_others(grammar: str, text: str) -> None:
    with pytest.raises(PermissionRefused, match="is no table of this connection; there are: customer"):
        inspected_query(text, rules(grammar, "customer"), 25)
