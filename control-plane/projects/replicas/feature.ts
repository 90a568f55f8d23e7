import { replicas as api } from '#contract/projects/replicas'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { settleFrom, type SettleNeeds } from '../../server-change.ts'
import { createMending } from './mending.ts'
import { promotionWorkflows } from './promotion.ts'
import { createReplicas } from './replicas.ts'
import { replicaStore } from './store.ts'
import { replicaWorkflows } from './workflows.ts'

type Needs = { adminPasswordOf: (ref: string) => Promise<string> } & SettleNeeds

/** Read replicas of projects: made, looked after, restarted and dropped. */
export function replicasFeature(platform: Platform, { adminPasswordOf, ...moves }: Needs) {
  const { db, record, jobs, projects, each, now, log } = platform
  const compute = platform.compute.replicas
  const store = replicaStore(db)
  const { notify } = projects
  const common = { store, compute, adminPasswordOf, notify, log }
  const replicas = createReplicas({
    ...common,
    projects,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
  })
  const mend = createMending({ ...common, order: replicas.order, each })
  return {
    replicas,
    /** Makes what is to be made again, and lets go of what nobody may have any more. */
    mend,
    workflows: {
      ...replicaWorkflows({ ...common, toAddress: moves.toAddress, now }),
      ...promotionWorkflows({
        ...common,
        projects,
        inspect: (ref) => platform.compute.inspect(ref),
        settle: settleFrom('RESTARTING', moves),
      }),
    },
    rounds: [{ seconds: 60, name: 'read replicas', run: mend }],
    routes: [
      implement(api.list, ({ ref }) => replicas.list(ref)),
      implement(api.create, ({ ref }, caller, origin) => replicas.create({ caller, origin }, ref)),
      implement(api.restart, ({ ref, identifier }, caller, origin) =>
        replicas.restart({ caller, origin }, ref, identifier),
      ),
      implement(api.promote, ({ ref, identifier, force }, caller, origin) =>
        replicas.promote({ caller, origin }, ref, identifier, force),
      ),
      implement(api.remove, ({ ref, identifier }, caller, origin) =>
        replicas.remove({ caller, origin }, ref, identifier),
      ),
    ],
  }
}
