import { createServer } from 'node:http'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEncryption } from '#data-plane/testing/tls'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let tls: Awaited<ReturnType<typeof testEncryption>>
let path: string
beforeAll(async () => {
  tls = await testEncryption()
  world = await startWorld('', {}, { encryption: tls.encryption })
  path = `/v1/projects/${world.ref}/ssl-enforcement`
})
afterAll(async () => {
  await world?.end()
  await tls?.remove()
})

const state = async (by = world.as('Read-only')) =>
  (await by.call('GET', `/platform/projects/${world.ref}/database-ssl`)).body
const enforce = (database: unknown, by = world.ada) =>
  by.call('PUT', path, { requestedConfig: { database } })
async function enter(ssl: object | false): Promise<string> {
  const settings = await world.ada.call('GET', `/platform/projects/${world.ref}/settings`)
  const client = new Client({
    host: 'localhost',
    port: Number(settings.body['db_port']),
    user: 'postgres',
    password: world.password,
    database: 'postgres',
    ssl,
  })
  // Told by `connect` already.
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => 'in'),
    (error: unknown) => String(error),
  )
}

test('who may not change it does not, and others do not see it', async () => {
  for (const [by, status] of [
    [world.stranger, 404],
    [world.as('Developer'), 403],
    [world.as('Read-only'), 403],
  ] as const)
    expect((await enforce(true, by)).status).toBe(status)
  expect((await world.stranger.call('GET', path)).status).toBe(404)
  expect((await state(world.stranger))['offered']).toBeUndefined()
  for (const bad of ['yes', 1, null]) expect((await enforce(bad)).status).toBe(400)
  expect(await state()).toEqual({ offered: true, enforced: false, certificate: true })
})

test('the certificate is everybody’s to download, and it is no key', async () => {
  const answer = await world.control.app.inject('/platform/database-certificate')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/x-pem-file',
    'content-disposition': 'attachment; filename="database-ca.crt"',
  })
  expect(answer.body).toBe(tls.ca)
  expect(answer.body).not.toContain('PRIVATE')
})

test('once encryption is enforced, connections in the clear are refused, and the change is in the audit log', async () => {
  expect(await enter(false)).toBe('in')
  expect(await enforce(true)).toMatchObject({
    status: 200,
    body: { currentConfig: { database: true }, appliedSuccessfully: true },
  })
  expect(await enter(false)).toContain('SSL connection is required')
  expect(await enter({ ca: tls.ca })).toBe('in')
  expect(await state()).toMatchObject({ enforced: true })
  const { body } = await world.ada.call('GET', `/platform/projects/${world.ref}/settings`)
  expect(body).toMatchObject({ ssl_enforced: true })
  const all = await world.ada.call('GET', `/v2/projects/${world.ref}/config`)
  expect(all.body).toMatchObject({ data: { attributes: { database: { ssl_enforced: true } } } })
  // A wish that holds already is no change.
  expect((await enforce(true)).status).toBe(200)
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('action', '=', 'v1.updateSsl')
    .execute()
  expect(entries).toEqual([
    { change: { before: { ssl_enforced: false }, after: { ssl_enforced: true } } },
  ])
})

test('while nobody tells the ports it is said that it does not hold yet, and it holds once they are back', async () => {
  await world.restartServices(async () => {
    // It is written down; switching it on asks first whether encryption is offered.
    expect((await enforce(false)).body).toEqual({
      currentConfig: { database: false },
      appliedSuccessfully: false,
    })
    expect((await enforce(true)).status).toBeGreaterThanOrEqual(400)
    expect(
      (await world.control.app.inject('/platform/database-certificate')).statusCode,
    ).toBeGreaterThanOrEqual(400)
  })
  await expect
    .poll(async () => (await world.ada.call('GET', path)).body)
    .toEqual({
      currentConfig: { database: false },
      appliedSuccessfully: true,
    })
  expect(await enter(false)).toBe('in')
})

test('where connections cannot be encrypted nobody is locked out', async () => {
  const plain = createServer((request, response) => {
    const certificate = { offered: false, authority: null }
    const body = request.url?.endsWith('/certificate') ? certificate : []
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const port = Number(new URL(world.project.url).port)
  await world.restartServices(async () => {
    await new Promise<void>((resolve) => plain.listen(port, '127.0.0.1', () => resolve()))
    expect(await enforce(true)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('do not support SSL') },
    })
    expect(await state()).toEqual({ offered: false, enforced: false, certificate: false })
    const answer = await world.control.app.inject('/platform/database-certificate')
    expect(answer.statusCode).toBe(404)
    plain.closeAllConnections()
    await new Promise((resolve) => plain.close(resolve))
  })
})
