import { sql, type Updateable } from 'kysely'
import type { MergeRequest, Verdict } from '#contract/projects/merge-requests'
import type { Db, Tx } from '../../../platform-database/database.ts'
import type { Tables } from '../../../platform-database/tables.ts'

export type RequestRow = Omit<MergeRequest, 'created_at' | 'closed_at'> & {
  created_at: Date
  closed_at: Date | null
}
export type NoteRow = {
  id: string
  user_id: string
  email: string | null
  at: Date
  verdict: Verdict | null
  digest: string | null
  body: string
}
export type RequestsStore = ReturnType<typeof requestsStore>

const newest = 100
/** Notes of one request. */
export const maxNotes = 500

const person = (id: string) => sql`json_build_object('id', ${sql.raw(id)}, 'email',
  (select p.primary_email from platform.profiles p where p.user_id = ${sql.raw(id)} and p.deleted_at is null))`
const columns = sql`r.id, r.branch_id, b.name as branch_name, r.title, r.description, r.state, r.created_at, r.closed_at,
  ${person('r.created_by')} as author,
  (select coalesce(json_agg(${person('one.id')} order by one.nth), '[]'::json)
    from unnest(r.reviewers) with ordinality as one (id, nth)) as reviewers`

export const requestsStore = (db: Db) => ({
  async list(parentId: string): Promise<RequestRow[]> {
    const { rows } = await sql<RequestRow>`select ${columns}
      from platform.merge_requests r join platform.branches b on b.id = r.branch_id
      where b.parent_id = ${parentId} and not b.deleted
      order by r.state = 'open' desc, r.created_at desc limit ${newest}`.execute(db)
    return rows
  },

  async find(parentId: string, id: string, from: Db | Tx = db): Promise<RequestRow | undefined> {
    const { rows } = await sql<RequestRow>`select ${columns}
      from platform.merge_requests r join platform.branches b on b.id = r.branch_id
      where b.parent_id = ${parentId} and r.id = ${id} and not b.deleted`.execute(from)
    return rows[0]
  },

  async openOf(branchId: string): Promise<RequestRow | undefined> {
    const { rows } = await sql<RequestRow>`select ${columns}
      from platform.merge_requests r join platform.branches b on b.id = r.branch_id
      where r.branch_id = ${branchId} and r.state = 'open'`.execute(db)
    return rows[0]
  },

  /** Undefined: there is an open one of this branch. */
  insert: (
    tx: Tx,
    row: {
      branch_id: string
      title: string
      description: string
      reviewers: string[]
      created_by: string
    },
  ): Promise<{ id: string } | undefined> =>
    tx
      .insertInto('platform.merge_requests')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst(),

  /** False: it is not open any more. */
  async update(
    tx: Tx,
    id: string,
    values: Updateable<Tables['platform.merge_requests']>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('platform.merge_requests')
      .set(values)
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  async closeMerged(branchId: string): Promise<void> {
    await db
      .updateTable('platform.merge_requests')
      .set({ state: 'merged', closed_at: new Date() })
      .where('branch_id', '=', branchId)
      .where('state', '=', 'open')
      .execute()
  },

  notes: (requestId: string, from: Db | Tx = db): Promise<NoteRow[]> =>
    from
      .selectFrom('platform.merge_request_notes as note')
      .leftJoin('platform.profiles as profile', (join) =>
        join.onRef('profile.user_id', '=', 'note.user_id').on('profile.deleted_at', 'is', null),
      )
      .select(['note.id', 'note.user_id', 'note.at', 'note.verdict', 'note.digest', 'note.body'])
      .select('profile.primary_email as email')
      .where('note.request_id', '=', requestId)
      .orderBy('note.id')
      .execute(),

  async addNote(
    tx: Tx,
    note: {
      request_id: string
      user_id: string
      verdict: Verdict | null
      digest: string | null
      body: string
    },
  ): Promise<void> {
    await tx.insertInto('platform.merge_request_notes').values(note).execute()
  },

  members: (organizationId: string): Promise<{ id: string; email: string }[]> =>
    db
      .selectFrom('platform.members as member')
      .innerJoin('platform.profiles as profile', 'profile.user_id', 'member.user_id')
      .select(['member.user_id as id', 'profile.primary_email as email'])
      .where('member.organization_id', '=', organizationId)
      .where('profile.deleted_at', 'is', null)
      .orderBy('profile.primary_email')
      .execute(),
})
