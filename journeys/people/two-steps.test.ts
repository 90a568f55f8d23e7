import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import {
  createOrganization,
  createProject,
  databasePassword,
  reaches,
  runSql,
  signUp,
  type Person,
} from '../testing/client.ts'
import type { Platform } from '../testing/platform.ts'
import { until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { wrongsOf } from '../testing/world.ts'

/** What changes a row and the world: the control plane is killed between the two (docs/two-steps.md). */
const failpoints = mkdtempSync(join(tmpdir(), 'plinth-failpoints-'))
let platform: Platform
let ada: Person
let ref: string

beforeAll(async () => {
  platform = await ownPlatform({ environment: { PLINTH_FAILPOINTS: failpoints } })
  ada = await signUp(platform.url, 'ada@example.com')
  ref = (await createProject(ada, await createOrganization(ada, 'Acme'), 'Books')).ref
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
})

/** Orders what meets its end at the failpoint, and waits until the control plane answers again. */
async function killedAt(point: string, order: () => Promise<unknown>): Promise<void> {
  const file = join(failpoints, point.replaceAll(/[^\w.-]/g, '_'))
  writeFileSync(file, '')
  // Whoever asked has no answer: the process that was to give it is gone.
  await expect(order()).rejects.toThrow(/fetch failed/)
  expect(existsSync(file)).toBe(false)
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
}

test('killed while webhooks are enabled, calls wait until it is asked again', async () => {
  const hooks = `/platform/database/${ref}/hooks`
  const enable = () => ada.call('POST', `/platform/database/${ref}/hook-enable`)
  await killedAt('webhooks.enable.prepared', enable)
  expect((await ada.call('GET', hooks)).body).toEqual({ enabled: false })
  let waiting: unknown
  await until('the services are back', async () => {
    const call = runSql(ada, ref, `select net.http_get('https://10.0.0.1/') as id`)
    waiting = await call.catch(() => undefined)
    return waiting !== undefined
  })
  expect((await enable()).body).toEqual({ enabled: true })
  const answers = () => runSql(ada, ref, 'select id, error_msg from net._http_response')
  await expect
    .poll(answers, { timeout: 60_000 })
    .toEqual([{ id: 1, error_msg: '10.0.0.1 is not a public address' }])
})

test('killed while the password of a database is set, the one that the platform knows holds', async () => {
  const enters = async (password: string) => {
    // Its server may have another port after the platform was killed.
    const { body } = await ada.call('GET', `/platform/projects/${ref}`)
    const server = { host: '127.0.0.1', port: Number(body['db_port']), database: 'postgres' }
    return withClient({ ...server, user: 'postgres', password }, () => Promise.resolve(true)).catch(
      (error: unknown) => String(error),
    )
  }
  const set = () =>
    ada.call('PATCH', `/platform/projects/${ref}/db-password`, { password: 'Granite-7 below' })
  expect(await enters(databasePassword)).toBe(true)
  await killedAt('database-password.set:applied', set)
  await expect.poll(() => enters(databasePassword), { timeout: 60_000 }).toBe(true)
  expect(await enters('Granite-7 below')).toContain('password authentication failed')
  expect(await set()).toMatchObject({ status: 200 })
  expect(await enters('Granite-7 below')).toBe(true)
})

test.each([
  ['networks.apply:stored', '10.1.0.0/16'],
  ['networks.settle:set', '10.2.0.0/16'],
])('killed at %s, the networks that were accepted hold', async (point, network) => {
  const path = `/v1/projects/${ref}/network-restrictions`
  const config = { dbAllowedCidrs: [network], dbAllowedCidrsV6: [] }
  await killedAt(point, () => ada.call('POST', `${path}/apply`, config))
  await expect
    .poll(async () => (await ada.call('GET', path)).body, { timeout: 60_000 })
    .toMatchObject({ config, status: 'applied' })
  await until('the services are back', async () => {
    const rules = runSql(ada, ref, 'select 1 as one').catch(() => undefined)
    return (await rules) !== undefined
  })
  await expect.poll(() => wrongsOf(platform), { timeout: 60_000 }).toEqual([])
})
