import { lookup } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { AllowedNetworks } from '#kit/config/config-networks'
import {
  allowanceProblem,
  closedIpv6,
  closedRanges,
  loopbackRange,
  privateRanges,
} from '#kit/network/inner-network'
import { covers, ipRange, rangeText, without, type IpRange } from '#kit/network/ip-ranges'
import type { Log } from '#kit/log'

/** A server of the platform: nothing opens it to functions. */
export type Closed = { host: string; port: number }
export type NetworkOptions = { allowed: AllowedNetworks; closed: readonly Closed[] }

type Parts = NetworkOptions & { log: Log; find?: (name: string) => Promise<string[]> }

const addressesOf = async (name: string) =>
  (await lookup(name, { all: true, family: 4 })).map(({ address }) => address)

/** Names are asked for again after this long, and what they stand for does not grow without end. */
const freshMs = 30_000
const maxAddresses = 128
/** How long a call waits for names. */
const timeoutMs = 2000

/**
 * What the workers of this process may not reach. Deno refuses a denied address whatever else is allowed, so what the
 * operator allows is taken out of the inner network before that is denied.
 */
export function createNetwork({ allowed, closed, log, find = addressesOf }: Parts) {
  const { ranges } = allowed
  const isOpen = ranges.length + allowed.names.length > 0
  const names = isOpen ? [...new Set([...closed.map(hostOf).filter(isName), ...allowed.names])] : []
  const known = new Map<string, string[]>()
  let asked: Promise<void> | undefined
  let freshUntil = -Infinity

  /** One after the other: each takes one of the few threads of this process for as long as nobody answers. */
  async function ask(): Promise<void> {
    for (const name of names) {
      try {
        known.set(name, await find(name))
      } catch (error) {
        log.warn({ err: error, name }, 'a name could not be looked up for functions')
      }
    }
    freshUntil = performance.now() + freshMs
  }

  async function refresh(): Promise<void> {
    if (performance.now() < freshUntil) return
    asked ??= ask().finally(() => (asked = undefined))
    await Promise.race([asked, pause(timeoutMs)])
  }

  return {
    /** For Deno's `--deny-net`. */
    async denied(): Promise<string> {
      if (names.length > 0) await refresh()
      const named = allowed.names.flatMap((name) => known.get(name) ?? []).slice(0, maxAddresses)
      return deniedWithout([...ranges, ...named.flatMap(innerAddress)], closed, known).join(',')
    },
  }
}
export type Network = ReturnType<typeof createNetwork>

/** A name leads no further than a range could, and never to this machine. */
function innerAddress(address: string): IpRange[] {
  const range = ipRange(address)
  return range && !allowanceProblem(range) && !covers(loopbackRange, range) ? [range] : []
}

function deniedWithout(
  holes: readonly IpRange[],
  closed: readonly Closed[],
  known: ReadonlyMap<string, readonly string[]>,
): string[] {
  const inner = [...privateRanges, loopbackRange].flatMap((range) => without(range, holes))
  const loopback = holes.filter((hole) => covers(loopbackRange, hole)).map(rangeText)
  const ports = closed.flatMap(({ host, port }) => {
    // While nobody says where a name leads, it may be anywhere.
    const hosts = isName(host) ? (known.get(host) ?? holes.map(rangeText)) : [host]
    // What listens on all addresses of this machine listens on those of the loopback too.
    const here = hosts.some(isLoopback) ? loopback : []
    return [...new Set([...hosts, ...here])].map((each) => `${each}:${port}`)
  })
  return [
    ...[...inner, ...closedRanges].map(rangeText),
    ...closedIpv6.map((address) => `[${address}]`),
    ...ownAddresses().filter((address) => !loopback.includes(address)),
    ...(holes.length > 0 ? ports : []),
  ]
}

/** Also by its public addresses, this machine is none of theirs. Deno looks at where a name leads, not at the name. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address.replace(/%.*/, '')}]` : address))
}

const hostOf = ({ host }: Closed) => host
const isName = (host: string) => !isIPv4(host) && !host.startsWith('[')
const isLoopback = (host: string) => host.startsWith('127.') || host === '[::1]'
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
