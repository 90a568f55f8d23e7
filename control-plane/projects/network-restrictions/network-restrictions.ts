import {
  maxNetworks,
  type Networks,
  type NetworkRestrictions as Answer,
} from '#contract/v1/v1-network'
import type { Provider } from '#compute/provider'
import { ApiError } from '#kit/errors'
import { failpoint } from '#kit/failpoints'
import type { Caller, Origin } from '#kit/http'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { Audited } from '../../audited.ts'
import type { NetworkStore } from './store.ts'

type Deps = {
  store: NetworkStore
  audited: Audited
  compute: Pick<Provider, 'setNetworks'>
  /** Has the ports of databases go by what rows say now. Rejects where nobody answers. */
  tellPorts: () => Promise<unknown>
  each: EachSubject
  log: Log
}

type SomeNetworks = { [Kind in keyof Networks]?: Networks[Kind] | undefined }
type Row = { allowed_networks: readonly string[] | null; networks_applied: boolean }

const everywhere = ['0.0.0.0/0', '::/0']
const isV6 = (network: string) => network.includes(':')

/**
 * From which networks people connect to the database of a project. The row is written first and says what is wanted; the
 * port of the database, which decides, and the server are given it at once where they can be, and by a round where that fails or
 * is cut short.
 */
export function createNetworkRestrictions({ store, audited, compute, ...deps }: Deps) {
  const { tellPorts, each, log } = deps

  const shape = ({ allowed_networks, networks_applied }: Row): Answer => {
    const all = allowed_networks ?? everywhere
    return {
      entitlement: compute.setNetworks ? 'allowed' : 'disallowed',
      config: {
        dbAllowedCidrs: all.filter((network) => !isV6(network)),
        dbAllowedCidrsV6: all.filter(isV6),
      },
      status: compute.setNetworks && networks_applied ? 'applied' : 'stored',
    }
  }

  /** Gives a server what its row says, until no other wish has come meanwhile. It may be repeated at any time. */
  const settle = (ref: string) =>
    store.alone(ref, async () => {
      for (let row = await store.desired(ref); row; row = await store.desired(ref)) {
        await compute.setNetworks?.(ref, row.allowed_networks)
        await tellPorts()
        failpoint('networks.settle:set')
        await store.applied(ref, row.allowed_networks)
      }
    })

  async function get(ref: string): Promise<Answer> {
    const row = await store.allowed(ref)
    if (!row) throw new ApiError('project_not_found')
    return shape(row)
  }

  /** Writes down what `wish` makes of the networks that hold, while nobody else changes them, and tells the server. */
  async function write(
    caller: Caller,
    ref: string,
    wish: (now: readonly string[]) => readonly string[],
    origin: Origin,
  ): Promise<Answer> {
    if (!compute.setNetworks) {
      throw new ApiError('invalid_input', 'This installation does not manage the database server')
    }
    await audited({ caller, ref, origin }, 'v1.applyNetworkRestrictions', async (tx, project) => {
      const before = project.allowed_networks ?? everywhere
      const after = asKept(wish(before))
      await store.set(tx, ref, after)
      const change = { before: { networks: before }, after: { networks: after ?? everywhere } }
      return { change }
    })
    failpoint('networks.apply:stored')
    try {
      await settle(ref)
    } catch (error) {
      // What is wanted is written down, and the answer says that the server does not have it yet.
      log.warn({ err: error, ref }, 'networks are not applied yet; the next round tries again')
    }
    return get(ref)
  }

  return {
    get,

    /** For a round: gives every server the networks that it does not have yet. */
    async settleAll(): Promise<void> {
      if (!compute.setNetworks) return
      await each('networks of projects', await store.unapplied(), String, settle)
    },

    apply: (caller: Caller, ref: string, desired: Networks, origin: Origin): Promise<Answer> =>
      write(caller, ref, () => listOf(desired), origin),

    /** The networks that hold now, with some added and others taken away. */
    change(
      caller: Caller,
      ref: string,
      { add, remove }: { add: SomeNetworks; remove: SomeNetworks },
      origin: Origin,
    ): Promise<Answer> {
      const gone = new Set(listOf(remove))
      const wish = (now: readonly string[]) =>
        [...now, ...listOf(add)].filter((network) => !gone.has(network))
      return write(caller, ref, wish, origin)
    },
  }
}
export type NetworkRestrictions = ReturnType<typeof createNetworkRestrictions>

const listOf = ({ dbAllowedCidrs = [], dbAllowedCidrsV6 = [] }: SomeNetworks) => [
  ...dbAllowedCidrs,
  ...dbAllowedCidrsV6,
]

/** Each network once; null is everywhere. */
function asKept(networks: readonly string[]): string[] | null {
  const desired = [...new Set(networks)]
  if (desired.length > maxNetworks) {
    throw new ApiError('invalid_input', `A project can have up to ${maxNetworks} networks`)
  }
  return everywhere.every((network) => desired.includes(network)) ? null : desired
}
