import { travelNeeds, type TravelArea } from '#contract/projects/branch-travel'
import { git as api } from '#contract/projects/git'
import { implement, implementRaw, originOf } from '#kit/http'
import { rawBodyOf } from '#kit/http/http-security'
import { createSafeFetch } from '#kit/network/safe-fetch'
import type { Platform } from '../../platform.ts'
import { createApplying, type Travel } from './applying.ts'
import { createDeploying, type Databases, type DeployChanged } from './deploying.ts'
import { createGit } from './git.ts'
import { seedStore } from './seed-store.ts'
import { gitStore } from './store.ts'

type Needs = {
  databases: Databases
  deployChanged: DeployChanged
  travel: Travel
}

/** Deployments of projects and branches from a git repository of any host. */
export function gitFeature(platform: Platform, { travel, ...needs }: Needs) {
  const { db, record, jobs, secrets, url, log, access, dataPlane } = platform
  const { fetch = createSafeFetch({ largestBytes: 20 * 1024 * 1024 }) } = platform
  const store = gitStore(db)
  const git = createGit({
    store,
    secrets,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    url,
  })
  const mayDeploy = (userId: string, ref: string) =>
    access.can({ userId }, ref, 'write:Update', 'projects')
  const mayChange = async (userId: string, ref: string, area: TravelArea) => {
    const need = travelNeeds[area].changes
    return typeof need === 'object' && access.can({ userId }, ref, need.action, need.resource)
  }
  const applying = createApplying({ store, travel, seeds: seedStore(dataPlane), mayChange })
  return {
    workflows: createDeploying({ store, applying, mayDeploy, fetch, secrets, log, ...needs }),
    routes: [
      implement(api.get, ({ ref }) => git.get(ref)),
      implement(api.set, (input, caller, origin) => git.set(caller, input, origin)),
      implement(api.remove, ({ ref }, caller, origin) => git.remove(caller, ref, origin)),
      implement(api.newSecret, ({ ref }, caller, origin) => git.newSecret(caller, ref, origin)),
      implement(api.deployments, ({ ref }) => git.deployments(ref)),
      implement(api.deploy, (input, caller, origin) => git.deploy(caller, input, origin)),
      implementRaw(api.hook, (_input, _caller, { request }) => {
        const { ref } = request.params as { ref: string }
        return git.hook(ref, rawBodyOf(request), request.headers, originOf(request))
      }),
    ],
  }
}
