"""Functions that custom queries may call although sqlglot does not know them: each reads its arguments alone.

Left out on purpose: what reads files, runs SQL in a text, waits, locks, sends, counts sequences on, sets, or
makes a huge value out of a small one.
"""

_SQLITE = """
abs char coalesce date datetime format glob hex ifnull iif instr json json_array json_array_length json_each
json_extract json_group_array json_group_object json_object json_quote json_tree json_type json_valid julianday length
like likely lower ltrim max min nullif printf quote random replace round rtrim sign soundex strftime substr substring
time total trim typeof unicode unixepoch unlikely upper
"""

_POSTGRESQL = """
abs age array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position
array_positions array_prepend array_remove array_replace array_to_json array_to_string array_upper ascii bit_and bit_or
bit_xor bool_and bool_or btrim cardinality ceil ceiling char_length character_length chr clock_timestamp concat
concat_ws corr cot covar_pop covar_samp cume_dist date_bin date_part date_trunc dense_rank div every
first_value format gcd host initcap isfinite json_agg json_array_elements json_array_elements_text json_array_length
json_build_array json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object
json_object_agg json_object_keys json_strip_nulls json_typeof jsonb_agg jsonb_array_elements
jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
jsonb_exists jsonb_exists_all jsonb_exists_any jsonb_extract_path jsonb_extract_path_text jsonb_object jsonb_object_agg
jsonb_object_keys jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first
jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_typeof justify_days justify_hours justify_interval lag last_value lcm
lead left length lower lower_inc ltrim make_date make_interval make_time make_timestamp make_timestamptz masklen
md5 mod mode network now nth_value ntile num_nonnulls num_nulls numrange octet_length overlay percent_rank
percentile_cont percentile_disc plainto_tsquery phraseto_tsquery position pow power quote_ident quote_literal
quote_nullable rank regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace
regexp_split_to_array regexp_split_to_table regexp_substr regr_intercept regr_r2 regr_slope reverse right round
row_number row_to_json rtrim scale sha256 sign similarity split_part sqrt starts_with statement_timestamp
stddev stddev_pop stddev_samp string_agg string_to_array strpos substr substring text timeofday to_ascii to_char to_date
to_hex to_json to_jsonb to_number to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim_array trim
trunc ts_headline ts_rank ts_rank_cd tsrange tstzrange unnest upper upper_inc var_pop var_samp variance
websearch_to_tsquery width_bucket xmltable pg_typeof pg_size_pretty
"""

_MYSQL = """
adddate addtime aes_decrypt bin bit_count bit_length char_length character_length conv convert_tz crc32 curtime
date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear elt export_set field find_in_set
format from_days from_unixtime get_format group_concat hex inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr
is_ipv4 is_ipv6 json_array json_array_append json_array_insert json_arrayagg json_compact json_contains
json_contains_path json_depth json_detailed json_exists json_extract json_insert json_keys json_length json_loose
json_merge_patch json_merge_preserve json_object json_objectagg json_overlaps json_pretty json_query json_quote
json_remove json_replace json_search json_set json_type json_unquote json_valid json_value last_day lcase locate
make_set makedate maketime microsecond mid monthname oct octet_length ord period_add period_diff quarter quote
regexp_instr regexp_like regexp_replace regexp_substr sec_to_time soundex str_to_date strcmp subdate substring_index
subtime sysdate time_format time_to_sec timediff timestampadd timestampdiff to_base64 from_base64 to_days to_seconds
truncate ucase unhex unix_timestamp utc_date utc_time utc_timestamp uuid_to_bin bin_to_uuid week weekday weekofyear
weight_string year yearweek now
"""

_SQL_SERVER = """
charindex choose concat concat_ws convert dateadd datediff datediff_big datefromparts datename datepart
datetime2fromparts datetimefromparts day difference eomonth format getdate getutcdate iif isdate isjson isnull isnumeric
json_modify json_query json_value left len ltrim month nchar patindex parse parsename quotename replace reverse right
rtrim soundex square str string_escape stuff switchoffset sysdatetime sysdatetimeoffset sysutcdatetime todatetimeoffset
translate trim try_cast try_convert try_parse unicode year string_split var
"""

_ORACLE = """
add_months ascii chr coalesce concat decode dump extract greatest initcap instr last_day least length lengthb listagg
lower lpad ltrim months_between nanvl next_day nullif numtodsinterval numtoyminterval nvl nvl2 regexp_count regexp_instr
regexp_like regexp_replace regexp_substr remainder replace round rpad rtrim sign soundex substr sysdate systimestamp
to_char to_date to_dsinterval to_number to_timestamp to_timestamp_tz to_yminterval translate trim trunc upper
"""

_HANA = """
add_days add_months add_seconds add_years ascii bintohex char coalesce concat current_utcdate current_utctime
current_utctimestamp dayname dayofmonth dayofyear days_between greatest hextobin hour ifnull initcap json_query
json_value last_day lcase least left length locate lower lpad ltrim map minute month monthname months_between nullif
quarter replace right round rpad rtrim second seconds_between string_agg substr_after substr_before substring to_bigint
to_boolean to_char to_date to_decimal to_double to_int to_nvarchar to_seconddate to_time to_timestamp to_varchar trim
ucase upper week weekday year years_between
"""

SQLITE = frozenset(_SQLITE.split())
POSTGRESQL = frozenset(_POSTGRESQL.split())
MYSQL = frozenset(_MYSQL.split())
SQL_SERVER = frozenset(_SQL_SERVER.split())
ORACLE = frozenset(_ORACLE.split())
HANA = frozenset(_HANA.split())
