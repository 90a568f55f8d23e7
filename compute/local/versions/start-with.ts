import { failpoint } from '#kit/failpoints'
import { findRunning } from '#kit/postgres/server'
import { UnknownProjectError, type Changed } from '../../provider.ts'
import { finishSwap } from '../backups/swap.ts'
import type { Machine } from '../machine.ts'
import type { ProjectRecord } from '../registry.ts'
import { stopReplicas } from '../replicas/server.ts'
import { startProject, stopProject } from '../run.ts'

/** What a server has from its start to its end: its limits, and the programs that it runs on. */
type Given = Partial<Pick<ProjectRecord, 'maxConnections' | 'programs'>>

/**
 * Has the server of a project run with this. It is stopped before that is written down, so one that runs always has what its record
 * says: whatever ends this in the middle, doing it again finishes it.
 * @param what for the names of its failpoints
 */
export async function startWith(
  machine: Machine,
  ref: string,
  given: Given,
  what: 'resize' | 'upgrade',
): Promise<Changed> {
  const { registry, folders } = machine
  await finishSwap(machine, ref)
  const before = registry.get(ref)
  if (!before?.ready) throw new UnknownProjectError(ref)
  const began = performance.now()
  const ran = (await findRunning(folders.data(ref))) !== undefined
  const after = { ...before, ...given }
  const differs =
    after.maxConnections !== before.maxConnections || after.programs !== before.programs
  if (differs) {
    // They have the size of their project, and replay nothing when it has more places than they have.
    await stopReplicas(machine, ref)
    await stopProject(machine, ref, { forLong: false })
    failpoint(`compute.${what}.stopped`)
    // Whatever else it says was said meanwhile.
    await registry.save(ref, { ...before, ...registry.get(ref), ...given })
    failpoint(`compute.${what}.written`)
  }
  const address = await startProject(machine, ref)
  return { address, downMs: ran && differs ? Math.round(performance.now() - began) : undefined }
}
