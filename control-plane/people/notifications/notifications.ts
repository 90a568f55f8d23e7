import type { Output, Parsed } from '#contract/endpoint'
import type { notifications as api } from '#contract/people/notifications'
import type { Notify } from './notice.ts'
import type { NotificationStore } from './store.ts'

/** The inbox of a person. */
export function createNotifications(store: NotificationStore) {
  const notify: Notify = (tx, userIds, notice) => store.insert(tx, userIds, notice)
  return {
    notify,

    async list(
      userId: string,
      { limit, offset, ...filter }: Parsed<typeof api.list>,
    ): Promise<Output<typeof api.list>> {
      const rows = await store.page(userId, filter, limit, offset)
      return {
        notifications: rows.map((row) => ({
          id: row.id,
          name: row.name,
          priority: row.priority,
          status: row.status,
          inserted_at: row.inserted_at.toISOString(),
          data: {
            title: row.title,
            message: row.message,
            org_slug: row.organization_slug,
            project_ref: row.project_ref,
            actions: row.actions,
          },
          meta: {},
        })),
        pagination: { count: await store.count(userId, filter), limit, offset },
      }
    },

    summary: (userId: string) => store.unread(userId),
    mark: store.setStatus,
    removeArchived: store.removeArchived,
  }
}
export type Notifications = ReturnType<typeof createNotifications>
