import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { durabilityFloor } from '#kit/postgres/floor'
import { writeDurably } from '#kit/postgres/files'
import { startServer, stopServer } from '#kit/postgres/server'
import { UnknownProjectError, type ProjectLimits, type ProjectSpec } from '../provider.ts'
import { archiveSettings } from './backups/archive.ts'
import { finishSwap } from './backups/swap.ts'
import { givePasswords } from './create.ts'
import type { Machine } from './machine.ts'
import { userOf } from './run.ts'
import { firstAccessRules } from './settings.ts'

/**
 * Gives a project that is there new passwords, without knowing the old ones: for a moment its server runs with access
 * rules from a file beside the data, which let the superuser in over a socket that only the platform can enter. The
 * project's own rules are not touched, so a crash at any point leaves nothing open. It ends stopped.
 */
export async function adoptProject(
  machine: Machine,
  spec: Pick<ProjectSpec, 'ref' | 'passwords'>,
): Promise<{ limits: ProjectLimits }> {
  const { ref } = spec
  const { folders, registry, runtime } = machine
  const damaged = registry.unreadable.get(ref)
  if (damaged) throw new Error(`The record of project ${ref} is damaged`, { cause: damaged.error })
  const record = registry.get(ref)
  if (!record?.ready) throw new UnknownProjectError(ref)
  const { maxConnections, archive } = record
  const dataDir = folders.data(ref)
  const user = userOf(record)
  const rules = join(folders.project(ref), 'adopting.conf')
  const socket = `a-${ref}`
  const port = 5432
  await finishSwap(machine, ref)
  await stopServer(dataDir)
  await folders.removeSocket(ref)
  await writeDurably(rules, firstAccessRules, user)
  const socketDir = await folders.makeSocket(socket, user)
  try {
    await startServer({
      binaries: runtime.binaries,
      dataDir,
      socketDir,
      port,
      tcp: false,
      settings: {
        ...durabilityFloor,
        max_connections: String(maxConnections),
        default_transaction_read_only: 'off',
        hba_file: rules,
        // What is written now belongs to its archive as well.
        ...(archive === undefined ? {} : archiveSettings(machine, ref, archive)),
      },
      logFile: folders.log(ref),
      user,
      deadlineMs: 60_000,
    })
    await givePasswords({ host: socketDir, port, password: '' }, spec)
  } finally {
    await stopServer(dataDir)
    await folders.removeSocket(socket)
    await rm(rules, { force: true })
  }
  return { limits: { maxConnections } }
}
