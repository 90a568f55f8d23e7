import type { Job, Step } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
import type { BackupList } from './backups.ts'
import type { BackupRoundsStore } from './rounds-store.ts'
import type { BackupStore } from './store.ts'

export type DueDeps = {
  store: BackupStore
  rounds: BackupRoundsStore
  accept: BackupList['accept']
  startJob: (job: Job) => Promise<void>
  each: EachSubject
  now: () => Date
}

/** Scheduled backups that are made at once in the whole installation. */
const atOnce = 2
/** More than are made at once: those that cannot be ordered must not stand before the others for ever. */
const maxLookedAt = 100

/** Makes scheduled backups that are due, as many as may be made at once; for the others the next round comes. */
export function createDue({ store, rounds, accept, startJob, each, now }: DueDeps) {
  const order = (ref: string) =>
    store.transaction(async (tx) => {
      await store.lock(tx, ref)
      const subject = await store.subject(ref, tx)
      return subject?.status === 'ACTIVE_HEALTHY' ? accept(tx, subject, 'scheduled') : undefined
    })

  async function orderAll(): Promise<Job[]> {
    const free = atOnce - (await rounds.scheduledNow())
    const jobs: Job[] = []
    await each(
      'backups that are due',
      free > 0 ? await rounds.due(now(), maxLookedAt) : [],
      (ref) => ref,
      async (ref) => {
        if (jobs.length >= free) return
        const ordered = await order(ref)
        if (ordered) jobs.push(ordered.job)
      },
    )
    return jobs
  }

  async function startAll(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) await startJob(job)
  }

  return {
    make: async () => startAll(await orderAll()),
    /** The same at the end of a job; only outside of its steps can it start others. */
    makeIn: async (step: Step) =>
      startAll(await step('order-due', orderAll, { attempts: 4, seconds: 1 })),
  }
}
export type Due = ReturnType<typeof createDue>
