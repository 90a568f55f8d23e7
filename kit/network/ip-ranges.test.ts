import { BlockList } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covers, ipRange, rangeText, without, type IpRange } from './ip-ranges.ts'

const known = (text: string): IpRange => {
  const range = ipRange(text)
  if (!range) throw new Error(`${text} is no range`)
  return range
}
const left = (from: string, ...holes: string[]) =>
  without(known(from), holes.map(known)).map(rangeText)

test.each([
  '10.0.0.0/33',
  '10.0.0.1/8',
  '10.0.0.0/08',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0',
  '010.0.0.1',
  '10.0.0.256',
  '::1',
  '',
])('%s is no range', (text) => {
  expect(ipRange(text)).toBeUndefined()
})

test.each(['0.0.0.0/0', '10.0.0.0/8', '128.0.0.0/1', '255.255.255.255', '192.168.1.128/25'])(
  '%s is read and written',
  (text) => {
    expect(rangeText(known(text))).toBe(text)
  },
)

test('what a range covers', () => {
  expect(covers(known('10.0.0.0/8'), known('10.255.255.255'))).toBe(true)
  expect(covers(known('10.0.0.0/8'), known('11.0.0.0'))).toBe(false)
  expect(covers(known('10.0.0.0/16'), known('10.0.0.0/8'))).toBe(false)
  expect(covers(known('0.0.0.0/0'), known('240.0.0.0/4'))).toBe(true)
})

test('a range without others', () => {
  expect(left('10.0.0.0/30', '10.0.0.1')).toEqual(['10.0.0.0', '10.0.0.2/31'])
  expect(left('10.0.0.0/8', '11.0.0.0/8')).toEqual(['10.0.0.0/8'])
  expect(left('10.0.0.0/8', '10.0.0.0/8')).toEqual([])
  expect(left('10.0.0.0/8', '0.0.0.0/0')).toEqual([])
  expect(left('10.0.0.0/8', '10.0.0.0/9', '10.128.0.0/10')).toEqual(['10.192.0.0/10'])
  expect(left('10.0.0.0/8', '10.9.8.7')).toHaveLength(24)
})

const within = (base: IpRange) =>
  fc
    .record({ bits: fc.integer({ min: base.bits, max: 32 }), at: fc.nat(2 ** 24 - 1) })
    .map(({ bits, at }) => ({ first: base.first + at - (at % 2 ** (32 - bits)), bits }))

test('what is left is exactly what was there and is in no hole', () => {
  const base = known('10.0.0.0/8')
  const anywhere = fc.oneof(within(base), within(known('11.0.0.0/8')))
  fc.assert(
    fc.property(
      fc.array(anywhere, { maxLength: 8 }),
      fc.array(fc.nat(2 ** 24 - 1)),
      (holes, at) => {
        const list = (ranges: IpRange[]) => {
          const blocks = new BlockList()
          for (const range of ranges) {
            const [address = ''] = rangeText(range).split('/')
            blocks.addSubnet(address, range.bits)
          }
          return blocks
        }
        const rest = without(base, holes)
        const [denied, open] = [list(rest), list(holes)]
        // The edges of every hole are where a mistake would be.
        const edges = holes.flatMap(({ first, bits }) => {
          const end = first + 2 ** (32 - bits)
          return [first - 1, first, end - 1, end]
        })
        for (const first of [...at.map((each) => base.first + each), ...edges]) {
          const address = rangeText({ first, bits: 32 })
          const isDenied = covers(base, { first, bits: 32 }) && !open.check(address)
          expect(denied.check(address), address).toBe(isDenied)
        }
      },
    ),
  )
})
