import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether strangers may have us talk to this address: not to the inner network, and to this machine only if told so. */
export function isPublicAddress(address: string, allowLoopback: boolean): boolean {
  // process() also unwraps IPv4 addresses in IPv6 clothes.
  const range = ipaddr.process(address).range()
  return range === 'unicast' || (allowLoopback && range === 'loopback')
}

/**
 * The address of a server that a stranger names. Connect to what is returned and not to the name, which could stand for
 * another address the next moment.
 * @throws Error when the name has no address, or one that is not public.
 */
export async function publicAddressOf(host: string, allowLoopback: boolean): Promise<string> {
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }]
  const [first] = addresses
  if (!first || !addresses.every(({ address }) => isPublicAddress(address, allowLoopback))) {
    throw new Error(`${host} is not a public address`)
  }
  return first.address
}
