/** Words that Postgres reserves (its documentation, appendix C): as a name they must be quoted. */
export const reservedWords: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate
  collation column concurrently constraint create cross current_catalog current_date current_role current_schema
  current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for
  foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading
  left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing
  primary references returning right select session_user similar some symmetric system_user table tablesample then to
  trailing true union unique user using variadic verbose when where window with`.split(/\s+/),
)

/** Words that begin or join statements, though they may also be names. */
const commandWords =
  `add after alter before begin by cascade commit conflict copy cube database delete disable domain
  drop each enable exclude execute exists explain extension function grouping if immutable index insert instead
  interval language listen materialized merge no nothing notify nulls of over overriding partition policy prepare
  privileges procedure publication recursive refresh reindex rename replace reset restrict returns revoke rollback
  rollup row rows savepoint schema security sequence set sets show stable stored strict subscription temporary temp
  transaction trigger truncate type unlogged update vacuum values view volatile without`.split(
    /\s+/,
  )

/** Every word that is drawn and offered as a keyword. */
export const keywords: readonly string[] = [...reservedWords, ...commandWords].toSorted()

/** Functions to offer: those that people write by hand. */
export const functions: readonly string[] =
  `abs age array_agg array_append array_length array_position array_remove array_to_string avg bool_and bool_or
  btrim ceil char_length clock_timestamp coalesce concat concat_ws count cume_dist current_setting date_bin date_part
  date_trunc dense_rank encode exp extract first_value floor format gen_random_uuid generate_series greatest
  has_table_privilege initcap json_agg json_array_elements json_build_array json_build_object json_object_agg
  jsonb_agg jsonb_array_elements jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
  jsonb_extract_path jsonb_object_agg jsonb_object_keys jsonb_path_query jsonb_pretty jsonb_set jsonb_strip_nulls
  jsonb_typeof lag last_value lead least left length ln log lower lpad ltrim make_date make_interval max md5 min mod
  nextval now nth_value ntile nullif overlay percent_rank percentile_cont percentile_disc pg_backend_pid
  pg_cancel_backend pg_database_size pg_get_functiondef pg_get_indexdef pg_get_viewdef pg_indexes_size
  pg_relation_size pg_size_pretty pg_sleep pg_table_size pg_terminate_backend pg_total_relation_size phraseto_tsquery
  plainto_tsquery position power random rank regexp_count regexp_match regexp_matches regexp_replace
  regexp_split_to_array regexp_split_to_table repeat replace reverse right round row_number row_to_json rpad rtrim
  set_config setval sign similarity split_part sqrt starts_with stddev string_agg string_to_array strpos substring sum
  timezone to_char to_date to_json to_jsonb to_number to_timestamp to_tsquery to_tsvector translate trim trunc
  ts_headline ts_rank txid_current unaccent unnest upper uuid_generate_v4 variance version websearch_to_tsquery
  width_bucket`.split(/\s+/)
