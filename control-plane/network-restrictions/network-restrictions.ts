import { mostNetworks, type NetworkRestrictions, type Networks } from '#contract/v1-network'
import type { Provider } from '#compute/provider'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../audit/audit.ts'
import type { NetworkStore } from './store.ts'

type Deps = {
  store: NetworkStore
  record: RecordChange
  compute: Pick<Provider, 'setNetworks'>
}

const everywhere = ['0.0.0.0/0', '::/0']
const isV6 = (network: string) => network.includes(':')

/** From which networks people connect to the database of a project. */
export function createNetworkRestrictions({ store, record, compute }: Deps) {
  const shape = (networks: readonly string[] | null): NetworkRestrictions => {
    const all = networks ?? everywhere
    return {
      entitlement: compute.setNetworks ? 'allowed' : 'disallowed',
      config: {
        dbAllowedCidrs: all.filter((network) => !isV6(network)),
        dbAllowedCidrsV6: all.filter(isV6),
      },
      // The server has them before this is kept.
      status: compute.setNetworks ? 'applied' : 'stored',
    }
  }

  return {
    async get(ref: string): Promise<NetworkRestrictions> {
      const row = await store.allowed(ref)
      if (!row) throw new ApiError('project_not_found')
      return shape(row.allowed_networks)
    },

    async apply(
      caller: Caller,
      ref: string,
      { dbAllowedCidrs, dbAllowedCidrsV6 = [] }: Networks,
      origin: Origin,
    ): Promise<NetworkRestrictions> {
      if (!compute.setNetworks) {
        throw new ApiError('invalid_input', 'This installation does not run the database server')
      }
      const wanted = [...new Set([...dbAllowedCidrs, ...dbAllowedCidrsV6])]
      if (wanted.length > mostNetworks) {
        throw new ApiError('invalid_input', `A project can have ${mostNetworks} networks at most`)
      }
      const networks = everywhere.every((network) => wanted.includes(network)) ? null : wanted
      await store.transaction(async (tx) => {
        const before = await store.lock(tx, ref)
        if (!before) throw new ApiError('project_not_found')
        await store.set(tx, ref, networks)
        await record(tx, {
          organizationId: before.organization_id,
          actor: caller,
          action: 'v1.applyNetworkRestrictions',
          target: `project:${ref}`,
          change: {
            before: { networks: before.allowed_networks ?? everywhere },
            after: { networks: networks ?? everywhere },
          },
          origin,
        })
        // Last, and before the commit: what fails here is not kept, and asking again is always right.
        await compute.setNetworks?.(ref, networks)
      })
      return shape(networks)
    },
  }
}
