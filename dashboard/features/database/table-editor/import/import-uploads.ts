import { useSyncExternalStore } from 'react'
import type { Input } from '#contract/endpoint'
import { tableTransfer, type Import, type ImportFile } from '#contract/database/table-transfer'
import { messageOf } from '../../../../api/client.ts'
import { callDatabase } from '../../../../session/project/database.ts'
import { isPassing, sendFile, type Of } from './import-send.ts'
import { changeImports, refreshImports } from './imports-query.ts'

/** A file that this page is sending. It goes on whatever is opened meanwhile, until the page is left. */
type Upload = { file: Blob; stop: AbortController; running: boolean; problem: string | undefined }
type Wanted = Omit<Input<typeof tableTransfer.start>, 'file'>

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
  const { report: _, upload_token: __, ...state } = await callDatabase(tableTransfer.start, input)
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
