import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { BackupList } from './backups.ts'
import type { Keeping } from './compute.ts'
import type { Making } from './making.ts'
import type { Recovery } from './recovery.ts'
import type { BackupRoundsStore } from './rounds-store.ts'
import type { BackupStore } from './store.ts'

export type RoundsDeps = {
  store: BackupStore
  rounds: BackupRoundsStore
  keeping: Keeping
  accept: BackupList['accept']
  fail: Making['fail']
  recovery: Pick<Recovery, 'round'>
  startJob: (job: Job) => Promise<void>
  now: () => Date
  log: Log
}

/** Scheduled backups that are made at once in the whole installation. */
const atOnce = 2

/** Makes what is due, and removes what has expired. Each round can be repeated. */
export function createRounds({
  store,
  rounds,
  keeping,
  accept,
  fail,
  startJob,
  ...deps
}: RoundsDeps) {
  const { now, log } = deps

  async function make(ref: string): Promise<void> {
    const accepted = await store.transaction(async (tx) => {
      await store.lock(tx, ref)
      const subject = await store.subject(ref, tx)
      return subject?.status === 'ACTIVE_HEALTHY' ? accept(tx, subject, 'scheduled') : undefined
    })
    if (accepted) await startJob(accepted.job)
  }

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
      const free = atOnce - (await rounds.scheduledNow())
      if (free <= 0) return
      for (const ref of await rounds.due(now(), free)) await make(ref)
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
