import { notifications as api } from '#contract/people/notifications'
import { implement } from '#kit/http'
import type { Notifications } from './notifications.ts'

export const notificationRoutes = (notifications: Notifications) => [
  implement(api.list, (input, { userId }) => notifications.list(userId, input)),
  implement(api.summary, (_, { userId }) => notifications.summary(userId)),
  implement(api.update, async ({ ids, status }, { userId }) => ({
    updated: await notifications.mark(userId, status, ids),
  })),
  implement(api.archiveAll, async (_, { userId }) => ({
    updated: await notifications.mark(userId, 'archived'),
  })),
  implement(api.remove, async (_, { userId }) => ({
    removed: await notifications.removeArchived(userId),
  })),
]
