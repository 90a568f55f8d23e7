import { branches as api } from '#contract/projects/branches'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { createBranches, type BranchDeps, type BranchFunctions, type Branches } from './branches.ts'
import { createDatabases } from './databases.ts'
import { branchStore } from './store.ts'
import { branchWorkflows } from './workflows.ts'

type Workflows = Parameters<typeof branchWorkflows>[0]
type Needs = Pick<BranchDeps, 'newProject' | 'removeProject'> &
  Pick<Workflows, 'specOf' | 'toAddress' | 'settle'> & { functions: BranchFunctions }

/** Branches of projects: made, updated from main, merged into it, reset and deleted. */
export function branchesFeature(platform: Platform, needs: Needs) {
  const { db, projects, record, jobs, dataPlane, compute, log } = platform
  const { newProject, removeProject, functions, ...making } = needs
  const store = branchStore(db)
  const databases = createDatabases(dataPlane)
  const branches = createBranches({
    store,
    databases,
    functions,
    move: projects.transition,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    newProject,
    removeProject,
  })
  return {
    branches,
    workflows: branchWorkflows({ store, databases, functions, compute, log, ...making }),
    routes: branchRoutes(branches),
  }
}

const branchRoutes = (branches: Branches) => [
  implement(api.list, ({ ref }) => branches.list(ref)),
  implement(api.create, (input, caller, origin) => branches.create(caller, input, origin)),
  implement(api.update, (input, caller, origin) => branches.update(caller, input, origin)),
  implement(api.remove, ({ ref, id }, caller, origin) => branches.remove(caller, ref, id, origin)),
  implement(api.steps, ({ ref, id }) => branches.steps(ref, id)),
  implement(api.difference, ({ ref, id }) => branches.difference(ref, id)),
  implement(api.pull, ({ ref, id }, caller, origin) => branches.pull(caller, ref, id, origin)),
  implement(api.merge, ({ ref, id }, caller, origin) => branches.merge(caller, ref, id, origin)),
  implement(api.reset, ({ ref, id }, caller, origin) => branches.reset(caller, ref, id, origin)),
]
