import { createCron } from '../cron/cron.ts'
import type { CronOptions } from '../options.ts'
import type { Plane } from '../plane.ts'

/** Runs the jobs of databases from when the process listens until it closes. */
export function mountCron({ app, projects, log }: Plane, options: CronOptions): void {
  const open = (ref: string) => projects.open(ref)
  const cron = createCron({ ...options, log, open })
  app.addHook('onListen', () => cron.start())
  app.addHook('preClose', () => cron.close())
}
