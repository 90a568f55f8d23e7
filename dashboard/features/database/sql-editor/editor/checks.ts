import {
  longestChecked,
  sqlTools,
  type SqlDanger,
  type SqlProblem,
} from '#contract/database/sql/sql-tools'
import { callDatabase } from '../../../../session/project/database.ts'
import { dangersIn } from '../running/dangers.ts'

type Check = { problems: readonly SqlProblem[]; dangers: readonly SqlDanger[] }

/** How long a run waits for the parser before it looks at the words itself. */
const timeoutMs = 3000

/** What Postgres's own grammar says of texts of a project. The answer to the last text is remembered. */
export function createChecks(ref: string) {
  let last: { sql: string; answer: Promise<Check> } | undefined

  function check(sql: string, signal?: AbortSignal): Promise<Check> {
    if (last?.sql === sql) return last.answer
    const answer = callDatabase(sqlTools.check, { ref, query: sql }, signal)
    const asked = { sql, answer }
    last = asked
    answer.catch(() => {
      if (last === asked) last = undefined
    })
    return answer
  }

  return {
    /** What is underlined. Nothing for texts that are too long, and when nobody can say. */
    async problems(sql: string, signal: AbortSignal): Promise<readonly SqlProblem[]> {
      if (sql.trim() === '' || sql.length > longestChecked) return []
      return (await check(sql, signal).catch(() => undefined))?.problems ?? []
    },
    /** What to ask about before it runs: by the parse tree, or by the words where there is no parser to ask. */
    async dangers(sql: string): Promise<readonly SqlDanger[]> {
      const byWords = dangersIn(sql)
      if (sql.length > longestChecked) return byWords
      const late = new Promise<undefined>((done) => setTimeout(() => done(undefined), timeoutMs))
      const parsed = await Promise.race([check(sql).catch(() => undefined), late])
      if (!parsed) return byWords
      // What the grammar refuses is refused again when it runs; until then its statements may still be dangerous.
      const isBlind = parsed.problems.length > 0 && byWords.length > parsed.dangers.length
      return isBlind ? byWords : parsed.dangers
    },
  }
}
export type Checks = ReturnType<typeof createChecks>
