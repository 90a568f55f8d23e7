import { tableTransfer, type ImportState } from '#contract/table-transfer'
import type { Input, Output } from '#contract/endpoint'
import { CallError } from '../../api/client.ts'
import { callDatabase } from '../../session/database.ts'

type Start = Input<typeof tableTransfer.start>
export type Imported = Output<typeof tableTransfer.finish>
export type Progress = { state: ImportState; sent: number; size: number }

/** Bytes of one piece. */
const pieceSize = 1_000_000
/** Times a piece is sent before the connection counts as lost. */
const attempts = 5

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

/** A piece that did not arrive, or came too soon, is sent again: the server takes each only once. */
async function again<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const passing = error instanceof CallError && (error.code === 0 || error.code === 429)
      if (!passing || attempt === attempts || signal.aborted) throw error
      await wait((error.retryAfter ?? attempt) * 1000, signal)
    }
  }
}

/** Sends a file piece by piece, never holding more than one. Cancelled or failed, nothing of it stays. */
export async function runImport(
  start: Start,
  file: Blob,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Imported> {
  const { ref } = start
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const { size } = file
  let state = await callDatabase(tableTransfer.start, start, signal)
  const of = { ref, import: state.id }
  try {
    for (let at = 0; at < size; at += pieceSize) {
      const bytes = await file.slice(at, at + pieceSize).arrayBuffer()
      const text = decoder.decode(bytes, { stream: at + pieceSize < size })
      const piece = { ...of, index: state.next, text }
      state = await again(() => callDatabase(tableTransfer.piece, piece, signal), signal)
      onProgress({ state, sent: Math.min(size, at + pieceSize), size })
    }
    return await callDatabase(tableTransfer.finish, of, signal)
  } catch (error) {
    await callDatabase(tableTransfer.cancel, of).catch(() => undefined)
    if (error instanceof TypeError)
      throw new Error('The file is not text in UTF-8: save it in that encoding first', {
        cause: error,
      })
    throw error
  }
}
