import type { DatabaseAddress } from '#compute/provider'
import { computeSizeIds } from '#contract/projects/compute-sizes'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job, JobHandler } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Keeping } from './compute.ts'
import { attempt } from './making.ts'
import type { RecoveryStore } from './recovery-store.ts'
import type { Admit, MoveProject } from './restores.ts'
import type { SettleJob } from './restoring.ts'
import type { Due } from './due.ts'
import type { BackupStore, Subject } from './store.ts'
import type { Subjects } from './subjects.ts'

type By = { caller: Caller; origin: Origin } | undefined
type Deps = {
  store: BackupStore
  recovery: RecoveryStore
  subjects: Subjects
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  admit: Admit
  move: MoveProject
  each: EachSubject
  now: () => Date
}

const isLarge = ({ compute_size }: Subject) =>
  computeSizeIds.indexOf(compute_size) >= computeSizeIds.indexOf('small')

/** Point in time recovery is switched on and off, as an add-on that is paid by the month. */
export function createRecovery({ store, recovery, subjects, now, ...deps }: Deps) {
  const write = (
    tx: Tx,
    subject: Subject,
    by: By,
    action: string,
    change: Record<string, unknown>,
  ) =>
    deps.record(tx, {
      organizationId: subject.organization_id,
      actor: by?.caller ?? null,
      action,
      target: `project:${subject.ref}`,
      change,
      origin: by?.origin ?? null,
    })

  /** Orders that the server is told what holds now. Undefined when it cannot be told yet: the next round does. */
  async function notify(tx: Tx, subject: Subject, on: boolean, by: By): Promise<Job | undefined> {
    if (subject.status !== 'ACTIVE_HEALTHY') return undefined
    const job = await deps.acceptJob(tx, 'project.archive', subject.ref)
    const order = { nextJob: job.id }
    const moved = await deps.move(tx, subject.ref, ['ACTIVE_HEALTHY'], 'RESTARTING', order)
    if (!moved) throw new ApiError('project_busy')
    await write(tx, subject, by, 'backups.archive', { after: { keeps_wal: on } })
    return job
  }

  async function inTurn(
    ref: string,
    run: (tx: Tx, subject: Subject) => Promise<Job | undefined>,
  ): Promise<void> {
    const job = await store.transaction(async (tx) => {
      await store.lock(tx, ref)
      const subject = await store.subject(ref, tx)
      if (!subject) throw new ApiError('project_not_found')
      return run(tx, subject)
    })
    if (job) await deps.startJob(job)
  }

  async function end(ref: string, variant: string, action: string, by: By): Promise<void> {
    await inTurn(ref, async (tx, subject) => {
      if (subject.recovery !== variant) {
        throw new ApiError('not_found', 'This add-on is not enabled')
      }
      await recovery.end(tx, ref, variant, now())
      await write(tx, subject, by, action, { before: { variant } })
      return subject.keeps_wal_since === null ? undefined : notify(tx, subject, false, by)
    })
  }

  return {
    async set(
      action: string,
      by: { caller: Caller; origin: Origin },
      ref: string,
      variant: string,
    ): Promise<void> {
      await subjects.served(ref)
      await inTurn(ref, async (tx, subject) => {
        const { organization_id: organizationId, recovery: before } = subject
        await deps.admit(tx, { organizationId, callerId: by.caller.userId, ref })
        if (before === variant) return undefined
        if (!isLarge(subject)) throw new ApiError('compute_too_small')
        if (before === null && subject.status !== 'ACTIVE_HEALTHY') {
          throw new ApiError('project_busy')
        }
        if (before !== null) await recovery.end(tx, ref, before, now())
        await recovery.begin(tx, subject, variant, now())
        await write(tx, subject, by, action, { before: { variant: before }, after: { variant } })
        return before === null && subject.keeps_wal_since === null
          ? notify(tx, subject, true, by)
          : undefined
      })
    },

    remove: (
      action: string,
      by: { caller: Caller; origin: Origin },
      ref: string,
      variant: string,
    ): Promise<void> => end(ref, variant, action, by),

    /** Ends what a plan does not have any more, and tells the servers that could not be told before. */
    async round(): Promise<void> {
      await deps.each(
        'recovery that a plan lost',
        await recovery.lost(),
        ({ ref }) => ref,
        ({ ref, variant }) => end(ref, variant, 'billing.removeAddOn', undefined),
      )
      const notifyOne = (ref: string) =>
        inTurn(ref, async (tx, subject) => {
          const on = subject.recovery !== null
          const isNotified = (subject.keeps_wal_since !== null) === on
          return isNotified ? undefined : notify(tx, subject, on, undefined)
        })
      await deps.each(
        'servers to notify of WAL',
        await recovery.toNotify(),
        (ref) => ref,
        notifyOne,
      )
    },
  }
}
export type Recovery = ReturnType<typeof createRecovery>

type Telling = {
  store: BackupStore
  recovery: RecoveryStore
  keeping: Keeping
  /** Of a server that runs; one that does not is started. */
  addressOf: (ref: string) => Promise<DatabaseAddress>
  settle: SettleJob
  /** Moments count from the first backup after this, so it is not left to the next round. */
  due: Pick<Due, 'makeIn'>
  now: () => Date
  log: Log
}

/** The job that tells a server whether to keep its WAL. What holds is read when it runs. */
export function createArchiving({
  store,
  recovery,
  keeping,
  addressOf,
  settle,
  due,
  now,
  log,
}: Telling) {
  const handler: JobHandler = async (job, step) => {
    const { subject: ref } = job
    const notify = async () => {
      const on = ((await store.subject(ref))?.recovery ?? null) !== null
      await keeping.setArchive(ref, on)
      await recovery.setKept(ref, on ? now() : null)
      await settle(job, 'RESTARTING', 'ACTIVE_HEALTHY', { address: await addressOf(ref) })
    }
    const failure = await attempt(step, 'tell', notify, log)
    if (failure === undefined) return due.makeIn(step)
    const fail = () => settle(job, 'RESTARTING', 'ACTIVE_UNHEALTHY', { failure })
    await step('settle', fail, { attempts: 4, seconds: 1 })
  }
  return { 'project.archive': handler }
}
