import type { FileEntry } from '#contract/storage/storage'
import { storage } from '#contract/storage/storage'
import { storageJobs, maxJobItems } from '#contract/storage/storage-jobs'
import { call, forget } from '../../../../api/client.ts'
import { below, nameOf } from './paths.ts'
import { ofFiles } from '../queries.ts'
import { begun } from '../StorageJobs.tsx'

export type Place = { projectRef: string; bucket: string; path: string }
export type Target = { bucket: string; path: string }

const keyOf = (path: string, { name, id }: FileEntry) =>
  id === null ? `${below(path, name)}/` : below(path, name)

/** What can be chosen at once. */
export const tooMany = (count: number) =>
  count > maxJobItems ? `At most ${maxJobItems} at once; choose their folder instead` : undefined

/** A single file at once; folders, and several things, by a job that goes on by itself. Says which of the two. */
export async function execute(
  kind: 'move' | 'copy' | 'remove',
  { projectRef: ref, bucket, path }: Place,
  entries: readonly FileEntry[],
  target?: Target & { /** Of a single one: its new name. */ name?: string },
): Promise<'done' | 'begun'> {
  const items = entries.map((entry) => ({
    from: keyOf(path, entry),
    ...(target && {
      to: keyOf(target.path, { ...entry, name: target.name ?? entry.name }),
    }),
  }))
  const [only] = items
  const isFile = entries.length === 1 && entries[0]?.id !== null
  const elsewhere = target && target.bucket !== bucket ? { to_bucket: target.bucket } : {}
  if (!isFile || !only) {
    await begun(await call(storageJobs.startJob, { ref, kind, bucket, ...elsewhere, items }))
    return 'begun'
  }
  const { from, to = '' } = only
  if (kind === 'remove') await call(storage.remove, { ref, id: bucket, path: from })
  else await call(storage[kind], { ref, id: bucket, from, to, ...elsewhere })
  await forget(...ofFiles)
  return 'done'
}

function follow(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.click()
}

/** Hands a file to the browser to keep: it comes straight from the project. */
export async function saveEntry({ projectRef, bucket, path }: Place, name: string): Promise<void> {
  const input = { ref: projectRef, id: bucket, path: below(path, name), name }
  follow((await call(storage.download, input)).url)
}

/** The same of several things, and of folders, as one zip. */
export async function saveEntries(place: Place, entries: readonly FileEntry[]): Promise<void> {
  const { projectRef: ref, bucket: id, path } = place
  const [only, another] = entries
  if (only && only.id !== null && !another) return saveEntry(place, only.name)
  const paths = entries.map((entry) => keyOf(path, entry))
  const name = `${only && !another ? only.name : nameOf(path) || id}.zip`
  follow((await call(storage.archive, { ref, id, paths, name })).url)
}
