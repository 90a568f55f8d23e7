import type { Platform } from '../../platform.ts'
import { webhookStore } from './store.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'
import { internal } from '#contract/internal-api'
import { webhooks as api } from '#contract/database/webhooks'
import { implement, implementOpen } from '#kit/http'

type Needs = { runSql: Parameters<typeof webhookStore>[1] }

/** What the databases of projects tell others of. */
export const webhooksFeature = (platform: Platform, { runSql }: Needs) => ({
  routes: webhookRoutes(
    createWebhooks({
      store: webhookStore(platform.db, runSql),
      audited: platform.audited,
      schema: platform.webhookSchema,
    }),
  ),
})

const webhookRoutes = (webhooks: Webhooks) => [
  implement(api.state, ({ ref }) => webhooks.state(ref)),
  implement(api.enable, ({ ref }, caller, origin) => webhooks.enable(caller, ref, origin)),
  implement(api.calls, (input) => webhooks.calls(input)),
  implementOpen(internal.webhooks, () => webhooks.enabled()),
]
