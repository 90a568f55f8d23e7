import type { Migration } from '#contract/database/migrations'
import {
  leavesTransaction,
  splitStatements,
  type Statement,
} from '#contract/database/sql/sql-statements'
import { textOf } from '../databases.ts'
import { locksSql, type CopyStore } from './copy-store.ts'
import { reportOf, type Report } from './report.ts'

type Words = Pick<Statement, 'words'>

/** What Postgres refuses inside a transaction; a merge runs a migration without one where it is nothing else. */
const runsAlone = ({ words }: Words) =>
  words.includes('concurrently') ||
  words[0] === 'vacuum' ||
  words.slice(0, 2).join(' ') === 'alter system'

const refused = (message: string): Report => ({
  state: 'failed',
  ms: null,
  statements: [],
  locks: null,
  rewritten: [],
  error: { message, code: null, hint: null, statement: null, line: null, column: null },
})

/** Runs one migration on a copy as a merge would run it on main, and tells what it did. */
export async function tryMigration(
  store: CopyStore,
  ref: string,
  migration: Pick<Migration, 'statements'>,
  signal: AbortSignal,
): Promise<Report> {
  const text = textOf(migration)
  const parts = splitStatements(text)
  // Recorded without its statements: a merge records it and runs nothing.
  if (parts.length === 0) return reportOf({ text: '', events: [], before: [], after: [] })
  if (parts.some(leavesTransaction)) return refused('A change cannot begin or end transactions')
  const [first] = parts
  const isAlone = parts.length === 1 && first !== undefined && runsAlone(first)
  const before = await store.relations(ref)
  const events = await store.run(ref, {
    query: isAlone ? text : `${text}\n;\n${locksSql}`,
    oneTransaction: !isAlone,
    signal,
  })
  return reportOf({ text, events, before, after: await store.relations(ref) })
}
