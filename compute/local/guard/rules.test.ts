import { expect, test } from 'vitest'
import { ipRange, type IpRange } from '#kit/network/ip-ranges'
import { guardRules } from './rules.ts'

const range = (text: string): IpRange => {
  const found = ipRange(text)
  if (!found) throw new Error(text)
  return found
}

test('what is allowed comes before what is closed, and only what programs of these users send is looked at', () => {
  const rules = guardRules('plinth_a', [{ first: 7, last: 9 }], [range('10.1.0.0/16')])
    .split('\n')
    .map((line) => line.trim())
  const at = (rule: string) => {
    const place = rules.indexOf(rule)
    expect(place, rule).toBeGreaterThan(-1)
    return place
  }
  const inOrder = [
    'delete table inet plinth_a',
    'ip daddr 10.1.0.0/16 accept',
    'meta l4proto tcp fib daddr type { local, broadcast, multicast } reject with tcp reset',
    'meta l4proto tcp ip daddr 10.0.0.0/8 reject with tcp reset',
    'meta l4proto tcp ip daddr 169.254.0.0/16 reject with tcp reset',
    'meta l4proto tcp ip6 daddr != 2000::/3 reject with tcp reset',
    'type filter hook output priority filter; policy accept;',
    'meta skuid { 7-9 } goto guarded',
  ].map(at)
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b))
})
