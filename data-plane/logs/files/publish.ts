import { chmod, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#kit/failpoints'
import { syncFolder, writeDurably } from '#kit/postgres/files'
import type { Span } from './days.ts'
import { packedName, replacesName, unfinishedName, type LogFile } from './file-names.ts'
import { hiddenKeys } from './listing.ts'

type Made = {
  folder: string
  key: string
  span: Span
  /** Who may read it. */
  mode: number
  replaces: readonly LogFile[]
}

/**
 * Puts a finished file into the place of others, so that at every moment a reader finds each entry once and so that it
 * may be ended anywhere: first it is written down which keys the file replaces, then the file gets its name, from which
 * moment on those are hidden, then they are removed, and last what was written down.
 */
export async function publish({ folder, key, span, mode, replaces }: Made): Promise<void> {
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
  for (const { name } of replaced) {
    await rm(join(folder, name), { force: true })
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
  const isOver = ({ kind, key }: LogFile) => kind !== 'replaces' && hidden.has(key)
  for (const file of files) {
    if (file.kind === 'unfinished') await rm(join(folder, file.name), { force: true })
    if (file.kind !== 'replaces') continue
    if (packed.has(file.key)) await clear(folder, file.key, files.filter(isOver))
    else await rm(join(folder, file.name), { force: true })
  }
  return files.filter((file) => {
    if (file.kind === 'unfinished' || file.kind === 'replaces') return false
    return !isOver(file)
  })
}
