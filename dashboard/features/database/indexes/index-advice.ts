import type { Index } from '#contract/database/database-object-shapes'
import type { IndexAdvice, Statement } from '#contract/observability/query-performance'
import { keyOfAdvice } from '../../../modules/advice/AdviceCard.tsx'

export type IndexMark =
  | { kind: 'invalid' }
  | { kind: 'unused' }
  /** Another index does all that this one does. */
  | { kind: 'duplicate'; of: string }
  /** A longer index begins with the same columns. */
  | { kind: 'covered'; by: string }

export function wordOf({ kind }: IndexMark): string {
  switch (kind) {
    case 'invalid':
      return 'Invalid'
    case 'unused':
      return 'Unused'
    case 'duplicate':
      return 'Duplicate'
    case 'covered':
      return 'Covered'
  }
}

export function sentenceOf(mark: IndexMark): string {
  switch (mark.kind) {
    case 'invalid':
      return 'Its build did not finish, so no query uses it. Rebuild it, or drop it.'
    case 'unused':
      return 'No query has used it since the statistics were last reset.'
    case 'duplicate':
      return `${mark.of} has the same definition.`
    case 'covered':
      return `${mark.by} begins with the same columns and serves the same queries.`
  }
}

/** Below this an index costs too little to speak of. */
const smallBytes = 16 * 1024

/** What is wrong with each index, by id. Indexes behind a constraint do their work unread, so they are never unused. */
export function indexMarks(indexes: readonly Index[]): Map<number, IndexMark[]> {
  const marks = new Map<number, IndexMark[]>()
  const byTable = new Map<number, Index[]>()
  for (const index of indexes)
    byTable.set(index.table_id, [...(byTable.get(index.table_id) ?? []), index])
  for (const index of indexes) {
    const others = (byTable.get(index.table_id) ?? []).filter(({ id }) => id !== index.id)
    const found: IndexMark[] = []
    if (!index.is_valid) found.push({ kind: 'invalid' })
    const twin = others.find((other) => replaces(other, index))
    const longer = twin ? undefined : others.find((other) => covers(other, index))
    if (twin) found.push({ kind: 'duplicate', of: twin.name })
    if (longer) found.push({ kind: 'covered', by: longer.name })
    if (!enforces(index) && index.scans === 0 && index.bytes > smallBytes)
      found.push({ kind: 'unused' })
    if (found.length > 0) marks.set(index.id, found)
  }
  return marks
}

const enforces = (index: Index) =>
  index.constraint !== null || index.is_unique || index.is_replica_identity

/** What the index is made of, without its name and whether it is unique. */
const bodyOf = ({ index_definition }: Index) => / USING (.*)$/s.exec(index_definition)?.[1] ?? ''

function replaces(other: Index, index: Index): boolean {
  if (!other.is_valid || bodyOf(other) !== bodyOf(index)) return false
  if (enforces(index) && !enforces(other)) return false
  // Of two that are alike the older one stays.
  return enforces(other) === enforces(index) ? other.id < index.id : true
}

/** Only btree keeps an order that a beginning can be read of; an expression is told apart by its text only, so it is left out. */
function covers(other: Index, index: Index): boolean {
  if (!other.is_valid || enforces(index)) return false
  if (other.access_method !== 'btree' || index.access_method !== 'btree') return false
  if (other.index_predicate !== index.index_predicate) return false
  const keys = index.number_of_key_attributes
  if (other.number_of_key_attributes <= keys || index.number_of_attributes > keys) return false
  const alike = (part: (one: Index) => readonly number[]) =>
    part(index)
      .slice(0, keys)
      .every((value, i) => value === part(other)[i])
  return (
    !index.key_attributes.slice(0, keys).includes(0) &&
    alike((one) => one.key_attributes) &&
    alike((one) => one.class) &&
    alike((one) => one.collation) &&
    alike((one) => one.options)
  )
}

export type Advised = {
  advice: IndexAdvice
  /** The statements that it helps, the busiest first. */
  statements: Statement[]
}

/** One statement's advice beside what is known already: an index that helps several is there once. */
export function withAdvice(
  known: readonly Advised[],
  statement: Statement,
  indexes: readonly IndexAdvice[],
): Advised[] {
  const all = new Map(known.map((one) => [keyOfAdvice(one.advice), one]))
  for (const advice of indexes) {
    const key = keyOfAdvice(advice)
    const before = all.get(key)
    all.set(
      key,
      before
        ? { ...before, statements: [...before.statements, statement] }
        : { advice, statements: [statement] },
    )
  }
  return [...all.values()].toSorted((a, b) => shareOf(b) - shareOf(a))
}

/** Statements that look for rows; no index makes the others cheaper. */
export const mayGain = ({ query }: Pick<Statement, 'query'>) =>
  /^\s*(?:select|with|update|delete|merge)\b/i.test(query) &&
  /\b(?:where|join|order|using)\b/i.test(query)

/** Of all the time that the database spends, 0 to 1. */
export const shareOf = ({ statements }: Advised) =>
  statements.reduce((sum, { share }) => sum + share, 0)
