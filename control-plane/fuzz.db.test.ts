import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import { timeoutOf, runsOr } from '#kit/testing/runs'
import { requestOf, sampleInput } from './testing/inputs.ts'
import { createVictim, type Victim } from './testing/victim.ts'
import { startWorld, type World } from './testing/world.ts'

/** Whatever is sent to an address of the contract, nothing of it is our mistake: with a project that runs, as its owner. */
let world: World
let things: Victim
beforeAll(async () => {
  world = await startWorld('create table notes (id int primary key, text text)', {
    requestsPerMinute: 100_000_000,
  })
  things = await createVictim(world.control)
})
afterAll(() => world.end())

/** What ends the account, the organization or the project that all the others are asked about, or makes more servers. */
const notAsked =
  /^(profile|organizations|projects)\.remove$|^(projects|v1|backups|branches)\.(create|createProject|removeProject|pause|restart|restore\w*|pitr|clone)$/
const endpoints: Endpoint[] = Object.values(api)
  .flatMap((feature) => Object.values(feature))
  .filter(({ name }) => !notAsked.test(name))

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    '\ud800',
    '..',
    '../../etc/passwd',
    '%00',
    "'; drop table platform.projects; --",
    '"',
    '{}',
    'NaN',
    '2026-13-45',
    '9'.repeat(40),
    'x'.repeat(5000),
    '🜁'.repeat(300),
    '00000000-0000-0000-0000-000000000000',
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e300,
    [],
    {},
    [[]],
    { length: -1 },
    Array.from({ length: 300 }, () => 'a'),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.jsonValue({ maxDepth: 3 }),
)
const change = fc.record({ field: fc.nat(), value: hostile, inside: fc.boolean() })

/** Another value for one field, or for one that lies in it. */
function changed(
  input: Record<string, unknown>,
  { field, value, inside }: { field: number; value: unknown; inside: boolean },
): Record<string, unknown> {
  const names = Object.keys(input)
  const name = names[field % Math.max(1, names.length)]
  if (name === undefined) return { surplus: value }
  const old = input[name]
  const isObject = typeof old === 'object' && old !== null && !Array.isArray(old)
  const next =
    inside && isObject
      ? changed(old as Record<string, unknown>, { field, value, inside: false })
      : value
  return { ...input, [name]: next }
}

/** What stands in an address is text. */
const inAddress = ({ method, path }: Endpoint, input: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const isText = method === 'GET' || method === 'HEAD' || path.includes(`:${name}`)
      return [name, isText && typeof value === 'object' ? JSON.stringify(value) : value]
    }),
  )

const runs = runsOr(1500)
test(
  'no request of the contract makes a server error',
  async () => {
    const wrong = new Map<string, string>()
    const { ref } = world
    const names = { slug: 'acme', organization_slug: 'acme', ref, projectRef: ref }
    await fc.assert(
      fc.asyncProperty(
        fc.nat(endpoints.length - 1),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('owner', 'owner', 'owner', 'nobody'),
        async (at, changes, who) => {
          const endpoint = endpoints[at] as Endpoint
          const [feature = ''] = endpoint.name.split('.')
          const valid = sampleInput(endpoint, {
            ...things.values,
            ...things.byFeature[feature],
            ...things.byFeature[endpoint.name],
            ...names,
          })
          const { method, ...request } = requestOf(
            endpoint,
            inAddress(endpoint, changes.reduce(changed, valid)),
          )
          const response = await world.control.app.inject({
            method,
            ...request,
            headers: who === 'owner' ? { authorization: `Bearer ${world.ada.token}` } : {},
          })
          const isTold =
            [501, 502, 503].includes(response.statusCode) && response.body.includes('"code"')
          if (response.statusCode >= 500 && !isTold)
            wrong.set(
              endpoint.name,
              `${request.url} ${JSON.stringify(request.payload)}: ${response.body}`,
            )
        },
      ),
      { numRuns: runs },
    )
    expect(Object.fromEntries(wrong)).toEqual({})
  },
  timeoutOf(runs),
)
