import type { Job, Step } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
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
  each: EachSubject
  now: () => Date
}

export type RoundsDeps = {
  store: BackupStore
  rounds: BackupRoundsStore
  keeping: Keeping
  fail: Making['fail']
  recovery: Pick<Recovery, 'round'>
  due: Pick<Due, 'make'>
  /** Is told which files no row knows, each time all of them. */
  quarantine: (found: { ref: string; name: string; state: string }[]) => Promise<void>
  each: EachSubject
  now: () => Date
}

/** Scheduled backups that are made at once in the whole installation. */
const atOnce = 2
/** More than are made at once: those that cannot be ordered must not stand before the others for ever. */
const mostLookedAt = 100

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
      free > 0 ? await rounds.due(now(), mostLookedAt) : [],
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

/** Makes what is due, and removes what has expired. Each round can be repeated. */
export function createRounds({ store, rounds, keeping, fail, due, ...deps }: RoundsDeps) {
  const { now, each, quarantine } = deps
  let begun = false

  /** No backup that is made from now on may take the name of one that is there, though its row is lost. */
  async function passAll(): Promise<void> {
    const pass = async (ref: string) => rounds.passIds(await keeping.list(ref))
    await each('names of backups', await keeping.refs(), (ref) => ref, pass)
    begun = true
  }

  return {
    async backups(): Promise<void> {
      if (!begun) await passAll()
      await each(
        'backups that were broken off',
        await rounds.abandoned(),
        (id) => id,
        (id) => fail(id, 'It was broken off'),
      )
      await rounds.endStaleRestores()
      await deps.recovery.round()
      await rounds.prolong()
      await rounds.giveUpExpired(now())
      await each(
        'backups that are given up',
        await rounds.givenUp(),
        ({ id }) => id,
        async ({ id, ref }) => {
          await keeping.remove({ ref, id })
          await store.forget(id)
        },
      )
      await due.make()
    },

    /** Files that no row knows may be newer than the platform database: they are kept and told of. */
    async files(): Promise<void> {
      const strangers: { ref: string; name: string; state: string }[] = []
      const look = async (ref: string) => {
        const listed = await keeping.list(ref)
        if (listed.length === 0) return
        // Read after the files: one whose row came meanwhile is known.
        const ids = new Set(await rounds.idsOf(ref))
        const unknown = listed.filter((id) => !ids.has(id))
        strangers.push(...unknown.map((name) => ({ ref, name, state: '' })))
      }
      await each('files of backups', await keeping.refs(), (ref) => ref, look)
      await quarantine(strangers)
    },
  }
}
