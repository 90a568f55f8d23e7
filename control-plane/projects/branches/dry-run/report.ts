import type { RunEvent } from '#contract/database/sql/sql-query'
import {
  lockModes,
  mostTold,
  statementHead,
  type DryRunFailure,
  type DryRunMigration,
  type LockMode,
} from '#contract/projects/dry-runs'
import type { Relation } from './copy-store.ts'

/** What came of one migration, before it has its name. */
export type Report = Omit<DryRunMigration, 'version' | 'name'>

type Happened = {
  /** The migration, behind which the question about locks may stand. */
  text: string
  events: readonly RunEvent[]
  before: readonly Relation[]
  after: readonly Relation[]
}
type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

export const notRun: Report = {
  state: 'skipped',
  ms: null,
  statements: [],
  locks: null,
  rewritten: [],
  error: null,
}

/** As pg_locks has it: `AccessExclusiveLock`. */
const modeOf = (name: string): LockMode | undefined =>
  lockModes.find((mode) => `${mode.replaceAll(' ', '')}LOCK` === name.toUpperCase())

export function reportOf({ text, events, before, after }: Happened): Report {
  const all = events.filter((event): event is Of<'statement'> => event.type === 'statement')
  const own = all.filter(({ start }) => start < text.length)
  const textAt = new Map(own.map(({ index, start, end }) => [index, text.slice(start, end)]))
  const failed = events.find((event): event is Of<'error'> => event.type === 'error')
  const statements = events.flatMap((event) => {
    const statement = event.type === 'done' || event.type === 'error' ? textAt.get(event.index) : ''
    return statement && 'ms' in event
      ? [{ text: statement.slice(0, statementHead), ms: rounded(event.ms) }]
      : []
  })
  const place = own.find(({ index }) => index === failed?.index)
  return {
    state: failed ? 'failed' : 'passed',
    ms: rounded(statements.reduce((sum, { ms }) => sum + ms, 0)),
    statements: statements.slice(0, mostTold),
    locks: failed ? null : locksIn(events, all, text, before),
    rewritten: failed ? [] : rewrittenIn(before, after),
    error: failed ? failureOf(failed, place, text) : null,
  }
}

const rounded = (ms: number) => Math.round(ms * 10) / 10

/** The answer of the question about locks, where it was asked. */
function locksIn(
  events: readonly RunEvent[],
  all: readonly Of<'statement'>[],
  text: string,
  before: readonly Relation[],
): Report['locks'] {
  const asked = all.find(({ start }) => start >= text.length)
  if (!asked) return null
  const names = new Map(before.map(({ oid, name }) => [oid, name]))
  const strongest = new Map<string, number>()
  for (const event of events) {
    if (event.type !== 'rows' || event.index !== asked.index) continue
    for (const [oid, name] of event.rows) {
      const relation = typeof oid === 'string' ? names.get(oid) : undefined
      const mode = typeof name === 'string' ? modeOf(name) : undefined
      if (relation === undefined || mode === undefined) continue
      const strength = lockModes.indexOf(mode)
      strongest.set(relation, Math.max(strongest.get(relation) ?? 0, strength))
    }
  }
  return [...strongest]
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .flatMap(([relation, strength]) => {
      const mode = lockModes[strength]
      return mode ? [{ relation, mode }] : []
    })
    .slice(0, mostTold)
}

/** What has rows of its own, was there before, and has them in another file now. */
function rewrittenIn(before: readonly Relation[], after: readonly Relation[]): string[] {
  const files = new Map(after.map(({ oid, file }) => [oid, file]))
  return before
    .filter(({ oid, kind, file }) => {
      const now = files.get(oid)
      return (kind === 'r' || kind === 'm') && now !== undefined && now !== file
    })
    .map(({ name }) => name)
    .toSorted()
    .slice(0, mostTold)
}

/** Postgres counts the place in the text that was sent; people look for it in the statement. */
function failureOf(
  { error }: Of<'error'>,
  place: Of<'statement'> | undefined,
  text: string,
): DryRunFailure {
  const line = place && error.line !== undefined ? error.line - place.line + 1 : null
  const lineStart = place ? text.lastIndexOf('\n', place.start - 1) + 1 : 0
  const isFirst = line === 1
  // On its first line a statement may stand behind another one.
  const shift = place && isFirst ? Array.from(text.slice(lineStart, place.start)).length : 0
  return {
    message: error.message,
    code: error.code,
    hint: error.hint ?? null,
    statement: place ? text.slice(place.start, place.end).slice(0, statementHead) : null,
    line,
    column: line === null || error.column === undefined ? null : error.column - shift,
  }
}
