import type { Job, Outbox } from '#kit/jobs'
import type { Db, Tx } from '../../platform-database/database.ts'

/** Accepts a job in the caller's transaction; returns what `Jobs.start` takes after the commit. */
export type AcceptJob = (tx: Tx, name: string, subject: string) => Promise<Job>

export const acceptJob: AcceptJob = (tx, name, subject) =>
  tx
    .insertInto('platform.jobs')
    .values({ name, subject })
    .returning(['id', 'name', 'subject'])
    .executeTakeFirstOrThrow()

export const jobOutbox = (db: Db): Outbox => ({
  unfinished: () =>
    db
      .selectFrom('platform.jobs')
      .select(['id', 'name', 'subject'])
      .where('finished_at', 'is', null)
      .orderBy('accepted_at')
      .execute(),

  async finish(id, failure) {
    await db
      .updateTable('platform.jobs')
      .set({ finished_at: new Date(), failure: failure ?? null })
      .where('id', '=', id)
      .execute()
  },
})
