import type { StatementRun } from '../running/run-state.ts'

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
