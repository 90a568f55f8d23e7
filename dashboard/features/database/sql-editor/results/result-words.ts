import { counted } from '../../../../ui/text/number.ts'
import type { StatementRun } from '../running/run-state.ts'

/** Milliseconds as people say them: 0.4 ms, 46 ms, 1.2 s, 2 min 5 s. */
export function durationText(ms: number): string {
  if (ms < 0.95) return `${Math.max(0.1, ms).toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A number of rows in words: "1 row", "12,000 rows". */
export const rowsText = (count: number): string => counted(count, 'row')

type Titled = Pick<StatementRun, 'start' | 'end' | 'command' | 'title'>

const longestTitle = 40

/**
 * What a result is called: the comment on the line above its statement, else what Postgres says it was, and until
 * then its first word. `sql` is the text that was sent.
 */
export function titleOf({ start, end, command, title }: Titled, sql: string): string {
  if (title !== undefined)
    return title.length <= longestTitle ? title : `${title.slice(0, longestTitle)}…`
  const above = /(?:^|\n)[ \t]*--[ \t]*([^\n]*?)[ \t]*\n[ \t]*$/.exec(
    sql.slice(Math.max(0, start - 300), start),
  )
  const comment = above?.[1]
  if (comment && comment.length <= longestTitle) return comment
  return command ?? /^\w+/.exec(sql.slice(start, end))?.[0].toUpperCase() ?? 'Statement'
}
