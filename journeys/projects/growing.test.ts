import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { Replicas } from '#contract/projects/replicas'
import { byHost } from '#control-plane/testing/by-host'
import { withClient } from '#kit/postgres/client'
import { preparePostgres } from '#kit/postgres/runtime'
import { startNameServer, type NameServer } from '#kit/testing/name-server'
import { branchRef } from '../testing/growth/branches.ts'
import type { Eyes } from '../testing/browser.ts'
import { databasePassword, reaches, runSql, type Project } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { isSane } from '../testing/faults/kills.ts'
import type { Platform } from '../testing/platform.ts'
import { ageResizes } from '../testing/platform-database.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import {
  furnish,
  furniture,
  furnitureOf,
  keysOf,
  openShop,
  shopTables,
} from '../testing/growth/shop.ts'
import { story } from '../testing/story.ts'
import type { Traffic } from '../testing/growth/traffic.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { serversOf } from '../testing/world.ts'

/** A shop that begins on Free gets everything that a project can grow by, while its customers go on ordering. */
const target = 'ingress.plinth-test.net'
const hostname = 'api.acme-shop.org'
let dns: NameServer
let platform: Platform
let bench: Workbench
let page: Page
let eyes: Eyes
let traffic: Traffic
let keys: unknown
let replica: string
let replicaUri: string
let branch: Project

beforeAll(async () => {
  dns = await startNameServer()
  atEnd(() => dns.close())
  platform = await ownPlatform({
    environment: {
      PLINTH_TRASH_DAYS: '30',
      PLINTH_CUSTOM_HOSTNAME_TARGET: target,
      PLINTH_DNS_SERVERS: dns.address,
    },
  })
  bench = await openWorkbench({
    name: 'Shop',
    platform,
    tier: 'tier_free',
    size: 'nano',
    newTables: 'private',
    clipboard: true,
    sql: shopTables,
  })
  ;({ page, eyes } = bench)
  await furnish(bench.ada, bench.project)
  keys = await keysOf(bench.ada, bench.ref)
})

const patient = { timeout: 60_000, interval: 100 }
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {}).last()
const row = (name: string | RegExp) => page.locator('tbody tr').filter({ hasText: name })
/** Presses the button of the dialog that is open, which goes away with it. */
async function confirm(verb: string): Promise<void> {
  const asked = dialog()
  await asked.getByRole('button', { name: verb, exact: true }).click()
  await asked.waitFor({ state: 'hidden' })
}
/** Every change by clicking is shown as SQL before it runs. */
async function agree(verb: string, shown: string): Promise<void> {
  await dialog(verb).getByText(shown).first().waitFor()
  await dialog(verb).getByRole('button', { name: verb, exact: true }).click()
  await dialog(verb).waitFor({ state: 'hidden' })
}
/** Looks without being late: whatever failed is in the message. */
const allWell = () => expect(traffic.failures.join('\n')).toBe('')
const isWhole = async () =>
  expect(await furnitureOf(bench.ada, bench.project)).toEqual({ ...furniture, keys })
const ids = async (query: string, ask = (text: string) => runSql(bench.ada, bench.ref, text)) =>
  ((await ask(query)) as { id: number }[]).map(({ id }) => id)
const onReplica = (query: string) =>
  withClient({ connectionString: replicaUri }, async (client) => (await client.query(query)).rows)

const step = story('a Free project grows in every way, and loses nothing')

step('it is whole on Free, its customers order, and its organization changes to Pro', async () => {
  await isWhole()
  traffic = await openShop(bench.project, ['ada@shop.test', 'eve@shop.test'])
  await page.goto(`${platform.url}/org/${bench.slug}/billing`)
  await button('Upgrade to Pro').first().click()
  await dialog('Change to Pro').getByRole('button', { name: 'Upgrade to Pro' }).click()
  await page
    .getByText(/Acme is on Pro/)
    .first()
    .waitFor()
  allWell()
})

step('it gets another size twice, and its database restarts where it needs to', async () => {
  const began = async () =>
    bench.sql('select pg_postmaster_start_time()::text as at').then(JSON.stringify)
  const change = async (from: string, to: string) => {
    await bench.go('settings/compute-and-disk')
    await page
      .locator('label')
      .filter({ has: page.getByRole('radio', { name: new RegExp(`^${to}\\b`) }) })
      .click()
    await button('Review change').click()
    await dialog()
      .getByRole('button', { name: `Change to ${to}` })
      .click()
    await page.getByText(new RegExp(`^Changed from ${from} to ${to}`)).waitFor(patient)
    await reaches(bench.ada, bench.ref, ['ACTIVE_HEALTHY'])
  }
  const first = await began()
  await change('Nano', 'Micro')
  expect(await began(), 'Micro differs in price alone').toBe(first)
  allWell()
  await ageResizes(platform)
  await traffic.announce(() => change('Micro', 'Small'))
  expect(await began()).not.toBe(first)
  const { body } = await bench.ada.call('GET', `/platform/projects/${bench.ref}/compute`)
  expect(body['last_resize']).toMatchObject({ outcome: 'resized', down_ms: expect.any(Number) })
  expect(await bench.sql("select current_setting('max_connections')::int > 60 as more")).toEqual([
    { more: true },
  ])
  await isWhole()
  allWell()
})

step('a read replica takes reads, by preference and by its own connection string', async () => {
  await bench.go('database/replication')
  await button('Deploy replica').click()
  await confirm('Deploy replica')
  const list = page.getByRole('table', { name: 'Read replicas' })
  await list.getByText('Streaming').waitFor(patient)
  const { body } = await bench.ada.call('GET', `/platform/projects/${bench.ref}/read-replicas`)
  replica = Replicas.parse(body).replicas[0]?.identifier ?? ''
  const { endpoint, serviceKey } = bench.project
  const headers = { apikey: serviceKey, authorization: `Bearer ${serviceKey}` }
  const ask = () =>
    fetch(`${endpoint}/rest/v1/orders?id=eq.1`, { headers: { ...headers, Prefer: 'read=replica' } })
  await expect
    .poll(async () => (await ask()).headers.get('x-plinth-read-from'), patient)
    .toBe(replica)
  expect(await (await ask()).json()).toMatchObject([{ id: 1, what: 'tea 1' }])
  await page.goto(`${page.url()}?showConnect=true`)
  await dialog().getByLabel('Database password').fill(databasePassword)
  await dialog()
    .getByRole('button', { name: /^Source/ })
    .click()
  await page.getByRole('option', { name: /^Read replica/ }).click()
  await dialog().getByRole('button', { name: 'Copy URI' }).click()
  replicaUri = await page.evaluate(() => navigator.clipboard.readText())
  expect(await onReplica('select pg_is_in_recovery() as copy')).toEqual([{ copy: true }])
  allWell()
})

step('a hostname of its own leads to it', async () => {
  await bench.go('settings/custom-domains')
  await button('Enable custom domain').click()
  await confirm('Enable')
  await page.getByRole('textbox', { name: 'Hostname', exact: true }).fill(hostname)
  await button('Add hostname').click()
  await page.getByRole('button', { name: 'Copy TXT value' }).click()
  const token = await page.evaluate(() => navigator.clipboard.readText())
  dns.records.set(hostname, { CNAME: target })
  dns.records.set(`_plinth-challenge.${hostname}`, { TXT: [token] })
  await button('Check records').click()
  await page.getByText('Verified', { exact: true }).waitFor()
  await button('Activate hostname').click()
  await confirm('Activate hostname')
  await page.getByText('Active', { exact: true }).waitFor()
  await expect.poll(isServed, patient).toBe(200)
  allWell()
})
async function isServed(): Promise<number> {
  const ask = byHost(`http://127.0.0.1:${platform.ports.projectPort}`)
  const { serviceKey: apikey } = bench.project
  const headers = { apikey, authorization: `Bearer ${apikey}` }
  return (await ask(hostname, '/rest/v1/orders?select=id&limit=1', headers)).status
}

step('a branch with its data is made, and changed by clicking', async () => {
  await bench.go('branches')
  await button('Create branch').first().click()
  await dialog().getByLabel('Name').fill('next')
  await dialog().getByText('Data of main').click()
  await confirm('Create branch')
  await row('next').getByText('Ready').waitFor({ timeout: 120_000 })
  const ref = await branchRef(bench.ada, bench.ref, 'next')
  const found = (await keysOf(bench.ada, ref)) as Record<string, { name: string; api_key: string }>
  const key = (name: string) => Object.values(found).find((one) => one.name === name)?.api_key ?? ''
  branch = {
    ref,
    endpoint: bench.project.endpoint.replace(bench.ref, ref),
    anonKey: key('anon'),
    serviceKey: key('service_role'),
  }
  expect(await ids('select id from orders where id = 1', sqlOfBranch)).toEqual([1])
  await page.goto(`${platform.url}/project/${ref}/editor`)
  await page.getByRole('link', { name: 'New table' }).first().click()
  await dialog(/New table/)
    .getByLabel('Name')
    .first()
    .fill('coupons')
  await dialog(/New table/)
    .getByRole('button', { name: 'Create table' })
    .click()
  await agree('Create table', 'create table public.coupons')
  await page.getByRole('link', { name: /^orders/ }).click()
  await page.getByRole('heading', { name: 'orders' }).waitFor()
  await button('New column').click()
  await dialog(/New column/)
    .getByLabel('Name')
    .fill('wish')
  await dialog(/New column/)
    .getByRole('button', { name: 'Add column' })
    .click()
  await agree('Add column', 'add column wish text')
  allWell()
})
const sqlOfBranch = (query: string) => runSql(bench.ada, branch.ref, query)

step('it is merged into main while customers order, and none of them notices', async () => {
  await bench.go('branches')
  await row('next').getByRole('link', { name: 'Compare' }).click()
  const before = traffic.acknowledged.length
  await button('Merge into main').click()
  await dialog().getByText('2 migrations will be run on main').waitFor()
  await confirm('Merge into main')
  await page.getByText('Merged into main', { exact: true }).waitFor(patient)
  await page.getByText('This branch has nothing that main has not.').waitFor()
  await expect.poll(() => traffic.acknowledged.length, patient).toBeGreaterThan(before + 10)
  const { endpoint, serviceKey } = bench.project
  const headers = { apikey: serviceKey, authorization: `Bearer ${serviceKey}` }
  const wishes = () => fetch(`${endpoint}/rest/v1/orders?select=id,wish&id=eq.1`, { headers })
  await expect.poll(async () => (await wishes()).json(), patient).toEqual([{ id: 1, wish: null }])
  expect(await bench.sql('select count(*)::int as n from coupons')).toEqual([{ n: 0 }])
  allWell()
})

step('it is deleted, and comes back with its rows, keys and address', async () => {
  const state = async () => {
    const { serviceKey: apikey, endpoint } = branch
    const headers = { apikey, authorization: `Bearer ${apikey}` }
    const answer = await fetch(`${endpoint}/rest/v1/orders?select=id&order=id`, { headers })
    return { keys: await keysOf(bench.ada, branch.ref), rows: await answer.json() }
  }
  const before = await state()
  await bench.go('branches')
  await button('Actions of next').click()
  await page.getByRole('menuitem', { name: 'Delete branch' }).click()
  await dialog().getByRole('textbox').fill('next')
  await confirm('Delete branch')
  await reaches(bench.ada, branch.ref, ['404'])
  await page.goto(`${platform.url}/org/${bench.slug}/trash`)
  await button('Restore Shop / next').click()
  await reaches(bench.ada, branch.ref, ['ACTIVE_HEALTHY'])
  await page.getByText('No deleted projects').first().waitFor()
  await expect.poll(() => state().catch(String), patient).toEqual(before)
  allWell()
})

step('at the end nothing is lost, and nothing is left over', async () => {
  await traffic.stop()
  allWell()
  const written = await ids('select id from orders order by id')
  expect(written).toEqual(expect.arrayContaining([...traffic.acknowledged]))
  // Of the others nobody was told; they were broken off by the restart.
  expect(written.length - traffic.acknowledged.length).toBeLessThanOrEqual(traffic.during.failures)
  await expect
    .poll(() => ids('select id from orders order by id', onReplica), patient)
    .toEqual(written)
  await isWhole()
  expect(await isServed()).toBe(200)
  await bench.go('database/replication')
  await page.getByRole('table', { name: 'Read replicas' }).getByText('Streaming').waitFor()
  await isSane(platform)
  expect(eyes.errors).toEqual([])
  const { clusters } = await preparePostgres(platform.home)
  await platform.stop()
  expect(serversOf(clusters)).toEqual(new Map())
})
