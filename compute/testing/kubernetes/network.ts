import type { NetworkPolicy, Peer } from '../../kubernetes/objects.ts'
import { BlockList, isIPv6 } from 'node:net'

/** Someone at the network: a pod, or an address outside of the cluster or of one of its machines. */
export type Party = {
  address: string
  pod?: { namespace: string; labels: Record<string, string> }
}
type World = {
  policies: readonly NetworkPolicy[]
  /** The labels of namespaces by their names. */
  namespaces: Readonly<Record<string, Record<string, string>>>
}
type Selector = { matchLabels?: Record<string, string> } | undefined

const selects = (selector: Selector, labels: Record<string, string> = {}): boolean =>
  Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value)

function isWithin(address: string, cidr: string): boolean {
  const [network = '', bits = '0'] = cidr.split('/')
  // A list takes IPv4 for a part of IPv6; a policy does not.
  if (isIPv6(network) !== isIPv6(address)) return false
  const list = new BlockList()
  list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4')
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Whether a peer of a policy in the namespace `home` means this party. */
function means(peer: Peer, party: Party, home: string, { namespaces }: World): boolean {
  if (peer.ipBlock) {
    const { cidr, except = [] } = peer.ipBlock
    return (
      isWithin(party.address, cidr) && !except.some((inside) => isWithin(party.address, inside))
    )
  }
  if (!party.pod) return false
  const { namespace, labels } = party.pod
  const isThere = peer.namespaceSelector
    ? selects(peer.namespaceSelector, namespaces[namespace])
    : namespace === home
  return isThere && selects(peer.podSelector, labels)
}

/**
 * Whether one may connect to the other, by the rules of NetworkPolicy: a pod that no policy selects is open; one that is selected is
 * reached, and reaches, only what any of these policies allows. Both ends have to agree. Without peers or ports a rule means all.
 */
export function mayConnect(world: World, from: Party, to: Party, port: number): boolean {
  const allows = (end: Party, other: Party, direction: 'Ingress' | 'Egress') => {
    const { pod } = end
    if (!pod) return true
    const bound = world.policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === pod.namespace &&
        spec.policyTypes.includes(direction) &&
        selects(spec.podSelector, pod.labels),
    )
    if (bound.length === 0) return true
    return bound.some(({ spec }) => {
      const rules =
        direction === 'Ingress'
          ? (spec.ingress ?? []).map(({ from: peers, ports }) => ({ peers, ports }))
          : (spec.egress ?? []).map(({ to: peers, ports }) => ({ peers, ports }))
      return rules.some(
        ({ peers, ports }) =>
          (!peers?.length || peers.some((peer) => means(peer, other, pod.namespace, world))) &&
          (!ports?.length || ports.some((one) => one.port === port && one.protocol === 'TCP')),
      )
    })
  }
  return allows(from, to, 'Egress') && allows(to, from, 'Ingress')
}
