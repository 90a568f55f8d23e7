import { chmod, chown, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists, writeDurably } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { UnknownProjectError } from '../../provider.ts'
import type { Folders } from '../folders.ts'
import type { Machine } from '../machine.ts'
import { userOf } from '../registry.ts'

/*
 * {project}/config/vault/{key id}, of 32 bytes each, and `current` with the id of the one that seals: what the functions of
 * data-plane/schema/018-vault.sql read. They are there while the server runs; at rest the platform has the keys sealed.
 */

const current = 'current'
type Part = Pick<Machine, 'folders' | 'registry' | 'vaultKeys' | 'log'>

/** The new key first, then that it seals, then the old ones go: a server that reads between two of these finds what it looks for. */
export async function layVaultKeys(
  { folders, registry, vaultKeys }: Omit<Part, 'log'>,
  ref: string,
): Promise<void> {
  if (!vaultKeys) return
  const record = registry.get(ref)
  if (!record) throw new UnknownProjectError(ref)
  const user = userOf(record)
  const folder = folders.vault(ref)
  const laid = await vaultKeys(ref)
  await makeFolder(folder, user)
  const there = new Set(await readdir(folder))
  for (const [id, key] of laid.keys) if (!there.has(id)) await writeFor(user, join(folder, id), key)
  if ((await readIfExists(join(folder, current))) !== laid.current)
    await writeFor(user, join(folder, current), laid.current)
  for (const id of laid.gone) await rm(join(folder, id), { force: true })
}

/** A project whose keys cannot be had starts all the same: its data matter more than its vault, which says what it lacks. */
export async function layAtStart(machine: Part, ref: string): Promise<void> {
  try {
    await layVaultKeys(machine, ref)
  } catch (error) {
    machine.log.error({ err: error, ref }, 'the keys of a vault could not be laid')
  }
}

export const clearVaultKeys = (folders: Folders, ref: string): Promise<void> =>
  rm(folders.vault(ref), { recursive: true, force: true })

async function makeFolder(folder: string, user: OsUser | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!user) return
  await chown(folder, 0, user.gid)
  await chmod(folder, 0o750)
}

const writeFor = (user: OsUser | undefined, path: string, content: string | Uint8Array) =>
  user
    ? writeDurably(path, content, { uid: 0, gid: user.gid }, 0o440)
    : writeDurably(path, content, undefined, 0o400)
