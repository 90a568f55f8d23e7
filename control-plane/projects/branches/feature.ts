import { branches as api } from '#contract/projects/branches'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import type { BranchFunctions } from './branch-functions.ts'
import { copyStore } from './dry-run/copy-store.ts'
import { dryRunStore } from './dry-run/dry-runs-store.ts'
import { createDryRuns } from './dry-run/dry-runs.ts'
import { dryRunRoutes } from './dry-run/routes.ts'
import { dryRunWorkflow } from './dry-run/workflow.ts'
import { createBranches, type BranchDeps, type Branches } from './branches.ts'
import { createDatabases } from './databases.ts'
import { createIdleBranches, type IdleDeps } from './idle.ts'
import { idleStore } from './idle-store.ts'
import { masksStore, type RunSql } from './masks-store.ts'
import { createBranchSettings, type SettingsOfBranches } from './settings.ts'
import { createCheckApprovals } from './requests/approvals.ts'
import { requestsStore } from './requests/requests-store.ts'
import { createMergeRequests } from './requests/requests.ts'
import { mergeRequestRoutes } from './requests/routes.ts'
import { createParentOf } from './shape.ts'
import { branchStore } from './store.ts'
import { createTravel, type SettingsOwners } from './travel/areas.ts'
import { bucketsStore } from './travel/buckets-store.ts'
import { createRecordBuckets } from './travel/record-buckets.ts'
import { branchWorkflows } from './workflows.ts'

type Workflows = Parameters<typeof branchWorkflows>[0]
type Needs = Pick<BranchDeps, 'newProject' | 'removeProject' | 'copies'> &
  Pick<Workflows, 'specOf' | 'toAddress' | 'settle'> &
  Pick<IdleDeps, 'pause'> & { functions: BranchFunctions; settings: SettingsOwners; runSql: RunSql }

/** Branches of projects: made, updated from main, merged into it, reset and deleted. */
export function branchesFeature(platform: Platform, needs: Needs) {
  const { db, projects, record, jobs, dataPlane, compute, each, now, log, access } = platform
  const {
    newProject,
    removeProject,
    functions,
    runSql,
    pause,
    copies,
    settings: owners,
    ...making
  } = needs
  const store = branchStore(db)
  const databases = createDatabases(dataPlane)
  const masks = masksStore(runSql)
  const travel = createTravel({
    ...owners,
    buckets: bucketsStore(runSql),
    recordBuckets: createRecordBuckets({ store, record }),
  })
  const settings = createBranchSettings({ store, masks, record, parentOf: createParentOf(store) })
  const idle = createIdleBranches({ store, idle: idleStore(db), pause, each, now })
  const requests = requestsStore(db)
  const mayMerge = (userId: string, ref: string) =>
    access.can({ userId }, ref, 'write:Update', 'preview_branches')
  const neededOf = async (id: string) => (await settings.of({ id })).merge_approvals
  const branches = createBranches({
    store,
    checkApprovals: createCheckApprovals({ store: requests, mayMerge, neededOf }),
    copies,
    settings: settings.of,
    databases,
    functions,
    travel,
    move: projects.transition,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    newProject,
    removeProject,
  })
  const mergeRequests = createMergeRequests({
    store: requests,
    transaction: store.transaction,
    record,
    parentOf: createParentOf(store),
    find: branches.find,
    digestOf: branches.digestOf,
    mayMerge,
    neededOf,
  })
  const dryRunRows = dryRunStore(db)
  const common = { find: branches.find, toTry: branches.toTry, acceptJob: jobs.accept }
  const dryRuns = createDryRuns({
    ...common,
    store: dryRunRows,
    transaction: store.transaction,
    copies,
    newProject,
    record,
    startJob: jobs.start,
  })
  const dryRunning = dryRunWorkflow({
    ...common,
    store: dryRunRows,
    copy: copyStore(dataPlane),
    branches: store,
    databases,
    move: projects.transition,
    startJob: jobs.start,
    each,
    log,
  })
  return {
    branches,
    databases,
    travel,
    dryRunRound: dryRunning.round,
    idleRound: idle.round,
    workflows: {
      ...dryRunning.workflows,
      ...branchWorkflows({
        store,
        closeMerged: requests.closeMerged,
        databases,
        functions,
        travel,
        compute,
        copies,
        log,
        ...making,
      }),
    },
    rounds: [
      { seconds: 300, name: 'branches that nobody uses', run: idle.round },
      { seconds: 60, name: 'copies of dry runs', run: dryRunning.round },
    ],
    routes: [
      ...branchRoutes(branches, settings),
      ...mergeRequestRoutes(mergeRequests),
      ...dryRunRoutes(dryRuns),
    ],
  }
}

const branchRoutes = (branches: Branches, settings: SettingsOfBranches) => [
  implement(api.settings, ({ ref }) => settings.get(ref)),
  implement(api.setSettings, (input, caller, origin) => settings.set(caller, input, origin)),
  implement(api.list, ({ ref }) => branches.list(ref)),
  implement(api.create, (input, caller, origin) => branches.create(caller, input, origin)),
  implement(api.update, (input, caller, origin) => branches.update(caller, input, origin)),
  implement(api.remove, ({ ref, id }, caller, origin) => branches.remove(caller, ref, id, origin)),
  implement(api.steps, ({ ref, id }) => branches.steps(ref, id)),
  implement(api.difference, ({ ref, id }, caller) => branches.difference(caller, ref, id)),
  implement(api.pull, ({ ref, id, take_main: take }, caller, origin) =>
    branches.pull(caller, ref, id, origin, take),
  ),
  implement(api.merge, ({ ref, id }, caller, origin) => branches.merge(caller, ref, id, origin)),
  implement(api.reset, ({ ref, id }, caller, origin) => branches.reset(caller, ref, id, origin)),
]
