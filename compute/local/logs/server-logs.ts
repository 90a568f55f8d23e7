import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readSync,
  watch,
  type FSWatcher,
} from 'node:fs'
import { copyFile, open, rename, stat, writeFile } from 'node:fs/promises'
import { createMutex, perKey } from '#kit/concurrency'
import type { Log } from '#kit/log'
import { isMissing, readIfExists } from '#kit/postgres/files'
import type { ServerLogEntry } from '#contract/observability/server-log'
import { entriesOf } from './server-log-lines.ts'

type Options = {
  /** The file that a project's server writes to. It belongs to the platform, which gives it to the server open. */
  fileOf: (ref: string) => string
  /** Where it is noted how far it was handed over; beside the log unless told. */
  cursorOf?: (ref: string) => string
  /** Takes entries over for good; what it rejects is handed over again. */
  handOver: (ref: string, entries: ServerLogEntry[]) => Promise<void>
  log: Log
  /** Folders of the platform: what lies below them is named without saying where on the machine they are. */
  folders?: readonly string[]
  /** Bytes that the file may have before it is emptied. */
  maxBytes?: number
  /** Milliseconds after the first change in which more are waited for. */
  gatherMs?: number
}
type Followed = {
  watcher: FSWatcher | undefined
  timer: NodeJS.Timeout | undefined
  /** Bytes that were handed over. */
  at: number
  /** Milliseconds until the next attempt when one fails. */
  waits: number
}

/** Bytes that are read at once: what is handed over is one message. */
const pieceBytes = 1024 * 1024
/** Entries of one message. */
const maxEntries = 1000
/** Milliseconds until it is tried again when nobody took them: at first, and at most. */
const retryMs = { first: 1000, most: 60_000 }

/**
 * Follows what servers write. How far an entry was handed over stands beside the log, written after it was: a platform that
 * ends in between hands it over twice, under the same id. Nothing is done while a server writes nothing.
 */
export function createServerLogs(options: Options) {
  const { fileOf, handOver, log, maxBytes = 8 * 1024 * 1024, gatherMs = 300 } = options
  const followed = new Map<string, Followed>()
  const hidden = (text: string) =>
    (options.folders ?? []).reduce((rest, folder) => rest.replaceAll(folder, ''), text)
  const { cursorOf = (ref) => `${fileOf(ref)}.cursor` } = options
  let closed = false

  const alone = perKey(createMutex)

  /** It need not outlive a power cut: without it entries are handed over once more. */
  async function keepCursor(ref: string, at: number): Promise<void> {
    const path = cursorOf(ref)
    await writeFile(`${path}.new`, String(at), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }

  /** Hands over what is there now. @throws when nobody takes it */
  async function take(ref: string, state: Followed): Promise<void> {
    for (;;) {
      const piece = await readPiece(fileOf(ref), state.at)
      if (!piece) return
      const entries = entriesOf(hidden(piece.text))
      for (let from = 0; from < entries.length; from += maxEntries)
        await handOver(ref, entries.slice(from, from + maxEntries))
      state.at = piece.end
      state.waits = retryMs.first
      await keepCursor(ref, state.at)
    }
  }

  function soon(ref: string, state: Followed, ms: number): void {
    if (closed || state.timer !== undefined) return
    state.timer = setTimeout(() => {
      state.timer = undefined
      if (followed.get(ref) !== state) return
      alone(ref, () => take(ref, state)).catch((error: unknown) => {
        log.info({ err: error, ref }, 'the log of a server waits: nobody takes it')
        soon(ref, state, state.waits)
        state.waits = Math.min(state.waits * 2, retryMs.most)
      })
    }, ms)
    state.timer.unref()
  }

  async function begin(ref: string): Promise<Followed> {
    const at = Number((await readIfExists(cursorOf(ref))) ?? 0) || 0
    const state = { watcher: undefined, timer: undefined, at, waits: retryMs.first }
    followed.set(ref, state)
    return state
  }

  function watchFile(ref: string, state: Followed): void {
    try {
      const watcher = watch(fileOf(ref), { persistent: false }, () => soon(ref, state, gatherMs))
      state.watcher = watcher
      watcher.on('error', (error) => {
        log.info({ err: error, ref }, 'the log of a server is not watched any more')
        watcher.close()
        state.watcher = undefined
      })
    } catch (error) {
      // A file system that cannot be watched, or a server that has written nothing yet: the round looks.
      log.debug({ err: error, ref }, 'the log of a server cannot be watched')
    }
  }

  function unwatch(ref: string): void {
    const state = followed.get(ref)
    state?.watcher?.close()
    clearTimeout(state?.timer)
    followed.delete(ref)
  }

  return {
    /** From where it was left. */
    async follow(ref: string): Promise<void> {
      if (closed || followed.get(ref)?.watcher) return
      const state = followed.get(ref) ?? (await begin(ref))
      watchFile(ref, state)
      soon(ref, state, 0)
    },
    /** What the server wrote last is handed over before, when somebody takes it. */
    async unfollow(ref: string): Promise<void> {
      const state = followed.get(ref)
      if (!state) return
      unwatch(ref)
      await alone(ref, () => take(ref, state)).catch((error: unknown) =>
        log.info({ err: error, ref }, 'the end of the log of a server waits: nobody takes it'),
      )
    },
    /** Forgets a project whose folder is gone. */
    forget: unwatch,
    /** Keeps the file below its size; also looks where nothing could be watched. */
    async round(ref: string): Promise<void> {
      const state = followed.get(ref)
      if (state && !state.watcher) soon(ref, state, 0)
      if (!(await isLarger(fileOf(ref), maxBytes))) return
      await alone(ref, async () => {
        try {
          if (state) await take(ref, state)
        } catch (error) {
          // It can wait for whoever takes it, as long as the disk can.
          if (!(await isLarger(fileOf(ref), maxBytes * 4))) return
          log.warn({ err: error, ref }, 'the log of a server is emptied, and nobody has taken it')
        }
        await copyFile(fileOf(ref), `${fileOf(ref)}.1`)
        const rest = emptied(fileOf(ref), state?.at ?? 0)
        if (!state) return
        state.at = 0
        await keepCursor(ref, 0)
        const entries = entriesOf(hidden(rest))
        if (entries.length > 0) await handOver(ref, entries)
      })
    },
    close(): void {
      closed = true
      for (const ref of followed.keys()) unwatch(ref)
    },
  }
}
export type ServerLogs = ReturnType<typeof createServerLogs>

async function isLarger(file: string, bytes: number): Promise<boolean> {
  try {
    return (await stat(file)).size > bytes
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Whole lines from `at` on, and where they end; undefined when there are none. */
async function readPiece(
  path: string,
  at: number,
): Promise<{ text: string; end: number } | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    // It was emptied since.
    const from = at > size ? 0 : at
    const buffer = Buffer.alloc(Math.min(size - from, pieceBytes))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
    const bytes = buffer.subarray(0, bytesRead)
    const end = bytes.lastIndexOf(10) + 1
    if (end > 0) return { text: bytes.toString('utf8', 0, end), end: from + end }
    // A line without an end that fills all that is read is no entry of ours.
    return bytesRead === pieceBytes ? { text: '', end: from + bytesRead } : undefined
  } finally {
    await file.close()
  }
}

/**
 * Empties a file that a server has open, and gives what was written behind `at`. In one go, without giving way to anything
 * else: what the server writes between the last look and the emptying would be lost.
 */
function emptied(path: string, at: number): string {
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    const buffer = Buffer.alloc(pieceBytes)
    let text = ''
    for (let from = at; ;) {
      const read = readSync(file, buffer, 0, buffer.length, from)
      if (read === 0) break
      text += buffer.toString('utf8', 0, read)
      from += read
    }
    ftruncateSync(file)
    return text
  } finally {
    closeSync(file)
  }
}
