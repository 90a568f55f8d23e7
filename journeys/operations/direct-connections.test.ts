import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createOrganization,
  createProject,
  databasePassword,
  reaches,
  signUp,
  type Person,
} from '../testing/client.ts'
import { startPlatform, type Platform } from '../testing/platform.ts'
import { childOf, until } from '../testing/processes.ts'

let platform: Platform
let ada: Person
let ref: string
let port: number

beforeAll(async () => {
  // Ports of its own: while the gateway is dead nothing keeps its port from the other platforms of this machine.
  platform = await startPlatform({ environment: { PLINTH_DATABASE_PORTS: '61000-61999' } })
  ada = await signUp(platform.url, 'ada@example.com')
  const slug = await createOrganization(ada, 'Acme')
  ref = (await createProject(ada, slug, 'Books')).ref
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  port = Number((await ada.call('GET', `/platform/projects/${ref}`)).body['db_port'])
})
afterAll(() => platform.dispose())

function connection() {
  const login = { user: 'postgres', password: databasePassword, database: 'postgres' }
  const client = new Client({ host: '127.0.0.1', port, ...login })
  const gone = new Promise<string>((resolve) =>
    client.on('error', (error) => resolve(String(error))),
  )
  return { client, gone }
}
const enters = async () => {
  const { client } = connection()
  await client.connect()
  await client.query('select 1')
  await client.end()
  return true
}

test('a program that connects at once is let in; one whose gateway is killed connects again', async () => {
  expect(await enters()).toBe(true)
  const { client, gone } = connection()
  await client.connect()
  await client.query('create table kept as select 7 as n')
  const plane = childOf(platform.process.pid ?? 0, 'data-plane.js')
  if (!plane) throw new Error('There is no data plane')
  process.kill(plane, 'SIGKILL')
  expect(await gone).toContain('terminated')
  const isBack = () => enters().catch(() => false)
  await until('the port is back', isBack)
  const again = connection().client
  await again.connect()
  expect((await again.query('select n from kept')).rows).toEqual([{ n: 7 }])
  await again.end()
})

test('a restart that keeps the port, and a client that waits for it', async () => {
  const { client, gone } = connection()
  await client.connect()
  const before = port
  await ada.call('POST', `/platform/projects/${ref}/restart`)
  expect(await gone).toMatch(/terminat/)
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  const { body } = await ada.call('GET', `/platform/projects/${ref}`)
  expect(body['db_port']).toBe(before)
  expect(await enters()).toBe(true)
})
