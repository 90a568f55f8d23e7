import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { dataPlaneApi } from '#contract/data-plane-api'
import { silentLog } from '#kit/log'
import type { Networks } from '#contract/v1/v1-network'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let ref: string
let path: string
/** What the server was told, and what to do when it is told. */
let told: (readonly string[] | null)[] = []
let whenTold: (networks: readonly string[] | null) => Promise<void> = () => Promise.resolve()

/** Whether the data plane answers, and how often it was told to look. */
let answers = true
let looks = 0
const dataPlane = createServer((request, response) => {
  // What the server writes into its log comes here, too, when it likes.
  if (request.url === dataPlaneApi.databasePorts.path) looks++
  response.writeHead(answers ? 200 : 500, { 'content-type': 'application/json' }).end('[]')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => dataPlane.listen(0, '127.0.0.1', () => resolve()))
  const address = dataPlane.address()
  const port = typeof address === 'object' && address ? address.port : 0
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`)
  ada = await newcomer(plane, 'ada')
  await organizationOf(ada, 'Acme')
  const made = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  ref = String(made.body['ref'])
  path = `/v1/projects/${ref}/network-restrictions`
  await vi.waitFor(isUp, { timeout: 60_000, interval: 50 })
  const { setNetworks } = plane.compute
  plane.compute.setNetworks = async (of, networks) => {
    told.push(networks)
    await whenTold(networks)
    await setNetworks?.(of, networks)
  }
})
afterAll(async () => {
  await plane.end()
  dataPlane.close()
  dataPlane.closeAllConnections()
})

const isUp = async () => {
  const { body } = await ada.call('GET', `/platform/projects/${ref}/status`)
  if (body['status'] !== 'ACTIVE_HEALTHY') throw new Error(`It is ${String(body['status'])}`)
}
const apply = (...dbAllowedCidrs: string[]) =>
  ada.call('POST', `${path}/apply`, { dbAllowedCidrs, dbAllowedCidrsV6: [] })
const change = (change: { add?: Networks; remove?: Networks }) => ada.call('PATCH', path, change)
const read = async () => (await ada.call('GET', path)).body
const row = () =>
  plane.db
    .selectFrom('platform.projects')
    .select('allowed_networks')
    .where('ref', '=', ref)
    .executeTakeFirst()

test('the row is there before the server is told', async () => {
  const seen: unknown[] = []
  whenTold = async () => void seen.push(await row())
  expect(await apply('10.1.0.0/16')).toMatchObject({ status: 201, body: { status: 'applied' } })
  expect(seen).toEqual([{ allowed_networks: ['10.1.0.0/16'] }])
})

test('a server that cannot be told: it is said that it is stored, and a round tells it', async () => {
  whenTold = () => Promise.reject(new Error('no disk'))
  const config = { dbAllowedCidrs: ['10.2.0.0/16'], dbAllowedCidrsV6: [] }
  expect(await apply('10.2.0.0/16')).toMatchObject({
    status: 201,
    body: { config, status: 'stored' },
  })
  expect(await read()).toMatchObject({ config, status: 'stored' })
  whenTold = () => Promise.resolve()
  told = []
  await plane.networksRound()
  expect(await read()).toMatchObject({ config, status: 'applied' })
  await plane.networksRound()
  expect(told).toEqual([['10.2.0.0/16']])
  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('action', '=', 'v1.applyNetworkRestrictions')
    .execute()
  expect(entries).toHaveLength(2)
})

test('while nobody tells the ports of databases, it is said that it is only stored', async () => {
  whenTold = () => Promise.resolve()
  answers = false
  expect((await apply('10.6.0.0/16')).body).toMatchObject({ status: 'stored' })
  answers = true
  looks = 0
  await plane.networksRound()
  expect(looks).toBe(1)
  expect(await read()).toMatchObject({ status: 'applied' })
})

test('a wish that comes while another one is carried out is the one that holds', async () => {
  let later: Promise<unknown> | undefined
  whenTold = async () => {
    later ??= apply('10.4.0.0/16')
    expect(await later).toMatchObject({ status: 201, body: { status: 'stored' } })
  }
  told = []
  const { body } = await apply('10.3.0.0/16')
  expect(body).toMatchObject({ config: { dbAllowedCidrs: ['10.4.0.0/16'] }, status: 'applied' })
  expect(told).toEqual([['10.3.0.0/16'], ['10.4.0.0/16']])
})

test('changes that come at once all hold', async () => {
  whenTold = () => Promise.resolve()
  await apply('10.9.0.0/16')
  const added = Array.from({ length: 8 }, (_, at) => `10.10.${at}.0/24`)
  const answers = await Promise.all([
    ...added.map((network) => change({ add: { dbAllowedCidrs: [network] } })),
    change({ remove: { dbAllowedCidrs: ['10.9.0.0/16'] } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(9).fill(200))
  const { config } = (await read()) as { config: Networks }
  expect(config.dbAllowedCidrs.toSorted()).toEqual(added)
  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('action', '=', 'v1.applyNetworkRestrictions')
    .execute()
  expect(entries.length).toBeGreaterThanOrEqual(9)
})

test('while a job is at work on the server nothing is told, and the round does it afterwards', async () => {
  whenTold = () => Promise.resolve()
  told = []
  const set = (status: 'RESTARTING' | 'ACTIVE_HEALTHY') =>
    plane.db.updateTable('platform.projects').set({ status }).where('ref', '=', ref).execute()
  await set('RESTARTING')
  expect((await apply('10.5.0.0/16')).body).toMatchObject({ status: 'stored' })
  await plane.networksRound()
  expect(told).toEqual([])
  await set('ACTIVE_HEALTHY')
  await plane.networksRound()
  expect(told).toEqual([['10.5.0.0/16']])
  expect(await read()).toMatchObject({ status: 'applied' })
})
