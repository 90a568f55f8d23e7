import type { Platform } from '../../platform.ts'
import { createNotifications, type Notifications } from './notifications.ts'
import { notificationStore } from './store.ts'
import { notifications as api } from '#contract/people/notifications'
import { implement } from '#kit/http'

const day = 24 * 3600 * 1000
/** How long news stays when nobody archives it. */
const newsMemory = 180 * day

/** The inbox of news. */
export function notificationsFeature({ db }: Platform) {
  const store = notificationStore(db)
  return {
    routes: notificationRoutes(createNotifications(store)),
    rounds: [
      {
        seconds: 3600,
        name: 'old news',
        run: () => store.prune(new Date(Date.now() - newsMemory)),
      },
    ],
  }
}

const notificationRoutes = (notifications: Notifications) => [
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
