import { findRunning } from '#kit/postgres/server'
import { failpoint } from '#kit/failpoints'
import { UnknownProjectError, type ProjectLimits, type Resized } from '../../provider.ts'
import { finishSwap } from '../backups/swap.ts'
import type { Machine } from '../machine.ts'
import { stopReplicas } from '../replicas/server.ts'
import { startProject, stopProject } from '../run.ts'

/**
 * Has the server of a project run with these limits. It is stopped before they are written down, so one that runs always has those
 * of its record: whatever ends this in the middle, doing it again finishes it.
 */
export async function resizeProject(
  machine: Machine,
  ref: string,
  { maxConnections }: ProjectLimits,
): Promise<Resized> {
  const { registry, folders } = machine
  await finishSwap(machine, ref)
  const before = registry.get(ref)
  if (!before?.ready) throw new UnknownProjectError(ref)
  const began = performance.now()
  const ran = (await findRunning(folders.data(ref))) !== undefined
  const differs = before.maxConnections !== maxConnections
  if (differs) {
    // They have the size of their project, and replay nothing when it has more places than they have.
    await stopReplicas(machine, ref)
    await stopProject(machine, ref, { forLong: false })
    failpoint('compute.resize.stopped')
    // Whatever else it says was said meanwhile.
    await registry.save(ref, { ...before, ...registry.get(ref), maxConnections })
    failpoint('compute.resize.written')
  }
  const address = await startProject(machine, ref)
  return { address, downMs: ran && differs ? Math.round(performance.now() - began) : undefined }
}
