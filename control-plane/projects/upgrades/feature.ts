import type { DatabaseAddress } from '#compute/provider'
import type { ProjectStatus } from '#contract/projects/project-status'
import { upgrades as api } from '#contract/projects/upgrades'
import { implement } from '#kit/http'
import type { Tx } from '../../platform-database/database.ts'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { Platform } from '../../platform.ts'
import { extensionsStore } from './extensions-store.ts'
import { upgradesStore } from './store.ts'
import { createUpgrades } from './upgrades.ts'
import { v1UpgradeRoutes } from './v1-routes.ts'
import { createUpgrading } from './upgrading.ts'

type Move = { job: string; address?: ProjectAddress; failure?: string }
type Needs = {
  runSql: Parameters<typeof extensionsStore>[0]
  /** Moves a project, with what is written down beside it; undefined when somebody else moved it first. */
  settle: (
    ref: string,
    from: ProjectStatus,
    to: ProjectStatus,
    move: Move,
    also: (tx: Tx) => Promise<void>,
  ) => Promise<unknown>
  toAddress: (address: DatabaseAddress) => ProjectAddress
}

/** Which version of PostgreSQL a project runs on, and changing it, on demand or in an hour of the week. */
export function upgradesFeature(platform: Platform, { runSql, settle, toAddress }: Needs) {
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
      settle: async (job, to, { address, failure }, also) => {
        const move = {
          job: job.id,
          ...(address && { address: toAddress(address) }),
          ...(failure !== undefined && { failure }),
        }
        return (await settle(job.subject, 'UPGRADING', to, move, also)) !== undefined
      },
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
