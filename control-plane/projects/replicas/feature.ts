import type { DatabaseAddress } from '#compute/provider'
import { replicas as api } from '#contract/projects/replicas'
import { implement } from '#kit/http'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { Platform } from '../../platform.ts'
import { createMending } from './mending.ts'
import { createReplicas } from './replicas.ts'
import { replicaStore } from './store.ts'
import { replicaWorkflows } from './workflows.ts'

type Needs = {
  adminPasswordOf: (ref: string) => Promise<string>
  toAddress: (address: DatabaseAddress) => ProjectAddress
}

/** Read replicas of projects: made, looked after, restarted and dropped. */
export function replicasFeature(platform: Platform, { adminPasswordOf, toAddress }: Needs) {
  const { db, record, jobs, projects, each, now, log } = platform
  const compute = platform.compute.replicas
  const store = replicaStore(db)
  const { notify } = projects
  const common = { store, compute, adminPasswordOf, notify, log }
  const replicas = createReplicas({
    ...common,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
  })
  const mend = createMending({ ...common, order: replicas.order, each })
  return {
    replicas,
    /** Makes what is to be made again, and lets go of what nobody may have any more. */
    mend,
    workflows: replicaWorkflows({ ...common, toAddress, now }),
    rounds: [{ seconds: 60, name: 'read replicas', run: mend }],
    routes: [
      implement(api.list, ({ ref }) => replicas.list(ref)),
      implement(api.create, ({ ref }, caller, origin) => replicas.create({ caller, origin }, ref)),
      implement(api.restart, ({ ref, identifier }, caller, origin) =>
        replicas.restart({ caller, origin }, ref, identifier),
      ),
      implement(api.remove, ({ ref, identifier }, caller, origin) =>
        replicas.remove({ caller, origin }, ref, identifier),
      ),
    ],
  }
}
