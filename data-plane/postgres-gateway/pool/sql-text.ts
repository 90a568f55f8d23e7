import { splitStatements } from '#contract/database/sql/sql-statements'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'

const message = 'LISTEN is not possible in transaction mode'
const hint =
  'Notifications belong to one connection. Connect to the port for session mode, or to the database itself.'

/** In place of a statement that would wait for news on a connection which somebody else has by then: it fails, and says why. */
export const listenSql = `do $$ begin raise exception ${quoteLiteral(message)} using errcode = '0A000', hint = ${quoteLiteral(hint)}; end $$`

const comments = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/

/** Whether one of the statements listens. One that a function runs is not seen, and is ended with its transaction. */
export function listens(sql: string): boolean {
  if (!/\blisten\b/i.test(sql)) return false
  return splitStatements(sql).some(({ text }) => /^listen\b/i.test(text.replace(comments, '')))
}

/** The name of a statement that a query ends, if it does nothing else. */
export function deallocated(sql: string): string | undefined {
  const found =
    /^\s*deallocate\s+(?:prepare\s+)?(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))\s*;?\s*$/i.exec(sql)
  const [, quoted, plain] = found ?? []
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return plain?.toLowerCase() === 'all' ? undefined : plain?.toLowerCase()
}
export const deallocateSql = (name: string) => `deallocate ${quoteIdent(name)}`

/** Statements that change nothing but rows, or begin and end transactions. */
const mild =
  /^\s*(?:select|insert|update|delete|values|table|with|begin|start\s+transaction|commit|end|rollback|abort|savepoint|release)\b/i
/** Names before an opening bracket that are words of SQL, or functions of the server that leave nothing. */
const harmless = new Set(
  `and or not in exists any all some as values over filter on using where from select with by when then else limit offset returning set row conflict
  count sum avg min max coalesce nullif greatest least now lower upper length abs round floor ceil concat concat_ws cast extract
  date_trunc to_char json_agg jsonb_agg json_build_object jsonb_build_object array_agg string_agg unnest generate_series
  row_number rank dense_rank lag lead numeric varchar char decimal timestamp timestamptz substring position trim replace
  left right repeat split_part random gen_random_uuid to_json to_jsonb row_to_json array_length cardinality`.split(
    /\s+/,
  ),
)
const calls = /([\w$"\u0080-\uffff]*)\s*\(/g

/**
 * Whether a text does, by what it says, nothing that outlives its transaction; false when that is not certain. What functions,
 * triggers and views do behind it is not seen here: such a connection goes to nobody else before it is reset.
 */
export function leavesNothing(sql: string): boolean {
  if (
    !mild.test(sql) ||
    /--|\/\*|\bpg_temp|\bpg_catalog\b|\binto\s+(?:(?:local|global)\s+)?temp|;\s*\S/i.test(sql)
  )
    return false
  // The list of columns stands behind the name of a table as arguments stand behind that of a function.
  const text = sql.replace(/^\s*insert\s+into\s+[\w$".]+\s*\(/i, '')
  for (const [, name = ''] of text.matchAll(calls))
    if (name !== '' && !harmless.has(name.toLowerCase())) return false
  return true
}
