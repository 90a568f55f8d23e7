import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresBinaries } from '#kit/postgres/binaries'
import { versionOfPrograms } from '#kit/postgres/builds/kept-programs'
import { UnknownProjectError, type Changed, type ServerVersions } from '../../provider.ts'
import type { Machine } from '../machine.ts'
import { startWith } from './start-with.ts'

/** What a project runs on, and what a new one does. */
export async function versionsOf(machine: Machine, ref: string): Promise<ServerVersions> {
  const record = machine.registry.get(ref)
  if (!record?.ready) throw new UnknownProjectError(ref)
  const { id: latest, binaries } = await machine.programs()
  const current = record.programs ?? latest
  const of = (id: string) => ({ id, version: versionOfPrograms(id) })
  return {
    current: of(current),
    latest: { ...of(latest), extensions: await extensionNames(binaries) },
  }
}

async function extensionNames({ native, layout }: PostgresBinaries): Promise<string[]> {
  const files = await readdir(join(native, layout.share, 'extension'))
  return files.flatMap((file) => (file.endsWith('.control') ? [file.slice(0, -8)] : []))
}

/**
 * Has a project run on other programs, of which its data are.
 * @throws Error where they are not here
 */
export async function changePrograms(machine: Machine, ref: string, id: string): Promise<Changed> {
  if ((await machine.programs(id)).id !== id)
    throw new Error(`PostgreSQL ${versionOfPrograms(id)} is not on this machine any more`)
  return startWith(machine, ref, { programs: id }, 'upgrade')
}
