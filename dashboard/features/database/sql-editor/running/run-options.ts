import type { Impersonation } from '../../../../modules/roles/impersonation.ts'
import type { SqlFile } from './sql-file.ts'

/** How a text runs, beside the text itself. */
export type RunOptions = {
  /** Rows that a lone SELECT is limited to; null for all. */
  limit: number | null
  timeoutMs: number
  readOnly: boolean
  as: Impersonation | undefined
  parameters: Readonly<Record<string, string | null>>
  explain: 'plan' | 'analyze' | undefined
  transaction: { id: string; begin: boolean } | undefined
  /** All of it is kept, or nothing. */
  oneTransaction: boolean
  /** What runs in place of the text. */
  file: SqlFile | undefined
}

/** Milliseconds that a statement may take, as they are offered. */
export const timeouts: readonly { value: number; label: string }[] = [
  { value: 10_000, label: '10 seconds' },
  { value: 60_000, label: '1 minute' },
  { value: 300_000, label: '5 minutes' },
  { value: 1_800_000, label: '30 minutes' },
  { value: 3_600_000, label: '1 hour' },
]
export const timeoutLabel = (ms: number) =>
  timeouts.find(({ value }) => value === ms)?.label ?? `${Math.round(ms / 1000)} seconds`
