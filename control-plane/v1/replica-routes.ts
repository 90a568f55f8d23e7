import { Identifier, replicaTenant } from '#contract/projects/replicas'
import { v1 as api } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implement, type Caller, type Origin } from '#kit/http'

type By = { caller: Caller; origin: Origin }
export type ReplicaParts = {
  create(by: By, ref: string): Promise<unknown>
  remove(by: By, ref: string, identifier: string): Promise<unknown>
}

/** Read replicas for programs. */
export const v1ReplicaRoutes = (replicas: ReplicaParts) => [
  implement(api.addReadReplica, async ({ ref }, caller, origin) => {
    await replicas.create({ caller, origin }, ref)
    return {}
  }),
  implement(api.removeReadReplica, async (input, caller, origin) => {
    const { ref, database_identifier: named } = input
    const start = replicaTenant(ref, '')
    const identifier = named.startsWith(start) ? named.slice(start.length) : named
    if (!Identifier.safeParse(identifier).success) throw new ApiError('replica_not_found')
    await replicas.remove({ caller, origin }, ref, identifier)
    return {}
  }),
]
