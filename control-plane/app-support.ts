import type { Caller, Route } from '#kit/http'
import type { Job, Jobs } from '#kit/jobs'
import type { Db } from './platform-database/database.ts'
import { createNotifications } from './people/notifications/notifications.ts'
import { notificationRoutes } from './people/notifications/routes.ts'
import { notificationStore } from './people/notifications/store.ts'
import type { QueueMail } from './operations/outgoing-mail/outgoing-mail.ts'
import { supportRoutes } from './people/support/routes.ts'
import { supportStore } from './people/support/store.ts'
import { createSupport } from './people/support/support.ts'

type Parts = {
  db: Db
  queueMail: QueueMail
  startJob: (job: Job) => Promise<void>
  every: Jobs['every']
  supportEmail: string
}

const day = 24 * 3600 * 1000
/** How long news stays when nobody archives it. */
const newsMemory = 180 * day

/** Requests for help, and the inbox of news. */
export function assembleSupport({ db, every, ...parts }: Parts) {
  const files = supportStore(db)
  const news = notificationStore(db)
  const notifications = createNotifications(news)
  const support = createSupport({ store: files, checkVisible, ...parts })
  every(3600, 'support files and old news', async () => {
    await files.prune(new Date(Date.now() - day))
    await news.prune(new Date(Date.now() - newsMemory))
  })
  const routes: Route[] = [...supportRoutes(support), ...notificationRoutes(notifications)]
  return { routes, notify: notifications.notify }
}

/** Reading is what every role may do, so it tells whether the caller may know of it at all. */
async function checkVisible(caller: Caller, about: { slug?: string; ref?: string }): Promise<void> {
  const inside = about.ref === undefined ? 'organization' : 'project'
  await caller.authorize({ action: 'read:Read', resource: `${inside}s`, in: inside }, about)
}
