import { closedRanges, privateRanges } from '#kit/network/inner-network'
import { rangeText, type IpRange } from '#kit/network/ip-ranges'

/** Numbers of users, both ends included. */
export type UserRange = { first: number; last: number }

/** IPv4 that is nobody's in the internet and in no list of the inner network: documentation (RFC 5737), and relays (RFC 7526). */
const unassigned = ['192.0.2.0/24', '192.88.99.0/24', '198.51.100.0/24', '203.0.113.0/24']
/** Of the one block that the internet uses of IPv6: protocols and documentation (RFC 2928, 3849), and IPv4 in other clothes (RFC 3056). */
const closedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16']

/**
 * Rules of the kernel's packet filter for connections that programs of these users begin: none to this machine, whatever address of
 * it they name, and none to what is not the internet, but for `allowed`. Answers to connections that others began are not touched.
 * Of all that is not TCP only questions what address a name has leave the machine. A refused connection is reset, which its program
 * learns of at once; other answers of the kernel get lost on the way from the machine to itself. The table takes the place of the one
 * that is there of its name, at one stroke.
 */
export function guardRules(
  table: string,
  users: readonly UserRange[],
  allowed: readonly IpRange[],
): string {
  const uids = users.map(({ first, last }) => `${first}-${last}`).join(', ')
  const ranges = [...privateRanges, ...closedRanges].map(rangeText)
  const refused = [
    'fib daddr type { local, broadcast, multicast }',
    ...[...ranges, ...unassigned].map((range) => `ip daddr ${range}`),
    'ip6 daddr != 2000::/3',
    ...closedIpv6.map((range) => `ip6 daddr ${range}`),
  ]
  const rules = [
    'udp dport 53 accept',
    'meta l4proto != tcp reject',
    'tcp flags & (fin | syn | rst | ack) != syn accept',
    ...allowed.map((range) => `ip daddr ${rangeText(range)} accept`),
    ...refused.map((target) => `meta l4proto tcp ${target} reject with tcp reset`),
  ]
  return [
    `table inet ${table}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    '  chain guarded {',
    ...rules.map((rule) => `    ${rule}`),
    '  }',
    '  chain outgoing {',
    '    type filter hook output priority filter; policy accept;',
    // Whatever is sent by no program, such as the kernel's own answers, has no user and matches nothing here.
    `    meta skuid { ${uids} } goto guarded`,
    '  }',
    '}',
    '',
  ].join('\n')
}
