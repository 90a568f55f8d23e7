import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

type Row = Selectable<Tables['platform.invitations']>
export type InvitationRow = Row & {
  /** Null: the whole organization. Those that are still there. */
  projects: { id: number; ref: string; name: string }[] | null
  organization_slug: string
  organization_name: string
}
export type InvitationStore = ReturnType<typeof invitationStore>

const projects = sql<InvitationRow['projects']>`
  case when invitation.project_ids is not null then coalesce((
    select json_agg(json_build_object('id', p.id, 'ref', p.ref, 'name', p.name) order by lower(p.name))
    from platform.projects p
    where p.id = any(invitation.project_ids) and p.organization_id = invitation.organization_id
      and p.status <> 'REMOVED'), '[]'::json)
  end`

export function invitationStore(db: Db) {
  /** Those that are neither accepted nor revoked; they may have expired. */
  const open = (from: Db | Tx) =>
    from
      .selectFrom('platform.invitations as invitation')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'invitation.organization_id',
      )
      .selectAll('invitation')
      .select([
        projects.as('projects'),
        'organization.slug as organization_slug',
        'organization.name as organization_name',
      ])
      .where('invitation.closed_at', 'is', null)

  return {
    list: (slug: string): Promise<InvitationRow[]> =>
      open(db).where('organization.slug', '=', slug).orderBy('invitation.id', 'desc').execute(),

    find: (tx: Tx, organizationId: string, id: number): Promise<InvitationRow | undefined> =>
      open(tx)
        .where('invitation.organization_id', '=', organizationId)
        .where('invitation.id', '=', String(id))
        .executeTakeFirst(),

    byEmail: (tx: Tx, organizationId: string, email: string): Promise<InvitationRow | undefined> =>
      open(tx)
        .where('invitation.organization_id', '=', organizationId)
        .where('invitation.email', '=', email)
        .executeTakeFirst(),

    /** Only together with the organization that the link names. */
    byToken: (
      slug: string,
      tokenHash: string,
      from: Db | Tx = db,
    ): Promise<InvitationRow | undefined> =>
      open(from)
        .where('organization.slug', '=', slug)
        .where('invitation.token_hash', '=', tokenHash)
        .executeTakeFirst(),

    insert: (tx: Tx, row: Insertable<Tables['platform.invitations']>): Promise<Row> =>
      tx.insertInto('platform.invitations').values(row).returningAll().executeTakeFirstOrThrow(),

    /** A new token and a new day for it. */
    async renew(tx: Tx, id: string, tokenHash: string, expiresAt: Date): Promise<void> {
      await tx
        .updateTable('platform.invitations')
        .set({ token_hash: tokenHash, expires_at: expiresAt })
        .where('id', '=', id)
        .execute()
    },

    /** False when it was closed before: of two who accept at once, one does. */
    async close(tx: Tx, id: string): Promise<boolean> {
      const closed = await tx
        .updateTable('platform.invitations')
        .set({ closed_at: new Date() })
        .where('id', '=', id)
        .where('closed_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return closed !== undefined
    },

    /** Counts a mail, and says how many the organization has sent since `since`, this one included. */
    async countMail(tx: Tx, organizationId: string, since: Date): Promise<number> {
      await tx
        .deleteFrom('platform.invitation_mails')
        .where('organization_id', '=', organizationId)
        .where('sent_at', '<', since)
        .execute()
      await tx
        .insertInto('platform.invitation_mails')
        .values({ organization_id: organizationId })
        .execute()
      const { count } = await tx
        .selectFrom('platform.invitation_mails')
        .select((e) => e.fn.countAll<string>().as('count'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    isMember: async (tx: Tx, organizationId: string, email: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.members as member')
        .innerJoin('platform.profiles as profile', 'profile.user_id', 'member.user_id')
        .select('member.user_id')
        .where('member.organization_id', '=', organizationId)
        .where(sql<boolean>`lower(profile.primary_email) = ${email}`)
        .limit(1)
        .executeTakeFirst()) !== undefined,

    hasProfile: async (tx: Tx, userId: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.profiles')
        .select('id')
        .where('user_id', '=', userId)
        .executeTakeFirst()) !== undefined,
  }
}

/** Whether an organization waits for somebody with this address, as the auth service writes it. */
export async function isInvited(db: Db, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('platform.invitations')
    .select('id')
    .where('email', '=', email)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return found !== undefined
}
