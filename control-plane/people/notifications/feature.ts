import type { Platform } from '../../platform.ts'
import { createNotifications } from './notifications.ts'
import { notificationRoutes } from './routes.ts'
import { notificationStore } from './store.ts'

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
