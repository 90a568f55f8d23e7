import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPlaneApi } from '#contract/data-plane-api'
import { silentLog } from '#kit/log'
import { createLogFiles } from './logs/files/log-files.ts'
import { startDataPlane, testRef, type TestDataPlane } from './testing/data-plane.ts'

let plane: TestDataPlane
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plinth-internal-'))
  const logs = createLogFiles({
    folder: join(home, 'logs'),
    engine: { program: join(home, 'no-engine.js') },
    log: silentLog,
  })
  // Nobody has a drain here; one that is only tried is answered all the same.
  const logDrains = {
    source: {
      logDrains: () => Promise.resolve([]),
      reportLogDrains: () => Promise.resolve(),
      auditEntries: () => Promise.resolve([]),
      onAnyChange: () => () => {},
    },
    spool: logs.spool,
    folder: join(home, 'audits'),
    maxWaitingBytes: 1e9,
  }
  // No project has a port here; what is asked about them is answered all the same.
  const databasePorts = { databasePorts: () => Promise.resolve([]), onAnyChange: () => () => {} }
  plane = await startDataPlane('select 1', {}, testRef, { logs, logDrains, databasePorts })
})
afterAll(async () => {
  await plane.close()
  await rm(home, { recursive: true, force: true })
})

const own = 'a token that only our own programs know'
async function ask(token: string, method = 'GET', ref = plane.project.ref, apikey?: string) {
  const { origin } = new URL(plane.url)
  const url = `${origin}/internal/auth-service/${ref}/admin/sso/providers`
  const { status } = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(apikey ? { apikey } : {}) },
  })
  return status
}

test('the auth service answers our own programs as the holder of its secret key, and nobody else here', async () => {
  expect(await ask(own)).toBe(200)
  const { serviceKey } = plane.project
  for (const token of ['', 'x', serviceKey]) expect(await ask(token), token).toBe(401)
  expect(await ask(serviceKey, 'GET', plane.project.ref, serviceKey)).toBe(401)
  expect(await ask(own, 'GET', 'z'.repeat(20))).toBe(404)
})

/** Functions are not part of every installation; their calls are made in data-plane/functions. */
const everywhere = Object.entries(dataPlaneApi).filter(([name]) => !name.startsWith('function'))

test.each(everywhere)(
  'the data plane takes the call %s, and of our own programs only',
  async (_, { method, path }) => {
    const filled = path
      .replace(':ref', plane.project.ref)
      .replace(':language', 'typescript')
      .replaceAll(/:\w+/g, 'x')
    const url = new URL(plane.url).origin + filled
    const body =
      method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
    expect((await fetch(url, { method, ...body })).status).toBe(401)
  },
)

test('while an organization is restricted it is only read', async () => {
  plane.directory.put({ ...plane.project, restricted: true })
  expect(await ask(own)).toBe(200)
  expect(await ask(own, 'POST')).toBe(402)
  plane.directory.put(plane.project)
})
