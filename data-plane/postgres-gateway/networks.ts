import { BlockList, isIP, isIPv6 } from 'node:net'

/** Whether an address lies in one of the networks (CIDR); null is everywhere. A network that cannot be read lets nobody in. */
export function networkRule(networks: readonly string[] | null): (address: string) => boolean {
  if (networks === null) return () => true
  const list = new BlockList()
  for (const network of networks) {
    const [first = '', bits = ''] = network.split('/')
    try {
      list.addSubnet(first, Number.parseInt(bits, 10), familyOf(first))
    } catch {
      continue
    }
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** An IPv4 address that came by a socket for both is written as what it is. */
export const plainAddress = (address: string | undefined): string =>
  (address ?? '').replace(/^::ffff:(?=\d+\.)/, '')
