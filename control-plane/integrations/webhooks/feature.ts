import type { Platform } from '../../platform.ts'
import { createWebhookSecrets, type WebhookSecrets } from './secrets.ts'
import { secretStore } from './secret-store.ts'
import { webhookStore, type RunSql, type WebhookStore } from './store.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'
import { internal } from '#contract/internal-api'
import { webhooks as api } from '#contract/integrations/webhooks'
import { implement, implementOpen } from '#kit/http'

/** What the databases of projects tell others of. */
export function webhooksFeature(platform: Platform, { runSql }: { runSql: RunSql }) {
  const { db, audited, secrets } = platform
  const store = webhookStore(db, runSql)
  const webhooks = createWebhooks({ store, audited, schema: platform.webhookSchema })
  const signing = createWebhookSecrets({
    store: secretStore(db, runSql),
    audited,
    secrets,
    now: platform.now,
  })
  return {
    routes: [...webhookRoutes(webhooks, signing), ...internalRoutes(platform, store, signing)],
  }
}

const webhookRoutes = (webhooks: Webhooks, signing: WebhookSecrets) => [
  implement(api.state, ({ ref }) => webhooks.state(ref)),
  implement(api.enable, ({ ref }, caller, origin) => webhooks.enable(caller, ref, origin)),
  implement(api.newSecret, ({ ref, ...hook }, caller, origin) =>
    signing.renew({ caller, ref, origin }, hook),
  ),
  implement(api.removeSecret, ({ ref, ...hook }, caller, origin) =>
    signing.remove({ caller, ref, origin }, hook),
  ),
]

/** What the data plane asks, and what it finds out. */
const internalRoutes = (
  { db, projects }: Pick<Platform, 'db' | 'projects'>,
  store: WebhookStore,
  signing: WebhookSecrets,
) => [
  implementOpen(internal.webhooks, () => store.enabled()),
  implementOpen(internal.net, () => store.net()),
  implementOpen(internal.netUse, ({ ref, used }) =>
    db.transaction().execute(async (tx) => {
      const changed = await store.keepNet(tx, ref, used)
      if (changed) await projects.notify(tx, ref)
      return { changed }
    }),
  ),
  implementOpen(internal.webhookKeys, ({ ref }) => signing.keys(ref)),
]
