import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { NewCell } from '#contract/database/rows/table-rows'
import type { RlsCommand, RlsOutcome, RlsResult, RlsStep } from '#contract/database/rls-test'
import type { Tone } from '../../../ui/text/Badge.tsx'

/** A row that somebody typed as JSON, in the text form that its columns take; undefined when it is no JSON object. */
export function valuesFrom(text: string): Record<string, NewCell> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.fromEntries(Object.entries(value).map(([name, cell]) => [name, cellOf(cell)]))
  } catch {
    return undefined
  }
}

const cellOf = (value: unknown): NewCell =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value)

/** A row as JSON that people read; nothing for a row of nothing. */
export const jsonOf = (values: Record<string, NewCell>): string =>
  Object.keys(values).length === 0 ? '' : JSON.stringify(values, null, 2)

export type TestedCommand = 'INSERT' | 'UPDATE'

type Column = Pick<EntityDetail['columns'][number], 'is_generated' | 'identity_generation'>

/** Why nobody gives this column a value. */
export function lockOf(column: Column, command: TestedCommand): string | undefined {
  if (column.is_generated) return 'is computed from other columns'
  if (column.identity_generation === 'ALWAYS')
    return command === 'INSERT' ? 'is numbered by the database' : 'is always numbered'
  return undefined
}

type Verdict = { word: string; tone: Tone }

/** What becomes of a row, in one word. */
export function outcomeWord(command: RlsCommand, outcome: RlsOutcome): Verdict {
  switch (outcome) {
    case 'allowed':
      return { word: done[command], tone: 'success' }
    case 'skipped':
      return { word: command === 'SELECT' ? 'Hidden' : 'Skipped', tone: 'neutral' }
    case 'refused':
      return { word: 'Refused', tone: 'danger' }
    case 'unknown':
      return { word: 'Unknown', tone: 'warning' }
  }
}

const done: Record<RlsCommand, string> = {
  SELECT: 'Seen',
  INSERT: 'Added',
  UPDATE: 'Changed',
  DELETE: 'Deleted',
}

export const partWords: Record<RlsStep['part'], string> = {
  see: 'May be seen',
  change: 'May be touched',
  check: 'New row fits',
  read_back: 'Can be read back',
}

/** Why no policy is asked at all. */
export function inactiveWords(because: NonNullable<RlsResult['inactive']>, role: string): string {
  switch (because) {
    case 'off':
      return 'Row level security is off for this table, so no policy applies.'
    case 'bypass':
      return `The role ${role} passes every policy.`
    case 'owner':
      return `The role ${role} owns this table, and row level security does not apply to its owner.`
  }
}
