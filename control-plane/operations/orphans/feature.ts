import type { QueueMail } from '../outgoing-mail/outgoing-mail.ts'
import type { Platform } from '../../platform.ts'
import { createOrphans } from './orphans.ts'
import { createQuarantine } from './quarantine.ts'
import { orphanRoutes } from './routes.ts'
import { orphanStore } from './store.ts'

type Needs = Pick<
  Parameters<typeof createOrphans>[0],
  'adoptProject' | 'adoptBackup' | 'unnamed'
> & { queueMail: QueueMail }

/** What no row knows: kept, reported, and taken or removed by whoever runs the platform. */
export function orphansFeature(platform: Platform, { queueMail, ...needs }: Needs) {
  const { db, record, jobs, compute, supportEmail: operatorEmail, log } = platform
  const store = orphanStore(db)
  const { start: startJob } = jobs
  const orphans = createOrphans({
    store,
    record,
    startJob,
    destroy: compute.destroy,
    removeBackup: async (ref, id) => compute.backups?.remove({ ref, id }),
    ...needs,
  })
  return {
    routes: orphanRoutes(orphans),
    quarantine: createQuarantine({ store, queueMail, startJob, operatorEmail, log }),
  }
}
