import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfHostedWorld } from '#contract/operations/platform-only'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

/** A project of the platform, and the one of a self-hosted installation. */
let platform: TestDataPlane
let selfHosted: TestDataPlane
beforeAll(async () => {
  platform = await startDataPlane('')
  const books = 'create table books (id int primary key)'
  selfHosted = await startDataPlane(books, {}, selfHostedWorld.projectRef)
})
afterAll(async () => {
  await selfHosted.close()
  await platform.close()
})

const get = (url: string, headers: Record<string, string> = {}) =>
  selfHosted.app.inject({ url, headers })

test('on the platform there is nothing at /pg, whoever asks', async () => {
  const { serviceKey } = platform.project
  for (const url of ['/pg/tables', '/pg', '/pg/']) {
    const answer = await platform.app.inject({ url, headers: { apikey: serviceKey } })
    expect(answer.statusCode, url).toBe(404)
  }
})

test.each([
  ['no key', () => ({}), 401],
  ['a key of nobody', () => ({ apikey: 'nonsense' }), 401],
  ['the public key', () => ({ apikey: selfHosted.project.anonKey }), 403],
  [
    'the token of our own programs',
    () => ({ authorization: 'Bearer a token that only our own programs know' }),
    401,
  ],
  ['a login of their choice', () => ({ 'x-plinth-login': 'postgres' }), 401],
])('/pg/tables with %s is refused', async (_, headers, status) => {
  const answer = await get('/pg/tables', headers())
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toMatchObject({ error: expect.any(String) })
})

test('/pg/tables answers to the secret key, as key and as bearer', async () => {
  const { serviceKey } = selfHosted.project
  for (const headers of [{ apikey: serviceKey }, { apikey: serviceKey, 'x-plinth-login': 'x' }]) {
    const answer = await get('/pg/tables?included_schemas=public', headers)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject([{ name: 'books' }])
  }
  const made = await selfHosted.app.inject({
    method: 'POST',
    url: '/pg/query',
    headers: { apikey: serviceKey },
    body: { query: 'select current_user as who' },
  })
  expect(made.json()).toEqual([{ who: 'postgres' }])
})
