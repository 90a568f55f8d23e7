import type { storageJobs, StorageJob } from '#contract/storage/storage-jobs'
import type { Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import { failpoint } from '#kit/failpoints'
import type { Caller, Origin } from '#kit/http'
import type { Job, JobHandler } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { StorageJobRow, StorageJobStore } from './jobs-store.ts'
import type { Rounds } from './rounds.ts'

type Deps = {
  store: StorageJobStore
  record: RecordChange
  acceptJob: (tx: Tx, name: string, subject: string) => Promise<Job>
  startJob: (job: Job) => Promise<void>
  rounds: Rounds
}
type Requested = Omit<Parsed<typeof storageJobs.startJob>, 'ref'>
type Begun = Pick<StorageJobRow, 'kind' | 'bucket' | 'to_bucket' | 'started_by'> & {
  items: readonly Item[]
}
type Who = { caller: Caller; ref: string; origin: Origin }

const jobName = 'storage.run'
/** Of one project at once. */
const maxAtOnce = 5
/** The same for what programs begin, who may empty many buckets one after the other. */
const maxOfKeys = 20
/** A round that fails because something is away for a moment. */
const patience = { attempts: 6, seconds: 1 }

type Item = { from: string; to?: string | undefined }
/** Of everything in a bucket; more than once where it was asked for again meanwhile. */
const isEmptying = (kind: string, items: readonly Item[]) =>
  kind === 'remove' && items.every(({ from }) => from === '')

export const shownJob = (row: StorageJobRow): StorageJob => ({
  id: row.id,
  kind: row.kind,
  bucket: row.bucket,
  from: row.items[0]?.from ?? '',
  items: isEmptying(row.kind, row.items) ? 1 : row.items.length,
  status: row.status,
  done: Number(row.done),
  failed: Number(row.failed),
  failure: row.failure,
  started_by: row.started_by,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

/** Changes of many objects. How far one is stands in its row, so it goes on there after a crash. */
export function createStorageJobs({ store, record, acceptJob, startJob, rounds }: Deps) {
  const note = (tx: Tx, who: Who, organizationId: string, action: string, after: object) =>
    record(tx, {
      organizationId,
      actor: who.caller,
      action,
      target: `project:${who.ref}`,
      change: { after: { ...after } },
      origin: who.origin,
    })

  async function start(who: Who, requested: Requested): Promise<StorageJob> {
    const { kind, bucket, to_bucket: target, items } = requested
    for (const name of new Set([bucket, target ?? bucket])) await rounds.checkBucket(who.ref, name)
    // Names of objects are not told: entries are never deleted, and names of files can be those of people.
    const told = { bucket, kind, ...(target && { to_bucket: target }), items: items.length }
    const job = { kind, bucket, to_bucket: target ?? null, items, started_by: who.caller.email }
    return begin(who.ref, job, maxAtOnce, (tx, organizationId) =>
      note(tx, who, organizationId, 'storage.startJob', told),
    )
  }

  /** Begun by a secret key, which stands for nobody: no member's act, so no audit entry. */
  const empty = (ref: string, bucket: string): Promise<StorageJob> => {
    const job = { kind: 'remove', bucket, to_bucket: null, items: [{ from: '' }] } as const
    return begin(ref, { ...job, started_by: 'service_role' }, maxOfKeys)
  }

  /** A bucket that is being emptied is not emptied by a second job: the answer is the one that runs. */
  async function begin(
    ref: string,
    { items, ...requested }: Begun,
    max: number,
    noted?: (tx: Tx, organizationId: string) => Promise<unknown>,
  ): Promise<StorageJob> {
    const { kind, bucket } = requested
    const { row, job } = await store.transaction(async (tx) => {
      const project = await store.lock(tx, ref)
      if (!project) throw new ApiError('project_not_found')
      const { id: project_id, organization_id: organizationId } = project
      const under = isEmptying(kind, items)
        ? await store.emptyAgain(tx, project_id, bucket)
        : undefined
      if (!under && (await store.running(tx, project_id)) >= max)
        throw new ApiError('too_many_storage_jobs')
      await noted?.(tx, organizationId)
      if (under) return { row: under, job: undefined }
      const made = await store.insert(tx, {
        project_id,
        ...requested,
        items: JSON.stringify(items),
      })
      return { row: made, job: await acceptJob(tx, jobName, made.id) }
    })
    if (job) await startJob(job)
    return shownJob(row)
  }

  async function cancel(who: Who, id: string): Promise<StorageJob> {
    const found = await store.find(id)
    if (!found || found.ref !== who.ref) throw new ApiError('storage_job_not_found')
    return store.transaction(async (tx) => {
      const project = await store.lock(tx, who.ref)
      if (!project) throw new ApiError('project_not_found')
      const ended = await store.end(tx, id, 'CANCELLED')
      if (!ended) throw new ApiError('storage_job_ended')
      const told = { bucket: ended.bucket, kind: ended.kind }
      await note(tx, who, project.organization_id, 'storage.cancelJob', told)
      return shownJob(ended)
    })
  }

  /** One round, and what it has done written down. False: the job has ended. */
  async function advance(id: string): Promise<boolean> {
    const job = await store.find(id)
    if (!job || job.status !== 'RUNNING') return false
    const item = job.items[job.item]
    if (!item) return !(await store.complete(id))
    try {
      const { ref, kind, bucket, to_bucket, after } = job
      const round = { ref, kind, bucket, to_bucket, item, after }
      const { after: next, ...outcome } = await rounds.run(round, job.started_by)
      failpoint(`${jobName}.round`)
      const place =
        next === null ? { item: job.item + 1, after: '' } : { item: job.item, after: next }
      return await store.advance(id, { ...outcome, ...place })
    } catch (error) {
      // What is refused now is refused a second later as well.
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      await store.end(store.db, id, 'FAILED', error.message)
      return false
    }
  }

  const run: JobHandler = async ({ subject: id }, step) => {
    try {
      // Rounds are told apart by number: a step that has finished is not run again.
      for (let round = 0; await step(`round-${round}`, () => advance(id), patience); round += 1);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      await store.end(store.db, id, 'FAILED', why)
    }
  }

  return {
    start,
    empty,
    cancel,
    list: async (ref: string) => (await store.list(ref)).map(shownJob),
    workflows: { [jobName]: run },
  }
}
export type StorageJobs = ReturnType<typeof createStorageJobs>
