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
