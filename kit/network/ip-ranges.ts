import { isIPv4 } from 'node:net'

/** A block of IPv4 addresses: the number of the first one, and how many bits all of them begin with. */
export type IpRange = { first: number; bits: number }

const size = ({ bits }: IpRange) => 2 ** (32 - bits)

/** Reads `10.0.0.0/8` or one address. Undefined for everything else, and for a range that does not begin where it says. */
export function ipRange(text: string): IpRange | undefined {
  const [address = '', bits = '32', ...rest] = text.split('/')
  if (!isIPv4(address) || !/^(?:[12]?\d|3[0-2])$/.test(bits) || rest.length > 0) return undefined
  const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const range = { first, bits: Number(bits) }
  return first % size(range) === 0 ? range : undefined
}

export function rangeText({ first, bits }: IpRange): string {
  const address = [24, 16, 8, 0].map((shift) => (first >>> shift) & 255).join('.')
  return bits === 32 ? address : `${address}/${bits}`
}

export const covers = (outer: IpRange, inner: IpRange): boolean =>
  outer.bits <= inner.bits && inner.first - (inner.first % size(outer)) === outer.first

/** The fewest ranges that together are one without others. */
export function without(range: IpRange, holes: readonly IpRange[]): IpRange[] {
  if (holes.some((hole) => covers(hole, range))) return []
  const inside = holes.filter((hole) => covers(range, hole))
  if (inside.length === 0) return [range]
  const bits = range.bits + 1
  const second = range.first + size({ first: 0, bits })
  return [range.first, second].flatMap((first) => without({ first, bits }, inside))
}
