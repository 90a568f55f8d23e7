/** Quotes an SQL identifier. A NUL cannot be part of one, so it is refused here and not by the server. */
export function quoteIdent(name: string): string {
  if (name.includes('\0')) throw new TypeError('An identifier cannot contain a NUL character')
  return `"${name.replaceAll('"', '""')}"`
}

/** Quotes an SQL string literal; for DDL, which takes no parameters. Everything else uses parameters. */
export function quoteLiteral(value: string): string {
  if (value.includes('\0')) throw new TypeError('A literal cannot contain a NUL character')
  const escaped = value.replaceAll("'", "''")
  return escaped.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`
}

/** What Postgres itself would print without quotes: shorter to read, and the same name. */
const plain = /^[a-z_][a-z0-9_$]*$/

/**
 * An identifier for SQL that people read: quoted unless it needs no quotes. Reserved words are few and stay quoted by
 * being listed here; a needless pair of quotes does no harm, a missing one would.
 */
export const ident = (name: string) =>
  plain.test(name) && !reserved.has(name) ? name : quoteIdent(name)

export const qualified = (schema: string, name: string) => `${ident(schema)}.${ident(name)}`

/** Words of Postgres 17's grammar that cannot be a column, table or function name as they stand. */
const reserved = new Set(
  (
    'all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char ' +
    'character check coalesce collate collation column concurrently constraint create cross current_catalog current_date ' +
    'current_role current_schema current_time current_timestamp current_user dec decimal default deferrable desc distinct do ' +
    'else end except exists extract false fetch float for foreign freeze from full grant greatest group grouping having ilike ' +
    'in initially inner inout int integer intersect interval into is isnull join json json_array json_arrayagg json_exists ' +
    'json_object json_objectagg json_query json_scalar json_serialize json_table json_value lateral leading least left like ' +
    'limit localtime localtimestamp merge_action national natural nchar none normalize not notnull null nullif numeric offset ' +
    'on only or order out outer overlaps overlay placing position precision primary real references returning right row ' +
    'select session_user setof similar smallint some substring symmetric system_user table tablesample then time timestamp to ' +
    'trailing treat trim true union unique user using values varchar variadic verbose when where window with xmlattributes ' +
    'xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable'
  ).split(' '),
)
