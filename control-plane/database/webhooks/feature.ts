import type { Platform } from '../../platform.ts'
import { webhookRoutes } from './routes.ts'
import { webhookStore } from './store.ts'
import { createWebhooks } from './webhooks.ts'

type Needs = { runSql: Parameters<typeof webhookStore>[1] }

/** What the databases of projects tell others of. */
export const webhooksFeature = (platform: Platform, { runSql }: Needs) => ({
  routes: webhookRoutes(
    createWebhooks({
      store: webhookStore(platform.db, runSql),
      record: platform.record,
      tell: platform.projects.tell,
      schema: platform.webhookSchema,
    }),
  ),
})
