import type { CronOptions, WebhookOptions } from '../options.ts'
import type { Plane } from '../plane.ts'
import { createExtensionUse, type UsedExtension } from '../projects/extension-use.ts'

/** Tells which databases have extensions that a process works for. Returns who hears of databases that may have changed. */
export function mountExtensionUse(
  { app, projects, log }: Plane,
  { cron, webhooks }: { cron?: CronOptions | undefined; webhooks?: WebhookOptions | undefined },
) {
  const extensions: UsedExtension[] = []
  if (cron)
    extensions.push({
      name: 'pg_cron',
      known: async () => (await cron.source.cron()).map(({ ref }) => ref),
      keepUse: cron.keepUse,
    })
  if (webhooks)
    extensions.push({
      name: 'pg_net',
      known: () => webhooks.source.net(),
      keepUse: webhooks.keepNetUse,
    })
  const use = createExtensionUse({ extensions, open: (ref) => projects.open(ref), log })
  app.addHook('preClose', () => use.close())
  return { changed: use.changed }
}
