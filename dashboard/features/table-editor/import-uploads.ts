import { useSyncExternalStore } from 'react'
import type { Input } from '#contract/endpoint'
import {
  tableTransfer,
  type Import,
  type ImportFile,
  type ImportState,
} from '#contract/table-transfer'
import { CallError, messageOf } from '../../api/client.ts'
import { callDatabase } from '../../session/database.ts'
import { changeImports, refreshImports } from './imports-query.ts'

/** A file that this page is sending. It goes on whatever is opened meanwhile, until the page is left. */
type Upload = { file: Blob; stop: AbortController; running: boolean; problem: string | undefined }
type Of = { ref: string; import: string }
type Wanted = Omit<Input<typeof tableTransfer.start>, 'file'>

/** Bytes of one piece. */
const pieceSize = 2_000_000
/** Times a piece is sent before the connection counts as lost. */
const attempts = 6
/** Server not reached, too many at once, or away for a moment. */
const passing = new Set([0, 429, 502, 503, 504])

let uploads: ReadonlyMap<string, Upload> = new Map()
const watchers = new Set<() => void>()
function set(id: string, part: Partial<Upload> | undefined): void {
  const next = new Map(uploads)
  const known = next.get(id)
  if (part === undefined) next.delete(id)
  else if (known) next.set(id, { ...known, ...part })
  uploads = next
  for (const watch of watchers) watch()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** What this page knows of the sending of an import; undefined when it does not have the file. */
export const useUpload = (id: string): Upload | undefined =>
  useSyncExternalStore(watch, () => uploads.get(id))

export const fileFacts = (name: string, file: Blob): ImportFile => ({
  name: name.slice(0, 255),
  size: file.size,
  modified: file instanceof File ? file.lastModified : 0,
})

/** `sent` is refused for what no repetition mends; what was sent is removed then. */
export async function startImport(
  wanted: Wanted,
  name: string,
  file: Blob,
): Promise<{ id: string; sent: Promise<void> }> {
  const input = { ...wanted, file: fileFacts(name, file) }
  const { report: _, ...state } = await callDatabase(tableTransfer.start, input)
  await changeImports(wanted.ref, (list) => [state, ...list])
  return { id: state.id, sent: send(wanted.ref, state, file) }
}

/** Goes on with a file from where it was cut off. */
export const continueImport = (ref: string, state: Import, file: Blob): Promise<void> =>
  send(ref, state, file)

/** The one that is sent again has to be the one that was begun. */
export const isSameFile = (begun: ImportFile, name: string, file: Blob): boolean => {
  const facts = fileFacts(name, file)
  return facts.name === begun.name && facts.size === begun.size && facts.modified === begun.modified
}

export async function cancelImport(of: Of): Promise<void> {
  uploads.get(of.import)?.stop.abort()
  const { cancelled } = await callDatabase(tableTransfer.cancel, of)
  if (cancelled) await changeImports(of.ref, (list) => list.filter(({ id }) => id !== of.import))
  else await refreshImports()
}

async function send(ref: string, state: Import, file: Blob): Promise<void> {
  const of = { ref, import: state.id }
  const stop = new AbortController()
  uploads = new Map(uploads).set(state.id, { file, stop, running: true, problem: undefined })
  set(state.id, {})
  try {
    await sendPieces(of, state, file, stop.signal)
    set(state.id, undefined)
  } catch (error) {
    if (stop.signal.aborted) return set(state.id, undefined)
    if (error instanceof CallError && passing.has(error.code))
      return set(state.id, { running: false, problem: messageOf(error) })
    set(state.id, undefined)
    const reason = readable(error)
    // It is of no use any more; a server that does not hear this removes it after a day.
    cancelImport(of).catch(() => undefined)
    throw reason
  } finally {
    await refreshImports()
  }
}

async function sendPieces(of: Of, begun: Import, file: Blob, signal: AbortSignal): Promise<void> {
  const { size } = file
  let state = begun
  while (state.phase === 'receiving' && state.received < size) {
    const { received: offset } = state
    const bytes = await file.slice(offset, offset + pieceSize).arrayBuffer()
    // A character that is cut off at the end of the piece is left to the next one.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes, { stream: offset + pieceSize < size })
    const next = await again(() => sendPiece({ ...of, offset, text }, signal), signal)
    state = next
    await changeImports(of.ref, (list) => list.map((one) => (one.id === next.id ? next : one)))
  }
  await again(() => callDatabase(tableTransfer.finish, of, signal), signal)
}

/** A piece of which nobody knows whether it arrived is asked after: the server says where the file goes on. */
async function sendPiece(
  piece: Input<typeof tableTransfer.piece>,
  signal: AbortSignal,
): Promise<Import> {
  try {
    return await callDatabase(tableTransfer.piece, piece, signal)
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 409) throw error
    const state: ImportState = await callDatabase(
      tableTransfer.state,
      { ref: piece.ref, import: piece.import },
      signal,
    )
    // Still at the same place, the piece is being written just now.
    if (state.phase === 'receiving' && state.received === piece.offset)
      throw new CallError(error.message, { code: 429, retryAfter: 1 })
    return state
  }
}

async function again<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const passes = error instanceof CallError && passing.has(error.code)
      if (!passes || attempt === attempts || signal.aborted) throw error
      await wait((error.retryAfter ?? attempt) * 1000, signal)
    }
  }
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(new DOMException('Cancelled', 'AbortError'))
      },
      { once: true },
    )
  })

function readable(error: unknown): unknown {
  if (error instanceof TypeError)
    return new Error('The file is not text in UTF-8: save it in that encoding first', {
      cause: error,
    })
  if (error instanceof DOMException && error.name === 'NotReadableError')
    return new Error('The file was changed or removed while it was read', { cause: error })
  return error
}
