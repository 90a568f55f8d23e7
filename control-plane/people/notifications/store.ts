import { sql } from 'kysely'
import type { Parsed } from '#contract/endpoint'
import type { notifications as api } from '#contract/people/notifications'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Notice } from './notice.ts'

export type NotificationStore = ReturnType<typeof notificationStore>
type Filter = Omit<Parsed<typeof api.list>, 'limit' | 'offset'>

export function notificationStore(db: Db) {
  const of = (userId: string, { box, priority, organization, project }: Filter) =>
    db
      .selectFrom('platform.notifications as notification')
      .leftJoin(
        'platform.organizations as organization',
        'organization.id',
        'notification.organization_id',
      )
      .where('notification.user_id', '=', userId)
      .where('notification.status', box === 'archived' ? '=' : '<>', 'archived')
      .$if(priority !== undefined, (query) =>
        query.where('notification.priority', '=', priority ?? 'Info'),
      )
      .$if(organization !== undefined, (query) =>
        query.where('organization.slug', '=', organization ?? ''),
      )
      .$if(project !== undefined, (query) =>
        query.where('notification.project_ref', '=', project ?? ''),
      )

  return {
    async insert(tx: Tx, userIds: readonly string[], notice: Notice): Promise<void> {
      if (userIds.length === 0) return
      const { organizationId = null, projectRef = null, actions = [], ...rest } = notice
      const values = {
        ...rest,
        organization_id: organizationId,
        project_ref: projectRef,
        actions: JSON.stringify(actions),
      }
      await tx
        .insertInto('platform.notifications')
        .values([...new Set(userIds)].map((user_id) => ({ ...values, user_id })))
        .execute()
    },

    place: (tx: Tx, organizationId: string) =>
      tx
        .selectFrom('platform.organizations')
        .select(['slug', 'name'])
        .where('id', '=', organizationId)
        .executeTakeFirst(),

    /** Owners and administrators of an organization. */
    async managers(tx: Tx, organizationId: string): Promise<string[]> {
      const rows = await tx
        .selectFrom('platform.members')
        .select('user_id')
        .where('organization_id', '=', organizationId)
        .where('role', 'in', ['Owner', 'Administrator'])
        .execute()
      return rows.map((row) => row.user_id)
    },

    /** Those of them who have a profile. */
    async known(tx: Tx, userIds: readonly string[]): Promise<string[]> {
      if (userIds.length === 0) return []
      const rows = await tx
        .selectFrom('platform.profiles')
        .select('user_id')
        .where('user_id', 'in', userIds)
        .where('deleted_at', 'is', null)
        .execute()
      return rows.map((row) => row.user_id)
    },

    page: (userId: string, filter: Filter, limit: number, offset: number) =>
      of(userId, filter)
        .selectAll('notification')
        .select('organization.slug as organization_slug')
        .orderBy('notification.inserted_at', 'desc')
        .orderBy('notification.id')
        .limit(limit)
        .offset(offset)
        .execute(),

    async count(userId: string, filter: Filter): Promise<number> {
      const row = await of(userId, filter)
        .select((e) => e.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    unread: (userId: string) =>
      db
        .selectFrom('platform.notifications')
        .select([
          sql<number>`count(*)::int`.as('unread_count'),
          sql<boolean>`coalesce(bool_or(priority = 'Critical'), false)`.as('has_critical'),
          sql<boolean>`coalesce(bool_or(priority = 'Warning'), false)`.as('has_warning'),
        ])
        .where('user_id', '=', userId)
        .where('status', '=', 'new')
        .executeTakeFirstOrThrow(),

    /** Without ids: all of this person's that are not archived. */
    async setStatus(
      userId: string,
      status: 'new' | 'seen' | 'archived',
      ids?: string[],
    ): Promise<number> {
      const result = await db
        .updateTable('platform.notifications')
        .set({ status })
        .where('user_id', '=', userId)
        .where('status', '<>', status)
        .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
        .executeTakeFirst()
      return Number(result.numUpdatedRows)
    },

    async removeArchived(userId: string): Promise<number> {
      const result = await db
        .deleteFrom('platform.notifications')
        .where('user_id', '=', userId)
        .where('status', '=', 'archived')
        .executeTakeFirst()
      return Number(result.numDeletedRows)
    },

    /** Forgets what is older than `moment`. */
    async prune(moment: Date): Promise<void> {
      await db.deleteFrom('platform.notifications').where('inserted_at', '<', moment).execute()
    },
  }
}
