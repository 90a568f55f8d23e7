import { upgrades as api } from '#contract/projects/upgrades'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { settleFrom, type SettleNeeds } from '../../server-change.ts'
import { extensionsStore } from './extensions-store.ts'
import { upgradesStore } from './store.ts'
import { createUpgrades } from './upgrades.ts'
import { v1UpgradeRoutes } from './v1-routes.ts'
import { createUpgrading } from './upgrading.ts'

type Needs = SettleNeeds & { runSql: Parameters<typeof extensionsStore>[0] }

/** Which version of PostgreSQL a project runs on, and changing it, on demand or in an hour of the week. */
export function upgradesFeature(platform: Platform, { runSql, ...moves }: Needs) {
  const { db, record, jobs, projects, compute, each, now, log } = platform
  const store = upgradesStore(db)
  const upgrades = createUpgrades({
    store,
    extensions: extensionsStore(runSql),
    projects,
    compute,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    each,
    now,
  })
  return {
    upgrades,
    workflows: createUpgrading({
      store,
      projects,
      compute,
      settle: settleFrom('UPGRADING', moves),
      now,
      log,
    }),
    rounds: [
      { seconds: 60, name: 'upgrades in their windows', run: upgrades.windowRound },
      { seconds: 60, name: 'upgrades to settle', run: upgrades.settleLeftBehind },
    ],
    routes: [
      ...v1UpgradeRoutes(upgrades),
      implement(api.get, ({ ref }) => upgrades.get(ref)),
      implement(api.order, async ({ ref }, caller, origin) => {
        await upgrades.order({ caller, origin }, ref)
        return {}
      }),
      implement(api.setWindow, async ({ ref, window }, caller, origin) => {
        await upgrades.setWindow({ caller, origin }, ref, window)
        return {}
      }),
    ],
  }
}
