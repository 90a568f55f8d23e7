import { covers, ipRange, type IpRange } from './ip-ranges.ts'

/** What strangers reach only if the operator allows it: RFC 1918, 6598 and 2544. */
export const privateRanges = rangesOf(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
)
export const loopbackRange: IpRange = { first: 127 * 2 ** 24, bits: 8 }

/**
 * What nobody can allow: what is no host (RFC 1122, 5771, 6890), where clouds give machines their credentials (RFC 3927 and
 * addresses of Alibaba, Azure and Oracle), and where the servers of the platform itself listen.
 */
export const closedRanges = rangesOf(
  '0.0.0.0/8',
  '100.100.100.200',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
)

/** The same where IPv6 can be told apart by single addresses only: this machine, and metadata services of clouds. */
export const closedIpv6 = [
  '::',
  '::1',
  '64:ff9b::a9fe:a9fe',
  'fd00:42::42',
  'fd00:100::100:200',
  'fd00:c1::a9fe:a9fe',
  'fd00:ec2::23',
  'fd00:ec2::254',
  'fd20:ce::254',
]

const isWithin = (range: IpRange, ranges: readonly IpRange[]) =>
  ranges.some((each) => covers(each, range))

/** Why no operator can allow this range; undefined when one can. */
export function allowanceProblem(range: IpRange): string | undefined {
  if (isWithin(range, closedRanges)) return 'cannot be allowed'
  if (isWithin(range, [loopbackRange]))
    return range.bits === 32 ? undefined : 'has to be single addresses, since it is this machine'
  if (isWithin(range, privateRanges)) return undefined
  const isWide = privateRanges.some((each) => covers(range, each))
  return isWide ? 'is more than the inner network' : 'is no part of the inner network'
}

function rangesOf(...texts: string[]): IpRange[] {
  return texts.map((text) => {
    const range = ipRange(text)
    if (!range) throw new Error(`${text} is no range`)
    return range
  })
}
