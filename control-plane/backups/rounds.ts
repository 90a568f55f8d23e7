import type { Job, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { BackupList } from './backups.ts'
import type { Keeping } from './compute.ts'
import type { Making } from './making.ts'
import type { Recovery } from './recovery.ts'
import type { BackupRoundsStore } from './rounds-store.ts'
import type { BackupStore } from './store.ts'

export type DueDeps = {
  store: BackupStore
  rounds: BackupRoundsStore
  accept: BackupList['accept']
  startJob: (job: Job) => Promise<void>
  now: () => Date
}

export type RoundsDeps = {
  store: BackupStore
  rounds: BackupRoundsStore
  keeping: Keeping
  fail: Making['fail']
  recovery: Pick<Recovery, 'round'>
  due: Pick<Due, 'make'>
  now: () => Date
  log: Log
}

/** Scheduled backups that are made at once in the whole installation. */
const atOnce = 2

/** Makes scheduled backups that are due, as many as may be made at once; for the others the next round comes. */
export function createDue({ store, rounds, accept, startJob, now }: DueDeps) {
  const order = (ref: string) =>
    store.transaction(async (tx) => {
      await store.lock(tx, ref)
      const subject = await store.subject(ref, tx)
      return subject?.status === 'ACTIVE_HEALTHY' ? accept(tx, subject, 'scheduled') : undefined
    })

  async function orderAll(): Promise<Job[]> {
    const free = atOnce - (await rounds.scheduledNow())
    const ordered = []
    for (const ref of free > 0 ? await rounds.due(now(), free) : []) ordered.push(await order(ref))
    return ordered.flatMap((one) => one?.job ?? [])
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

/** Makes what is due, and removes what has expired. Each round can be repeated. */
export function createRounds({ store, rounds, keeping, fail, due, ...deps }: RoundsDeps) {
  const { now, log } = deps
  return {
    async backups(): Promise<void> {
      for (const id of await rounds.abandoned()) await fail(id, 'It was broken off')
      await rounds.endStaleRestores()
      await deps.recovery.round()
      await rounds.prolong()
      await rounds.giveUpExpired(now())
      for (const { id, ref } of await rounds.givenUp()) {
        await keeping.remove({ ref, id })
        await store.forget(id)
      }
      await due.make()
    },

    /** Files that no row knows: what a crash has left. */
    async files(): Promise<void> {
      for (const ref of await rounds.refs()) {
        const listed = await keeping.list(ref)
        if (listed.length === 0) continue
        // Read after the files: one whose row came meanwhile is known.
        const ids = await rounds.idsOf(ref)
        for (const id of listed.filter((one) => !ids.includes(one))) {
          log.warn({ ref, backup: id }, 'removing a backup that no row knows')
          await keeping.remove({ ref, id })
        }
      }
    },
  }
}
