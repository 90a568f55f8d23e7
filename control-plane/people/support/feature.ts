import type { Caller } from '#kit/http'
import type { QueueMail } from '../../operations/outgoing-mail/outgoing-mail.ts'
import type { Platform } from '../../platform.ts'
import { supportRoutes } from './routes.ts'
import { supportStore } from './store.ts'
import { createSupport } from './support.ts'

const day = 24 * 3600 * 1000

/** Requests for help. */
export function supportFeature(
  { db, jobs, supportEmail }: Platform,
  { queueMail }: { queueMail: QueueMail },
) {
  const store = supportStore(db)
  const support = createSupport({
    store,
    checkVisible,
    queueMail,
    startJob: jobs.start,
    supportEmail,
  })
  return {
    routes: supportRoutes(support),
    rounds: [
      { seconds: 3600, name: 'support files', run: () => store.prune(new Date(Date.now() - day)) },
    ],
  }
}

/** Reading is what every role may do, so it tells whether the caller may know of it at all. */
async function checkVisible(caller: Caller, about: { slug?: string; ref?: string }): Promise<void> {
  const inside = about.ref === undefined ? 'organization' : 'project'
  await caller.authorize({ action: 'read:Read', resource: `${inside}s`, in: inside }, about)
}
