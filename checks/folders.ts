import { dirname } from 'node:path'
import type { Source } from './sources.ts'

/** Files of a folder at most: more than that are not read as a list. */
export const mostFiles = 40

/**
 * Folders that are still to be divided, with what they hold: none may grow, and who divides one takes it off.
 */
export const stillFull: Readonly<Record<string, number>> = {
  'data-plane/auth': 214,
  'dashboard/ui': 146,
  'dashboard/features/database/table-editor': 141,
  'dashboard/session': 119,
  'dashboard/features/database/sql-editor': 117,
  'data-plane/rest': 111,
  'data-plane/storage': 100,
  journeys: 77,
  start: 70,
  kit: 65,
  'dashboard/features/auth/auth-config': 49,
  'dashboard/features/storage/storage': 48,
  bench: 46,
  'data-plane/graphql': 45,
  'contract/database': 44,
  'dashboard/shell': 44,
  'data-plane/realtime': 43,
  'dashboard/features/people/account': 43,
  'contract/ddl': 42,
  'data-plane/pg-meta/rows': 41,
}

const countByFolder = (sources: readonly Source[]) => {
  const counts = new Map<string, number>()
  for (const { path } of sources) {
    const folder = dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return counts
}

/** Folders with more files than they may have. */
export const overfull = (sources: readonly Source[]): string[] =>
  [...countByFolder(sources)]
    .filter(([folder, count]) => count > (stillFull[folder] ?? mostFiles))
    .map(([folder, count]) => `${folder}: ${count} files`)

/** Folders of the list above that hold less than it says: the list is to follow. */
export const nowSmaller = (sources: readonly Source[]): string[] => {
  const counts = countByFolder(sources)
  return Object.entries(stillFull)
    .filter(([folder, most]) => (counts.get(folder) ?? 0) < most)
    .map(([folder, most]) => `${folder}: ${counts.get(folder) ?? 0} files, not ${most}`)
}
