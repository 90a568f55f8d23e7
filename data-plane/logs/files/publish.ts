import { chmod, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#kit/failpoints'
import { syncFolder, writeDurably } from '#kit/postgres/files'
import type { Span } from './days.ts'
import {
  countsName,
  packedName,
  replacesName,
  unfinishedCountsName,
  unfinishedName,
  type LogFile,
} from './file-names.ts'
import { hiddenKeys } from './listing.ts'

type Made = {
  folder: string
  key: string
  span: Span
  /** Who may read it. */
  mode: number
  replaces: readonly LogFile[]
  /** By what its entries were counted, where they were. */
  counts: 'all' | 'few' | null
}

/**
 * Puts a finished file into the place of others, so that at every moment a reader finds each entry once and so that it
 * may be ended anywhere: first it is written down which keys the file replaces, then the file gets its name, from which
 * moment on those are hidden, then they are removed, and last what was written down. Its counts have their name before it has:
 * without it they mean nothing, and without them it is read itself.
 */
export async function publish({ folder, key, span, mode, replaces, counts }: Made): Promise<void> {
  if (counts) {
    const path = join(folder, unfinishedCountsName(key))
    await chmod(path, mode)
    await rename(path, join(folder, countsName(key, counts)))
    failpoint('logs.pack.counted')
  }
  await chmod(join(folder, unfinishedName(key)), mode)
  await writeDurably(
    join(folder, replacesName(key)),
    replaces.map((file) => `${file.key}\n`).join(''),
  )
  failpoint('logs.pack.written-down')
  await rename(join(folder, unfinishedName(key)), join(folder, packedName(span, key)))
  await syncFolder(folder)
  failpoint('logs.pack.named')
  await clear(folder, key, replaces)
}

async function clear(folder: string, key: string, replaced: readonly LogFile[]): Promise<void> {
  for (const { kind, name, key: of } of replaced) {
    await rm(join(folder, name), { force: true })
    if (kind === 'packed')
      for (const fields of ['all', 'few'] as const)
        await rm(join(folder, countsName(of, fields)), { force: true })
    failpoint('logs.pack.removing')
  }
  await syncFolder(folder)
  failpoint('logs.pack.removed')
  await rm(join(folder, replacesName(key)), { force: true })
}

/** Goes on where an earlier process was ended. Answers with the files that are left. */
export async function finishEarlier(folder: string, files: readonly LogFile[]): Promise<LogFile[]> {
  const hidden = await hiddenKeys(folder, files)
  const packed = new Set(files.filter(({ kind }) => kind === 'packed').map(({ key }) => key))
  const isOver = ({ kind, key }: LogFile) =>
    kind !== 'replaces' && (hidden.has(key) || (kind === 'counts' && !packed.has(key)))
  for (const file of files) {
    const isAlone = file.kind === 'counts' && !packed.has(file.key)
    if (file.kind === 'unfinished' || isAlone) await rm(join(folder, file.name), { force: true })
    if (file.kind !== 'replaces') continue
    if (packed.has(file.key)) await clear(folder, file.key, files.filter(isOver))
    else await rm(join(folder, file.name), { force: true })
  }
  return files.filter((file) => {
    if (file.kind === 'unfinished' || file.kind === 'replaces') return false
    return !isOver(file)
  })
}
