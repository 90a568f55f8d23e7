import { stopServer } from '#kit/postgres/server'
import { UnknownProjectError, type ProjectLimits, type ProjectSpec } from '../provider.ts'
import { withServerAlone } from './alone.ts'
import { finishSwap } from './backups/swap.ts'
import { givePasswords } from './create.ts'
import type { Machine } from './machine.ts'
import { userOf } from './registry.ts'

/** Gives a project that is there new passwords, without knowing the old ones. It ends stopped. */
export async function adoptProject(
  machine: Machine,
  spec: Pick<ProjectSpec, 'ref' | 'passwords'>,
): Promise<{ limits: ProjectLimits }> {
  const { ref } = spec
  const { folders, registry } = machine
  const damaged = registry.unreadable.get(ref)
  if (damaged) throw new Error(`The record of project ${ref} is damaged`, { cause: damaged.error })
  const record = registry.get(ref)
  if (!record?.ready) throw new UnknownProjectError(ref)
  await finishSwap(machine, ref)
  await stopServer(folders.data(ref))
  await machine.users.end(userOf(record))
  await folders.removeSocket(ref)
  await withServerAlone(machine, ref, record, userOf(record), (admin) => givePasswords(admin, spec))
  return { limits: { maxConnections: record.maxConnections } }
}
