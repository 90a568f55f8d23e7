import { createCron } from '../cron/cron.ts'
import { createCronUse } from '../cron/cron-use.ts'
import type { CronOptions } from '../options.ts'
import type { Plane } from '../plane.ts'

/** Runs the jobs of databases from when the process listens until it closes. Returns who hears of databases that may have changed. */
export function mountCron({ app, projects, log }: Plane, options: CronOptions) {
  const open = (ref: string) => projects.open(ref)
  const cron = createCron({ ...options, log, open })
  const use = createCronUse({ ...options, log, open })
  app.addHook('onListen', () => cron.start())
  app.addHook('preClose', async () => {
    await use.close()
    await cron.close()
  })
  return { changed: use.changed }
}
