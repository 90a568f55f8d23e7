import { expect, test } from 'vitest'
import { decisionsFor, isGranted } from './choices.ts'

const service = (id: string) => ({ id, label: id, consent: { status: false } })
const essential = { slug: 'essential', isEssential: true, services: [service('session')] }
const use = { slug: 'use', isEssential: false, services: [service('a'), service('b')] }

test('what is essential is on whatever was said, and cannot be switched off', () => {
  expect(isGranted(essential, { session: false })).toBe(true)
  expect(decisionsFor([essential], [])).toEqual([{ id: 'session', status: true }])
})

test('a category is on when each of its services is', () => {
  expect(isGranted(use, {})).toBe(false)
  expect(isGranted(use, { a: true })).toBe(false)
  expect(isGranted(use, { a: true, b: true })).toBe(true)
})

test('a switch speaks for every service of its category', () => {
  expect(decisionsFor([essential, use], ['use'])).toEqual([
    { id: 'session', status: true },
    { id: 'a', status: true },
    { id: 'b', status: true },
  ])
  expect(decisionsFor([use], [])).toEqual([
    { id: 'a', status: false },
    { id: 'b', status: false },
  ])
})
