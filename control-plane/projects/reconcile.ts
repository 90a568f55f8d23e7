import type { Provider } from '#compute/provider'
import { projectDeadlines, type ProjectStatus } from '#contract/project-status'
import type { Log } from '#kit/log'
import type { Settle } from './settle.ts'
import type { ProjectRow, ProjectStore } from './store.ts'
import { toAddress } from './workflows.ts'

type Deps = {
  store: ProjectStore
  settle: Settle
  compute: Provider
  log: Log
  now?: () => Date
}

/** What an overdue project becomes, and what is undone in the world first. */
const overdue: Partial<
  Record<ProjectStatus, { to: ProjectStatus; undo: 'destroy' | 'stop' | 'none' }>
> = {
  COMING_UP: { to: 'INIT_FAILED', undo: 'destroy' },
  RESTARTING: { to: 'ACTIVE_UNHEALTHY', undo: 'none' },
  RESIZING: { to: 'ACTIVE_UNHEALTHY', undo: 'none' },
  UPGRADING: { to: 'ACTIVE_UNHEALTHY', undo: 'none' },
  PAUSING: { to: 'PAUSE_FAILED', undo: 'none' },
  RESTORING: { to: 'RESTORE_FAILED', undo: 'stop' },
}
/** Milliseconds that a removal's own job has for itself. */
const removalPatience = 120_000
const transitional: ProjectStatus[] = [
  'COMING_UP',
  'RESTARTING',
  'RESIZING',
  'UPGRADING',
  'PAUSING',
  'RESTORING',
]

/** What takes as long as the database is large, and ends by itself. */
const unbounded = ['project.restore-backup', 'project.clone']

/** Compares the table with the world, both ways, and mends what differs. Runs at boot and every minute. */
export function createReconciler({ store, settle, compute, log, now = () => new Date() }: Deps) {
  const isOverdue = (row: ProjectRow) => {
    const seconds = projectDeadlines[row.status]
    return seconds !== undefined && now().getTime() - row.status_since.getTime() > seconds * 1000
  }

  async function endOverdue(row: ProjectRow): Promise<void> {
    const end = overdue[row.status]
    if (!end) return
    const moved = await settle(row.ref, row.status, end.to, {
      job: row.job_id ?? undefined,
      failure: `It took longer than ${projectDeadlines[row.status]} seconds`,
      ...(end.undo === 'destroy' ? { address: null } : {}),
    })
    if (!moved) return
    log.warn({ ref: row.ref, from: row.status, to: end.to }, 'deadline passed')
    if (end.undo === 'destroy') await compute.destroy(row.ref)
    if (end.undo === 'stop') await compute.stop(row.ref)
  }

  /** Removing goes on until it is done, also after its job gave up. */
  async function endRemoval(row: ProjectRow): Promise<void> {
    if (now().getTime() - row.status_since.getTime() < removalPatience) return
    await compute.destroy(row.ref)
    await store.transition(undefined, row.ref, ['GOING_DOWN'], 'REMOVED', {
      job: row.job_id ?? undefined,
      address: null,
    })
  }

  /** A project at rest must look in the world as its status says. */
  async function mend(row: ProjectRow): Promise<void> {
    const { state } = await compute.inspect(row.ref)
    if (row.status === 'INACTIVE' || row.status === 'RESTORE_FAILED') {
      if (state === 'running') await compute.stop(row.ref)
    } else if (row.status === 'INIT_FAILED') {
      if (state !== 'absent' && state !== 'unknown') await compute.destroy(row.ref)
    } else if (state === 'stopped') {
      log.info({ ref: row.ref }, 'starting the database')
      await store.setAddress(row.ref, toAddress(await compute.start(row.ref)))
    }
  }

  /** Directories and processes that no row owns: left by a removal that was cut short. */
  async function sweep(): Promise<void> {
    for (const ref of await compute.list()) {
      const row = await store.findAny(ref)
      if (row && row.status !== 'REMOVED') continue
      log.warn({ ref }, 'removing what no project owns')
      await compute.destroy(ref)
    }
  }

  /** A few at a time: after a start of the machine every project's database is to be started. */
  const each = async (rows: ProjectRow[], run: (row: ProjectRow) => Promise<void>) => {
    const waiting = [...rows]
    const worker = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        try {
          await run(row)
        } catch (error) {
          log.error({ err: error, ref: row.ref }, 'reconciling failed')
        }
      }
    }
    await Promise.all(Array.from({ length: 4 }, worker))
  }

  return async () => {
    const patient = await store.workedOnBy(unbounded)
    const late = (await store.withStatus(transitional)).filter(isOverdue)
    await each(
      late.filter(({ ref }) => !patient.has(ref)),
      endOverdue,
    )
    await each(await store.withStatus(['GOING_DOWN']), endRemoval)
    await each(
      await store.withStatus([
        'ACTIVE_HEALTHY',
        'ACTIVE_UNHEALTHY',
        'PAUSE_FAILED',
        'INACTIVE',
        'INIT_FAILED',
        'RESTORE_FAILED',
      ]),
      mend,
    )
    await sweep()
  }
}
