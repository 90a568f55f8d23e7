import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '#contract/api'
import { endpoint, type Endpoint } from '#contract/endpoint'
import { inProject } from '#contract/permissions'
import { duplicates, notImplementedOnce, withoutPermission } from './contract.ts'

const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
const shape = { input: z.object({ ref: z.string() }), returns: z.unknown() }
const one = endpoint('a.one', 'GET /a/:ref', { needs: 'signed-in', ...shape })

test('no two endpoints share a name or an address', () => {
  expect(duplicates(endpoints)).toEqual([])
})

test('every endpoint has a permission that can be checked', () => {
  expect(withoutPermission(endpoints)).toEqual([])
})

test('a shared name or address is found', () => {
  const other = endpoint('a.other', 'GET /a/:id', { needs: 'signed-in', ...shape })
  expect(duplicates([one, other])).toEqual(['GET /a/:'])
  expect(duplicates([one, { ...one, path: '/b' }])).toEqual(['a.one'])
})

test.each([
  ['nothing', undefined],
  ['an unknown action', { action: 'fly:Away', resource: '%', in: 'project' }],
  [
    'an organization that its input does not name',
    { ...Object(inProject('read:Read', 'x')), in: 'organization' },
  ],
  ['anyone', 'anyone'],
])('an endpoint that needs %s is found', (_, needs) => {
  // Wrong on purpose: the check exists for what the compiler was talked out of.
  expect(withoutPermission([{ ...one, needs } as Endpoint])).toHaveLength(1)
})

test('an endpoint that is implemented never, twice or without contract is found', () => {
  expect(notImplementedOnce([one], [])).toEqual(['a.one is not implemented'])
  expect(notImplementedOnce([one], [one, one])).toEqual(['a.one is implemented twice'])
  expect(notImplementedOnce([], [one])).toEqual(['a.one is not in the contract'])
})
