import type { Observation, Provider } from '#compute/provider'
import { projectDeadlines, type ProjectStatus } from '#contract/projects/project-status'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { Settle } from './settle.ts'
import type { ProjectRow, ProjectStore, Standing } from './store.ts'
import type { TakeDown } from './take-down.ts'
import { toAddress, undoCreation } from './workflows.ts'

type Deps = {
  store: ProjectStore
  settle: Settle
  compute: Provider
  takeDown: TakeDown
  /** Is told what of the world no row knows, each time all of it: none of it is this reconciler's to remove. */
  quarantine: (found: Stranger[]) => Promise<void>
  each: EachSubject
  log: Log
  now?: () => Date
}

/** A project in the world that no row knows. */
export type Stranger = { ref: string; state: Observation['state'] }

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
const unbounded = [
  'project.restore-backup',
  'project.clone',
  'project.copy',
  'branch.reset',
  'project.promote',
  'project.promote-by-force',
]

const isGone = (row: Standing | undefined) => row?.status === 'REMOVED' && row.deleted_at === null
const isWaiting = (row: Standing | undefined) =>
  row?.status === 'REMOVED' && row.deleted_at !== null && row.job_id === null

/** Compares the table with the world, both ways, and mends what differs. Runs at boot and every minute. */
export function createReconciler(deps: Deps) {
  const { store, settle, compute, quarantine, log, now = () => new Date() } = deps

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
    if (end.undo === 'destroy') await undoCreation(compute, row.ref)
    if (end.undo === 'stop') await compute.stop(row.ref)
  }

  /** Removing goes on until it is done, also after its job gave up. */
  async function endRemoval(row: ProjectRow): Promise<void> {
    if (now().getTime() - row.status_since.getTime() < removalPatience) return
    await deps.takeDown(row.ref)
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
      // Whole all the same, perhaps made by a life of the platform that this row does not remember.
      if (state === 'running') await compute.stop(row.ref)
    } else if (state === 'stopped') {
      log.info({ ref: row.ref }, 'starting the database')
      await store.setAddress(row.ref, toAddress(await compute.start(row.ref)))
    }
  }

  async function keepStopped(ref: string): Promise<void> {
    if ((await compute.inspect(ref)).state !== 'running') return
    // It may have come back meanwhile.
    if (isWaiting((await store.standingsOf([ref])).get(ref))) await compute.stop(ref)
  }

  /**
   * What a removal that was cut short has left of a removed project goes. What no row knows at all may be the work of
   * today beside the platform database of yesterday: it is stopped, kept and told of.
   */
  async function sweep(): Promise<void> {
    const there = await compute.list()
    // Read after the world: whatever is made has its row first.
    const standings = await store.standingsOf(there)
    const removed = there.filter((ref) => isGone(standings.get(ref)))
    const strangers = there.filter((ref) => !standings.has(ref))
    const waiting = there.filter((ref) => isWaiting(standings.get(ref)))
    await each('removed projects', removed, (ref) => {
      log.warn({ ref }, 'removing what is left of a removed project')
      return compute.destroy(ref)
    })
    await each('projects in the trash', waiting, keepStopped)
    await each('projects that no row knows', strangers, (ref) => compute.stop(ref))
    const states = strangers.map(async (ref) => ({
      ref,
      state: (await compute.inspect(ref)).state,
    }))
    await quarantine(await Promise.all(states))
  }

  /** A few at a time: after a start of the machine every project's database is to be started. */
  const each = <S extends ProjectRow | string>(
    what: string,
    subjects: readonly S[],
    run: (subject: S) => Promise<void>,
  ) =>
    deps.each(what, subjects, (one) => (typeof one === 'string' ? one : one.ref), run, {
      width: 4,
    })

  return async () => {
    const patient = await store.workedOnBy(unbounded)
    const late = (await store.withStatus(transitional)).filter(isOverdue)
    await each(
      'projects that take too long',
      late.filter(({ ref }) => !patient.has(ref)),
      endOverdue,
    )
    await each('projects to remove', await store.withStatus(['GOING_DOWN']), endRemoval)
    await each(
      'projects at rest',
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
