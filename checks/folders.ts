import { dirname } from 'node:path'
import type { Source } from './sources.ts'

/** Files of a folder at most: more than that are not read as a list. */
export const maxFiles = 40

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
    .filter(([, count]) => count > maxFiles)
    .map(([folder, count]) => `${folder}: ${count} files`)
