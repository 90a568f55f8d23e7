import { expect, test } from 'vitest'
import type { Compute } from '#contract/projects/compute-resize'
import { computeSizeIds } from '#contract/projects/compute-sizes'
import { differencesOf, sizesOf } from './sizes.ts'

const gigabyte = 1024 ** 3
const roomy = { memory_bytes: 512 * gigabyte, cores: 128 }
const compute = (more: Partial<Compute>): Compute => ({
  size: 'small',
  plan: 'pro',
  machine: roomy,
  recovery: false,
  cool_down_until: null,
  last_resize: null,
  ...more,
})
const shown = (more: Partial<Compute>) => sizesOf(compute(more))
const choosable = (more: Partial<Compute>) =>
  shown(more)
    .cards.filter(({ reason, isCurrent }) => reason === undefined && !isCurrent)
    .map(({ id }) => id)

test('on Free nothing but Nano can be had, and the rest says what it would cost', () => {
  const { cards } = shown({ plan: 'free', size: 'nano' })
  expect(cards.map(({ id }) => id)).toEqual(computeSizeIds)
  expect(choosable({ plan: 'free', size: 'nano' })).toEqual([])
  expect(cards[0]).toMatchObject({ price: 'Included', month: undefined, isCurrent: true })
  expect(cards[2]).toMatchObject({
    price: '$0.0206 an hour',
    month: 'about $15 a month',
    reason: 'Needs the Pro plan',
  })
})

test('who has Nano and pays for it sees it as what it costs, and nobody else is offered it', () => {
  expect(shown({ size: 'nano' }).cards[0]).toMatchObject({ id: 'nano', price: '$0.01344 an hour' })
  expect(shown({}).cards.map(({ id }) => id)).not.toContain('nano')
  expect(choosable({})).toEqual(computeSizeIds.filter((id) => id !== 'nano' && id !== 'small'))
})

test('what the machine cannot give is named once, with why', () => {
  const small = { memory_bytes: 4 * gigabyte, cores: 2 }
  expect(choosable({ machine: small })).toEqual(['micro', 'medium'])
  expect(shown({ machine: small }).missing).toBe(
    "Large and larger are not available. This installation's machine has 4 GB of memory.",
  )
  expect(shown({}).missing).toBeUndefined()
  // What a project has it is shown with, whatever the machine is now.
  expect(shown({ machine: small, size: 'xlarge' }).cards.map(({ id }) => id)).toContain('xlarge')
})

test('with point in time recovery nothing is smaller than Small', () => {
  expect(choosable({ recovery: true })).not.toContain('micro')
})

test('a change is shown line by line', () => {
  const { cards } = shown({})
  const [micro, small] = cards
  if (!micro || !small) throw new Error('There are cards for both')
  expect(differencesOf(micro, small)).toEqual([
    { name: 'Size', before: 'Micro', after: 'Small' },
    { name: 'An hour', before: '$0.01344', after: '$0.0206' },
    { name: 'A month', before: 'about $10', after: 'about $15' },
    { name: 'Memory', before: '0.5 GB', after: '1 GB' },
    { name: 'CPU', before: 'Shared CPU', after: '2-core CPU' },
    { name: 'Connections', before: '30', after: '60' },
  ])
})
