import { useSyncExternalStore } from 'react'
import type { Input } from '#contract/endpoint'
import {
  tableTransfer,
  type Import,
  type ImportFile,
  importUpload,
  type ImportState,
  type UploadAnswer,
} from '#contract/database/table-transfer'
import { messageOf, CallError, queryClient } from '../../../../api/client.ts'
import { callDatabase } from '../../../../session/project/database.ts'
import { failure } from '../../../../api/http.ts'
import { texts } from '../../../../api/call-error.ts'
import { projectQuery } from '../../../../session/project/project.ts'
import { changeImports, refreshImports } from './imports-query.ts'

/** A file that this page is sending. It goes on whatever is opened meanwhile, until the page is left. */
type Upload = { file: Blob; stop: AbortController; running: boolean; problem: string | undefined }
type Requested = Omit<Input<typeof tableTransfer.start>, 'file'>

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
  requested: Requested,
  name: string,
  file: Blob,
): Promise<{ id: string; sent: Promise<void> }> {
  const input = { ...requested, file: fileFacts(name, file) }
  const { report: _, upload_token: __, ...state } = await callDatabase(tableTransfer.start, input)
  await changeImports(requested.ref, (list) => [state, ...list])
  return { id: state.id, sent: send(requested.ref, state, file) }
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
    await sendFile({ of, file, signal: stop.signal }, state.received, (received) =>
      changeImports(ref, (list) =>
        list.map((one) => (one.id === state.id ? { ...one, received } : one)),
      ),
    )
    set(state.id, undefined)
  } catch (error) {
    if (stop.signal.aborted) return set(state.id, undefined)
    if (isPassing(error)) return set(state.id, { running: false, problem: messageOf(error) })
    set(state.id, undefined)
    const reason = readable(error)
    // It is of no use any more; a server that does not hear this removes it after a day.
    cancelImport(of).catch(() => undefined)
    throw reason
  } finally {
    await refreshImports()
  }
}

function readable(error: unknown): unknown {
  if (error instanceof TypeError)
    return new Error('The file is not text in UTF-8: save it in that encoding first', {
      cause: error,
    })
  if (error instanceof DOMException && error.name === 'NotReadableError')
    return new Error('The file was changed or removed while it was read', { cause: error })
  return error
}

type Of = { ref: string; import: string }

/** Sends the file from a byte on; answers the byte with which it goes on. */
type Way = (offset: number) => Promise<number>
type Sending = { of: Of; file: Blob; signal: AbortSignal }

/** Bytes that are sent at once, straight to the project and as a call like any other. */
const [partSize, pieceSize] = [4_000_000, 2_000_000]
/** Times a part is sent before the connection counts as lost. */
const attempts = 6
/** Server not reached, too many at once, or away for a moment. */
const passing = new Set([0, 429, 502, 503, 504])
const isPassing = (error: unknown): error is CallError =>
  error instanceof CallError && passing.has(error.code)

/**
 * Sends a file from where it was cut off: straight to the project, or through the platform where the address of the
 * project cannot be reached from here.
 * @throws CallError; TypeError when the file is no text in UTF-8
 */
async function sendFile(
  sending: Sending,
  from: number,
  onReceived: (received: number) => Promise<void>,
): Promise<void> {
  const { of, file, signal } = sending
  let received = from
  let way = await straight(sending)
  for (let isFirst = true; received < file.size; isFirst = false) {
    const offset = received
    const first = isFirst ? await way(offset).catch(unlessPassing(signal)) : undefined
    if (isFirst && first === undefined) way = throughPlatform(sending)
    received = first ?? (await again(() => way(offset), signal))
    await onReceived(received)
  }
  await again(() => callDatabase(tableTransfer.finish, of, signal), signal)
}

const stateOf = ({ of, signal }: Sending): Promise<ImportState> =>
  callDatabase(tableTransfer.state, of, signal)

/** The bytes as they are, which nothing on their way has to read. */
async function straight(sending: Sending): Promise<Way> {
  const { of, file, signal } = sending
  const { endpoint } = await queryClient.ensureQueryData(projectQuery(of.ref))
  let token = (await stateOf(sending)).upload_token ?? ''

  async function put(offset: number): Promise<number> {
    const part = file.slice(offset, offset + partSize)
    textOf(await part.arrayBuffer(), { offset, isLast: offset + part.size === file.size })
    const address = endpoint.replace(/\/+$/, '') + importUpload.path(of.import, offset)
    const { method } = importUpload
    const headers = { authorization: `Bearer ${token}` }
    const request = { method, headers, body: part, credentials: 'omit', signal } as const
    const answer = await fetch(address, request).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new CallError(texts.network, { code: 0 })
    })
    if (!answer.ok) throw await failure(answer, '')
    // What it answers by its contract.
    return ((await answer.json()) as UploadAnswer).received
  }
  return async (offset) => {
    try {
      return await put(offset)
    } catch (error) {
      if (!(error instanceof CallError) || (error.code !== 401 && error.code !== 409)) throw error
      const state = await stateOf(sending)
      token = state.upload_token ?? ''
      return error.code === 401 ? put(offset) : goesOnAt(state, offset, error)
    }
  }
}

/** As text in calls of the platform. */
function throughPlatform(sending: Sending): Way {
  const { of, file, signal } = sending
  const send = (piece: Input<typeof tableTransfer.piece>) =>
    callDatabase(tableTransfer.piece, piece, signal)
  return async (offset) => {
    const bytes = await file.slice(offset, offset + pieceSize).arrayBuffer()
    const isLast = offset + bytes.byteLength === file.size
    const text = textOf(bytes, { offset, isLast })
    try {
      return (await send({ ...of, offset, text })).received
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 409) throw error
      return goesOnAt(await stateOf(sending), offset, error)
    }
  }
}

/** A part of which nobody knows whether it arrived is asked after: the server says where the file goes on. */
function goesOnAt({ phase, received, file }: ImportState, offset: number, refusal: CallError) {
  if (phase !== 'receiving') return file.size
  // Still at the same place, the part is being written just now.
  if (received === offset) throw new CallError(refusal.message, { code: 429, retryAfter: 1 })
  return received
}

/** A character that is cut off at the end is left to the next part, and what is left of one to this. */
function textOf(bytes: ArrayBuffer, { offset, isLast }: { offset: number; isLast: boolean }) {
  let start = 0
  const view = new Uint8Array(bytes)
  while (offset > 0 && start < 3 && ((view[start] ?? 0) & 0xc0) === 0x80) start += 1
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return decoder.decode(view.subarray(start), { stream: !isLast })
}

const unlessPassing = (signal: AbortSignal) => (error: unknown) => {
  if (!isPassing(error) || signal.aborted) throw error
  return undefined
}

async function again<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || attempt === attempts || signal.aborted) throw error
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
