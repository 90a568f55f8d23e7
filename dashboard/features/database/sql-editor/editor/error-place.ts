import type { SqlError } from '#contract/database/sql/sql-query'

/** From 1, as the editor counts: columns are UTF-16 units. `endColumn` lies behind the word that is marked. */
export type Place = { line: number; column: number; endColumn: number }

/**
 * Where in the editor's text an error lies. Postgres counts characters of what was sent, which began `offset` UTF-16
 * units into `text` when only a selection ran. Undefined when the error has no place, or the text has changed since.
 */
export function placeOfError(
  error: Pick<SqlError, 'position'>,
  { text, sent, offset }: { text: string; sent: string; offset: number },
): Place | undefined {
  if (!error.position || text.slice(offset, offset + sent.length) !== sent) return undefined
  let at = 0
  for (let left = error.position - 1; left > 0 && at < sent.length; left -= 1)
    at += (sent.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  at += offset
  const before = text.slice(0, at)
  const column = at - before.lastIndexOf('\n')
  const word = /^(?:[\p{L}\p{N}_$]+|[^\n])/u.exec(text.slice(at, at + 100))
  return {
    line: before.split('\n').length,
    column,
    endColumn: column + (word?.[0].length ?? 1),
  }
}

/** The same for a statement that failed without a place: then it is where the statement begins. */
export function placeOfFailure(
  { error, start }: { error: Pick<SqlError, 'position'>; start: number },
  where: { text: string; sent: string; offset: number },
): Place | undefined {
  const position = error.position ?? Array.from(where.sent.slice(0, start)).length + 1
  return placeOfError({ position }, where)
}
