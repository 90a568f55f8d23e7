import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxFavorites } from '#contract/projects/favorites'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let eve: Person
let refs: string[]

const create = async (name: string) => {
  const made = await ada.call('POST', '/platform/projects', {
    name,
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  return String(made.body['ref'])
}
beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  eve = await newcomer(plane, 'eve')
  const { id } = await organizationOf(ada, 'Acme')
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: id, user_id: bob.userId, role: 'Read-only' })
    .execute()
  refs = [await create('First'), await create('Second'), await create('Third')]
})
afterAll(() => plane.end())

const set = (who: Person, ref: string | undefined, favorite: unknown) =>
  who.call('PUT', `/platform/projects/${ref}/favorite`, { favorite })
const listed = async (who: Person) =>
  (await who.call('GET', '/platform/profile/favorites')).body['refs']
const names = async (who: Person, path: string) => {
  const { body } = await who.call('GET', path)
  return (body['projects'] as { name: string }[]).map(({ name }) => name)
}

const statuses = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

test('who is not signed in, strangers and other values are refused', async () => {
  const nobody = { method: 'GET', url: '/platform/profile/favorites' } as const
  expect((await plane.app.inject(nobody)).statusCode).toBe(401)
  expect((await set(eve, refs[0], true)).status).toBe(404)
  expect((await set(ada, 'a'.repeat(20), true)).status).toBe(404)
  expect((await set(ada, refs[0], 'yes')).status).toBe(400)
  expect((await set(ada, refs[0], undefined)).status).toBe(400)
  expect(await listed(eve)).toEqual([])
})

test('what a person marks comes first in that person’s lists and nobody else’s', async () => {
  expect((await set(bob, refs[0], true)).body).toEqual({ favorite: true })
  expect((await set(bob, refs[0], true)).body).toEqual({ favorite: true })
  expect(await listed(bob)).toEqual([refs[0]])
  expect(await listed(ada)).toEqual([])
  for (const path of ['/platform/projects', '/platform/organizations/acme/projects']) {
    expect(await names(bob, path)).toEqual(['First', 'Third', 'Second'])
    expect(await names(bob, `${path}?limit=1&offset=1`)).toEqual(['Third'])
    expect(await names(ada, path)).toEqual(['Third', 'Second', 'First'])
  }
  expect((await set(bob, refs[0], false)).body).toEqual({ favorite: false })
  expect((await set(bob, refs[0], false)).body).toEqual({ favorite: false })
  expect(await names(bob, '/platform/projects')).toEqual(['Third', 'Second', 'First'])
})

test('there are only so many, also when several are marked at once; removed projects do not count', async () => {
  const { id: organization } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .executeTakeFirstOrThrow()
  const row = await plane.db
    .selectFrom('platform.projects')
    .selectAll()
    .where('ref', '=', String(refs[0]))
    .executeTakeFirstOrThrow()
  const { id: _id, db_address: _address, ...values } = row
  const many = Array.from({ length: maxFavorites - 1 }, (_, at) => ({
    ...values,
    organization_id: organization,
    name: `Copy ${at}`,
    ref: String(at)
      .padStart(20, '0')
      .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))),
  }))
  const made = await plane.db
    .insertInto('platform.projects')
    .values(many)
    .returning(['id', 'ref'])
    .execute()
  await plane.db
    .insertInto('platform.favorites')
    .values(made.map(({ id }) => ({ user_id: ada.userId, project_id: id })))
    .execute()
  const answers = await Promise.all(refs.map((ref) => set(ada, ref, true)))
  expect(statuses(answers)).toEqual([200, 400, 400])
  expect(await listed(ada)).toHaveLength(maxFavorites)
  await plane.db
    .updateTable('platform.projects')
    .set({ status: 'REMOVED' })
    .where('ref', '=', String(made[0]?.ref))
    .execute()
  expect(await listed(ada)).toHaveLength(maxFavorites - 1)
  const again = await Promise.all(refs.map((ref) => set(ada, ref, true)))
  expect(statuses(again)).toEqual([200, 200, 400])
})
