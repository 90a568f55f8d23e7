import { afterAll, beforeAll, expect, test } from 'vitest'
import { fastify, type FastifyInstance } from 'fastify'
import type { RequestCount } from '#contract/projects/project-home'
import { silentLog } from '#kit/log'
import { createDataPlane } from '../app.ts'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'
import { createRequestCounts } from './request-counts.ts'

let plane: TestDataPlane
/** The same project, served by a data plane that counts. */
let app: FastifyInstance
let url: string
const sent: RequestCount[] = []

beforeAll(async () => {
  plane = await startDataPlane('create table books (id int primary key)')
  app = createDataPlane({
    directory: plane.directory,
    internalToken: 'a token that only our own programs know',
    mailFrom: 'Plinth <no-reply@localhost>',
    keepMail: () => Promise.resolve(),
    imports: { folder: '/nowhere' },
    keepCounts: async (counts) => void sent.push(...counts),
    log: silentLog,
  })
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/${testRef}`
})
afterAll(async () => {
  await app.close()
  await plane.close()
})

const sum = (service: string) =>
  sent
    .filter((count) => count.service === service)
    .reduce(
      (all, { requests, errors, keyed, histogram }) => ({
        requests: all.requests + requests,
        errors: all.errors + errors,
        keyed: all.keyed || keyed,
        classes: all.classes + histogram.reduce((n, one) => n + one, 0),
      }),
      { requests: 0, errors: 0, keyed: false, classes: 0 },
    )

test('what got through to a project is counted by service, what did not is not', async () => {
  const ask = async (path: string, key?: string) =>
    (await fetch(url + path, { headers: key ? { apikey: key } : {} })).status
  const { anonKey } = plane.project
  expect(await ask('/rest/v1/books')).toBe(401)
  expect(await ask('/rest/v1/books', 'nonsense')).toBe(401)
  expect((await fetch(`${url.replace(testRef, 'z'.repeat(20))}/rest/v1/books`)).status).toBe(404)
  expect(await ask('/auth/v1/health')).toBe(200)
  expect(await ask('/auth/v1/verify')).toBe(400)
  expect(await ask('/rest/v1/books', anonKey)).toBe(200)
  expect(await ask('/rest/v1/nothing', anonKey)).toBe(404)
  const graphql = async (key?: string) => {
    const headers = { 'content-type': 'application/json', ...(key ? { apikey: key } : {}) }
    const body = JSON.stringify({ query: '{ __typename }' })
    return (await fetch(`${url}/graphql/v1`, { method: 'POST', headers, body })).status
  }
  expect(await graphql()).toBe(401)
  expect(await graphql(anonKey)).toBe(200)
  expect(await ask('/graphql/v1?query={', anonKey)).toBe(400)
  // Closing hands on what is left.
  await app.close()
  expect(sum('rest')).toEqual({ requests: 2, errors: 0, keyed: true, classes: 2 })
  expect(sum('graphql')).toEqual({ requests: 2, errors: 0, keyed: true, classes: 2 })
  // Who looks whether the service is there is not counted, and a link that people follow carries no key.
  expect(sum('auth')).toEqual({ requests: 1, errors: 0, keyed: false, classes: 1 })
  expect(sent.every(({ ref, minute }) => ref === testRef && minute % 60_000 === 0)).toBe(true)
})

/** A service that answers with the status of its path, watched by counts that are sent as the test says. */
async function watched(send: (counts: RequestCount[]) => Promise<void>, everyMs: number) {
  const counts = createRequestCounts({ send, log: silentLog, everyMs })
  const service = fastify()
  counts.watch(service, 'rest', () => ({ ref: testRef, keyed: true }))
  service.get('/:status', (request, reply) =>
    // Fastify gives parameters of a path as texts.
    reply.status(Number((request.params as { status: string }).status)).send(),
  )
  return { counts, ask: (status: number) => service.inject({ url: `/${status}` }) }
}

const worker = 'function:11111111-1111-4111-8111-111111111111'

test('counts that nobody takes are kept and sent with those that came meanwhile', async () => {
  const taken: RequestCount[] = []
  let refused = 0
  const { counts, ask } = await watched(async (part) => {
    if (refused < 2) {
      refused += 1
      throw new Error('Nobody is there')
    }
    taken.push(...part)
  }, 5)
  await ask(200)
  await ask(500)
  const load = (cpuMs: number, memoryMb: number) =>
    counts.noteLoad(testRef, worker, { cpuMs, memoryMb })
  load(20, 90)
  await expect.poll(() => refused).toBe(2)
  load(30, 70)
  await ask(404)
  await counts.close()
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
  expect(sum(taken.map(({ requests }) => requests))).toBe(3)
  expect(sum(taken.map(({ errors }) => errors))).toBe(1)
  expect(sum(taken.map(({ cpuMs }) => cpuMs))).toBe(50)
  expect(Math.max(...taken.map(({ memoryMb }) => memoryMb))).toBe(90)
})

test('a close that fails to hand them on still ends', async () => {
  const { counts, ask } = await watched(() => Promise.reject(new Error('Nobody is there')), 60_000)
  await ask(200)
  await expect(counts.close()).resolves.toBeUndefined()
})
