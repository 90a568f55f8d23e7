import { z } from 'zod'
import {
  BackupDamagedError,
  CopyRefusedError,
  NotCaughtUpError,
  NotCoveredError,
  UnknownBackupError,
  UnknownProjectError,
  UnknownReplicaError,
} from '../provider.ts'

/** An error as one line of JSON has it. `code`: that of the system or of Postgres. */
export const SentError = z.object({
  name: z.string(),
  message: z.string(),
  code: z.string().exactOptional(),
  ref: z.string().exactOptional(),
  key: z.object({ ref: z.string(), id: z.string() }).exactOptional(),
})
export type SentError = z.infer<typeof SentError>

const byMessage = {
  BackupDamagedError,
  CopyRefusedError,
  NotCaughtUpError,
  NotCoveredError,
  UnknownBackupError,
  TypeError,
}

export function sent(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  if (error instanceof UnknownProjectError) return { name, message, ref: error.ref }
  if (error instanceof UnknownReplicaError) return { name, message, key: error.key }
  return { name, message, ...code }
}

/** The error of the same class: whoever called tells apart what happened by it. */
export function received({ name, message, code, ref, key }: SentError): Error {
  if (name === 'UnknownProjectError' && ref !== undefined) return new UnknownProjectError(ref)
  if (name === 'UnknownReplicaError' && key) return new UnknownReplicaError(key)
  const Known = Object.entries(byMessage).find(([known]) => known === name)?.[1]
  if (Known) return new Known(message)
  return Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) })
}
