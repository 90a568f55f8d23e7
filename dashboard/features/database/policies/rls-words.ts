import type { RlsCommand, RlsOutcome, RlsResult, RlsStep } from '#contract/database/rls-test'
import type { Tone } from '../../../ui/text/Badge.tsx'

type Said = { word: string; tone: Tone }

/** What becomes of a row, in one word. */
export function outcomeWord(command: RlsCommand, outcome: RlsOutcome): Said {
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
