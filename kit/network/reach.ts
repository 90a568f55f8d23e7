import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { AllowedNetworks } from '../config/config-networks.ts'
import { closedRanges, privateRanges } from './inner-network.ts'
import { covers, ipRange, type IpRange } from './ip-ranges.ts'
import { isPublicAddress } from './public-address.ts'

/** What of this machine and of the inner network strangers may have us ask; none of it unless told. */
export type Reach = {
  /** For tests, whose servers are on this machine: loopback addresses and plain http to them. */
  allowLoopback?: boolean
  /** What the operator allows, with plain http too. */
  allowed?: AllowedNetworks | undefined
}

const isWithin = (address: string, ranges: readonly IpRange[]): boolean => {
  const range = ipRange(address)
  return range !== undefined && ranges.some((each) => covers(each, range))
}

/** Whether a connection may go to this address, which `host` stands for. */
export function isReachable(
  address: string,
  host: string,
  { allowLoopback = false, allowed }: Reach,
): boolean {
  if (isPublicAddress(address, allowLoopback)) return true
  // IPv4 addresses in IPv6 clothes are unwrapped.
  const plain = ipaddr.process(address).toString()
  if (!allowed || isWithin(plain, closedRanges)) return false
  return (
    isWithin(plain, allowed.ranges) ||
    (allowed.names.includes(host.toLowerCase()) && isWithin(plain, privateRanges))
  )
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Why an address that a stranger names is not asked, fit for whoever named it; undefined when it is. Which addresses a name
 * stands for is found out, and judged by `isReachable`, when a connection is made.
 */
export function refusalOf(url: URL, reach: Reach): string | undefined {
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isReachable(host, host, reach)) return notPublic(host)
  const isPlain = url.protocol === 'http:' && speaksPlainly(host, reach)
  if (url.protocol !== 'https:' && !isPlain) return 'The address must start with https://'
  if (url.username || url.password) return 'The address must not contain a user name or password'
  return undefined
}

export const notPublic = (name: string) => `${name} is not a public address`

/** Nobody between us and these can read along but whom the operator trusts. */
function speaksPlainly(host: string, { allowLoopback = false, allowed }: Reach): boolean {
  if (isIP(host) === 0)
    return (allowLoopback && host === 'localhost') || (allowed?.names.includes(host) ?? false)
  const address = ipaddr.process(host)
  return (
    (allowLoopback && address.range() === 'loopback') ||
    (allowed !== undefined && isWithin(address.toString(), allowed.ranges))
  )
}
