import type { LogFile } from './file-names.ts'

export type Sized = LogFile & { bytes: number; changedAt: number }
/** Files that become one, of one day of one project. */
export type Job = { ref: string; day: number; files: Sized[] }

/** Sealed lines of a day in portions that the packer can put into order. */
export function packJobs(
  ref: string,
  day: number,
  files: readonly Sized[],
  packInto: number,
): Job[] {
  const sealed = files
    .filter(({ kind }) => kind === 'sealed')
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return groups(sealed, packInto).map((group) => ({ ref, day, files: group }))
}

/**
 * What of a day's packed files is to be merged, where there are too many: neighbours, as far as they stay smaller than an
 * eighth of the day. So a day has some sixteen files at most, and each entry is merged only a few times.
 */
export function mergeJobs(ref: string, day: number, files: readonly Sized[], most: number): Job[] {
  const packed = files
    .filter(({ kind }) => kind === 'packed')
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  if (packed.length <= most) return []
  const all = packed.reduce((sum, { bytes }) => sum + bytes, 0)
  return groups(packed, Math.max(all / (most / 2), 1024 ** 2))
    .filter((group) => group.length > 1)
    .map((group) => ({ ref, day, files: group }))
}

function groups(files: readonly Sized[], bytesOfOne: number): Sized[][] {
  const found: Sized[][] = []
  let bytes = Infinity
  for (const file of files) {
    if (bytes + file.bytes > bytesOfOne) {
      found.push([])
      bytes = 0
    }
    found.at(-1)?.push(file)
    bytes += file.bytes
  }
  return found
}
