import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

const ada = '11111111-1111-4111-8111-111111111111'
let plane: TestDataPlane
beforeAll(async () => {
  plane = await startDataPlane(`
    create table notes (id int primary key, owner uuid not null, text text);
    alter table notes enable row level security;
    create policy own on notes for all to authenticated using (owner = auth.uid());
    grant select, insert on notes to authenticated, service_role;
    insert into notes values (1, '${ada}', 'a'), (2, gen_random_uuid(), 'b');
  `)
})
afterAll(() => plane.close())

const secret = 'a token that only our own programs know'
async function ask(body: unknown, token = secret, ref = plane.project.ref) {
  const { origin } = new URL(plane.url)
  const response = await fetch(`${origin}/internal/graphql/${ref}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const query = '{ notesCollection { edges { node { id } } } }'
const idsOf = (body: Record<string, unknown>) => JSON.stringify(body).match(/"id":\d+/g) ?? []

test('only our own programs are let in', async () => {
  const as = { role: 'service_role', claims: {} }
  expect((await ask({ query, as }, plane.project.serviceKey)).status).toBe(401)
  expect((await ask({ query, as }, '')).status).toBe(401)
  expect((await ask({ query, as }, secret, 'z'.repeat(20))).status).toBe(404)
})

test('a request that does not say as whom is refused, as is a role that the API cannot take', async () => {
  for (const body of [{ query }, { query, as: 'anon' }, { query, as: { role: 'none' } }, '{'])
    expect((await ask(body)).status).toBe(400)
  const owner = await ask({ query, as: { role: 'postgres', claims: {} } })
  expect(idsOf(owner.body)).toEqual([])
  expect(owner.body['errors']).toBeDefined()
})

test('each role sees what its policies allow', async () => {
  const claims = { sub: ada, role: 'service_role' }
  const asAda = await ask({ query, as: { role: 'authenticated', claims } })
  expect(idsOf(asAda.body)).toEqual(['"id":1'])
  const asService = await ask({ query, as: { role: 'service_role', claims: {} } })
  expect(idsOf(asService.body)).toHaveLength(2)
  const asAnon = await ask({ query, as: { role: 'anon', claims: {} } })
  expect(idsOf(asAnon.body)).toEqual([])
})
