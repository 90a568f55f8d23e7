import type { Input } from '#contract/endpoint'
import {
  importUpload,
  tableTransfer,
  type ImportState,
  type UploadAnswer,
} from '#contract/database/table-transfer'
import { CallError, queryClient } from '../../../../api/client.ts'
import { failure } from '../../../../api/http.ts'
import { texts } from '../../../../api/call-error.ts'
import { callDatabase } from '../../../../session/project/database.ts'
import { projectQuery } from '../../../../session/project/project.ts'

export type Of = { ref: string; import: string }

/** Sends the file from a byte on; answers the byte with which it goes on. */
type Way = (offset: number) => Promise<number>
type Sending = { of: Of; file: Blob; signal: AbortSignal }

/** Bytes that are sent at once, straight to the project and as a call like any other. */
const [partSize, pieceSize] = [4_000_000, 2_000_000]
/** Times a part is sent before the connection counts as lost. */
const attempts = 6
/** Server not reached, too many at once, or away for a moment. */
const passing = new Set([0, 429, 502, 503, 504])
export const isPassing = (error: unknown): error is CallError =>
  error instanceof CallError && passing.has(error.code)

/**
 * Sends a file from where it was cut off: straight to the project, or through the platform where the address of the
 * project cannot be reached from here.
 * @throws CallError; TypeError when the file is no text in UTF-8
 */
export async function sendFile(
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
