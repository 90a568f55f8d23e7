import { health as api, type Health, type HealthFindings } from '#contract/operations/health'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { createHealth } from './health.ts'
import { jobsStore } from './jobs-store.ts'
import { createSignOfLife } from './sign-of-life.ts'
import { healthStore, type BackupPromise } from './store.ts'

type Needs = {
  /** Undefined where somebody else keeps the backups. */
  backups: BackupPromise | undefined
  openAlerts: () => Promise<Health['open_alerts']>
}

/** How the installation is, for its operators, and what this program says of itself for it. */
export function healthFeature(platform: Platform, { backups, openAlerts }: Needs) {
  const { db, version, now } = platform
  const signs = createSignOfLife(platform)
  const look = createHealth({
    store: healthStore(db),
    jobs: jobsStore(db),
    planes: signs.all,
    backups,
    version,
    now,
  })
  return {
    look: (): Promise<HealthFindings> => look(),
    signOfLife: signs.round,
    rounds: signs.rounds,
    close: signs.close,
    routes: [
      ...signs.routes,
      implement(api.get, async () => {
        const [findings, alerts] = await Promise.all([look(), openAlerts()])
        return { ...findings, open_alerts: alerts }
      }),
    ],
  }
}
