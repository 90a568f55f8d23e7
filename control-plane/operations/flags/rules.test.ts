import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketOf, isOn } from './rules.ts'

const off = { on: false, percentage: 0, organizations: [], people: [] }

test('a flag without rules is off, and one that is on is on for all', () => {
  expect(isOn('a', off, { userId: 'x', organization: 'acme' })).toBe(false)
  expect(isOn('a', { ...off, on: true }, { userId: 'x' })).toBe(true)
})

test('a person or an organization is named exactly', () => {
  expect(isOn('a', { ...off, people: ['x'] }, { userId: 'x' })).toBe(true)
  expect(isOn('a', { ...off, people: ['x'] }, { userId: 'xy' })).toBe(false)
  const acme = { ...off, organizations: ['acme'] }
  expect(isOn('a', acme, { userId: 'x', organization: 'acme' })).toBe(true)
  expect(isOn('a', acme, { userId: 'x' })).toBe(false)
})

test('who has a flag keeps it while its percentage grows, up to everybody', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat(100), fc.nat(100), (userId, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      const at = (percentage: number) => isOn('a', { ...off, percentage }, { userId })
      expect(!at(low) || at(high)).toBe(true)
      expect([at(0), at(100)]).toEqual([false, true])
    }),
  )
})

test('a percentage means about that share of the people, dealt anew for each flag', () => {
  const people = Array.from({ length: 4000 }, (_, n) => `person-${n}`)
  const share = people.filter((userId) => bucketOf('a', userId) < 25).length / people.length
  expect(share).toBeGreaterThan(0.22)
  expect(share).toBeLessThan(0.28)
  expect(
    people.filter((userId) => bucketOf('a', userId) === bucketOf('b', userId)).length,
  ).toBeLessThan(200)
})
