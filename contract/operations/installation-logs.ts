import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant, wholeNumber } from '../values.ts'

/** The levels of entries, as the programs write them; `error` holds what is worse, too. */
export const installationLevels = ['debug', 'info', 'warn', 'error'] as const
export type InstallationLevel = (typeof installationLevels)[number]

/** The programs that write them. */
export const installationPrograms = ['launcher', 'control-plane', 'data-plane'] as const

/** The number of a file and a place in it, in bytes: `12.4096`. */
const Cursor = z.string().regex(/^\d{1,9}\.\d{1,12}$/, 'is no place in the logs')

export const InstallationEntry = z.object({
  /** Where it stands; later entries are further on. */
  id: z.string(),
  timestamp: Instant,
  level: z.enum(installationLevels),
  program: z.string(),
  message: z.string(),
  /** The rest of it, as JSON; empty where there is none. */
  detail: z.string(),
})
export type InstallationEntry = z.infer<typeof InstallationEntry>

export const installationLogs = {
  /**
   * Newest first. One answer looks through a few megabytes at most: with nothing found yet, `older` may still lead on.
   */
  page: endpoint('installationLogs.page', 'GET /platform/operator/logs', {
    needs: 'operator',
    sessionOnly: true,
    input: z.object({
      /** This one and what is worse. */
      level: z.enum(installationLevels).default('debug'),
      program: z.enum(installationPrograms).optional(),
      /** Somewhere in the entry, in upper or lower case. */
      text: z.string().max(200).default(''),
      /** Entries before this place, from `older`. */
      before: Cursor.optional(),
      /** Entries from this place on, from `newer`. */
      after: Cursor.optional(),
      limit: wholeNumber(1, 500).default(100),
    }),
    returns: z.object({
      entries: z.array(InstallationEntry),
      /** Null: nothing older is kept. */
      older: z.string().nullable(),
      /** Where what comes next will begin. */
      newer: z.string(),
      /** Why this installation keeps no logs to read; null where it does. */
      absent: z.string().nullable(),
    }),
  }),
}
