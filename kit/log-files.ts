import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** What a bounded log keeps: so many files of so many bytes. */
export const logFileLimits = { files: 5, bytes: 10 * 1024 * 1024 }

const nameOf = (number: number) => `${number}.jsonl`

/** The numbers of the files in a folder, oldest first. Empty where there is no folder. */
export function logFilesIn(folder: string): number[] {
  return readdirIfAny(folder)
    .flatMap((name) => /^([1-9]\d{0,8})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}
export const logFilePath = (folder: string, number: number): string => join(folder, nameOf(number))

function readdirIfAny(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

type Options = {
  folder: string
  limits?: { files: number; bytes: number }
  /** Says once that lines are lost, until some can be written again. */
  complain: (line: string) => void
}

/**
 * Keeps the newest lines in files that are numbered and never renamed, so that a place in them stays one: the next number is begun
 * when a file is full, and the oldest goes. Only one process may write to a folder. What cannot be written, as on a full disk, is lost.
 */
export function openLogFiles({ folder, limits = logFileLimits, complain }: Options) {
  let file: { number: number; descriptor: number; bytes: number } | undefined
  let isLosing = false

  function begin(number: number): NonNullable<typeof file> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const descriptor = openSync(logFilePath(folder, number), 'a', 0o600)
    file = { number, descriptor, bytes: statSync(logFilePath(folder, number)).size }
    for (const old of logFilesIn(folder).slice(0, -limits.files))
      rmSync(logFilePath(folder, old), { force: true })
    // A line that a crash has cut off must not swallow the next one.
    if (file.bytes > 0) file.bytes += writeSync(descriptor, '\n')
    return file
  }

  function writable(): NonNullable<typeof file> {
    const current = file ?? begin(logFilesIn(folder).at(-1) ?? 1)
    if (current.bytes < limits.bytes) return current
    closeSync(current.descriptor)
    file = undefined
    return begin(current.number + 1)
  }

  return {
    /** One line, without its end. */
    write(line: string): void {
      try {
        const current = writable()
        current.bytes += writeSync(current.descriptor, `${line}\n`)
        isLosing = false
      } catch (error) {
        if (!isLosing) complain(`the log files cannot be written: ${String(error)}`)
        isLosing = true
      }
    },
    close(): void {
      if (file) closeSync(file.descriptor)
      file = undefined
    },
  }
}
export type LogFiles = ReturnType<typeof openLogFiles>
