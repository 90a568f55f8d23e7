import { z } from 'zod'
import type { ArchiveWindow } from '../../provider.ts'
import type { Known } from './facts.ts'

/**
 * When a project's archive counts, as it stands on its namespace. A server with backups archives all the time, since its backups need
 * that; that it can be restored to any moment is switched on and off beside it.
 */
const Archive = z.object({
  parts: z.array(
    z.object({
      /** The folder that its server archived to. */
      server: z.string(),
      since: z.coerce.date(),
      /** Undefined: it goes on. */
      until: z.coerce.date().optional(),
    }),
  ),
  /** For each server a moment after which it has committed something: up to there it can be told to stop replaying. */
  marks: z.record(z.string(), z.coerce.date()),
})
export type Archive = z.infer<typeof Archive>

export const readArchive = (text: string | undefined): Archive =>
  text === undefined ? { parts: [], marks: {} } : Archive.parse(JSON.parse(text))
export const writeArchive = (archive: Archive): string => JSON.stringify(archive)

const isOpen = ({ until }: Archive['parts'][number]) => until === undefined
export const isArchiving = ({ parts }: Archive): boolean => parts.some(isOpen)

export const begin = (archive: Archive, server: string, since: Date): Archive =>
  isArchiving(archive)
    ? archive
    : { ...archive, parts: [...archive.parts, { server, since, until: undefined }] }
export const end = (archive: Archive, until: Date): Archive => ({
  ...archive,
  parts: archive.parts.map((part) => (isOpen(part) ? { ...part, until } : part)),
})
export const mark = (archive: Archive, server: string, at: Date): Archive => ({
  ...archive,
  marks: { ...archive.marks, [server]: at },
})

/** Without what no backup leads to any more. */
export function forget(archive: Archive, backups: readonly Pick<Known, 'server'>[]): Archive {
  const servers = new Set(backups.map(({ server }) => server))
  const parts = archive.parts.filter((part) => isOpen(part) || servers.has(part.server))
  for (const { server } of parts) servers.add(server)
  const marks = Object.entries(archive.marks).filter(([server]) => servers.has(server))
  return { parts, marks: Object.fromEntries(marks) }
}

const within =
  ({ server, since, until }: Archive['parts'][number]) =>
  (one: Pick<Known, 'server' | 'takenAt'>): boolean =>
    one.server === server && one.takenAt >= since && (until === undefined || one.takenAt <= until)

/** From the first backup of each part until the part ended. `backups`: oldest first. */
export const windowsOf = (
  { parts }: Archive,
  backups: readonly Pick<Known, 'server' | 'takenAt'>[],
): ArchiveWindow[] =>
  parts.flatMap((part) => {
    const first = backups.find(within(part))
    return first ? [{ from: first.takenAt, to: part.until }] : []
  })

/** The newest backup from which the archive leads to the moment. `backups`: oldest first. */
export function backupBefore<T extends Pick<Known, 'server' | 'takenAt'>>(
  { parts }: Archive,
  backups: readonly T[],
  moment: Date,
): T | undefined {
  const part = parts.find(
    ({ since, until }) => since <= moment && (until === undefined || moment <= until),
  )
  return part && backups.findLast((one) => within(part)(one) && one.takenAt <= moment)
}
