import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import ws from 'ws'
import { withClient } from '#kit/postgres/client'
import { createBareServer } from '../../bench/parts/bare-server.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { manage } from '#start/manage/manage-run'
import { atEnd } from '../testing/ends.ts'
import { newHome, startPlatform, type Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'
import { freePort } from '#kit/testing/free-port'

/** The dashboard over a Postgres that was there before: what its operator sees from the first start on. */
let home: string
let port: number
let server: Awaited<ReturnType<typeof createBareServer>>
let platform: Platform
let page: Page
let eyes: Eyes

beforeAll(async () => {
  home = await newHome()
  port = await freePort()
  server = await createBareServer(home, port)
  await server.init()
  await server.start()
  // After the platform, which is opened later.
  atEnd(async () => {
    await server.stop()
    await rm(home, { recursive: true, force: true })
  })
  await sql('create database shop')
  await sql(
    "create table orders (id int primary key, item text); insert into orders values (1, 'tea')",
    'shop',
  )
  platform = await ownPlatform({
    environment: {
      PLINTH_MODE: 'self-hosted',
      DATABASE_URL: `postgres://postgres:bare@127.0.0.1:${port}/shop`,
      DEFAULT_PROJECT_NAME: 'Tea shop',
    },
  })
  ;({ page, eyes } = await openPage(platform))
})

const sql = (text: string, database = 'postgres') =>
  withClient({ host: '127.0.0.1', port, user: 'postgres', password: 'bare', database }, (client) =>
    client.query(text),
  )

let token = ''
let keys = { endpoint: '', anon: '', service: '' }
const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(platform.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const step = story('one existing database with its dashboard')

step('a start without a database, or with one that cannot be used, says so and ends', async () => {
  const start = (environment: Record<string, string>) =>
    startPlatform({ environment: { PLINTH_MODE: 'self-hosted', ...environment } })
  await expect(start({})).rejects.toThrow('DATABASE_URL: must be set in self-hosted mode')
  const wrong = `postgres://postgres:wrong@127.0.0.1:${port}/shop`
  await expect(start({ DATABASE_URL: wrong })).rejects.toThrow('DATABASE_URL cannot be used')
})

step('the first start says how to sign in; signing in leads to the one project', async () => {
  expect(platform.output()).toContain('sign in as admin@example.com')
  const password = (await readFile(join(platform.home, 'admin-password'), 'utf8')).trim()
  expect(platform.output()).not.toContain(password)
  await page.goto(platform.url)
  await page.getByLabel('Email').fill('admin@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).first().click()
  await page.getByRole('heading', { name: 'Tea shop' }).first().waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/project/default')
  await eyes.look('90-self-hosted-home')

  const signedIn = await fetch(`${platform.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password }),
  })
  token = ((await signedIn.json()) as { access_token: string }).access_token
})

step('nobody else can sign up', async () => {
  const answer = await fetch(`${platform.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'eve@example.com', password: 'Str0ng-enough!' }),
  })
  expect(answer.status).toBe(422)
})

step('the table that was there is in the table editor', async () => {
  await page.getByRole('link', { name: 'Table editor' }).first().click()
  // Off the rail, which opens over the page while it is pointed at.
  await page.mouse.move(900, 500)
  await page
    .getByRole('link', { name: /orders/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'orders' }).first().waitFor()
  // The grid itself: before it there is only its outline.
  await page.locator('canvas').first().waitFor()
  await eyes.look('91-self-hosted-table')
})

step(
  'it has a publishable and a secret key, which its machine reads without signing in',
  async () => {
    const said: string[] = []
    const say = (line: string) => said.push(line)
    const environment = { PLINTH_HOME: platform.home }
    expect(
      await manage(['keys', 'default', '--json'], { environment, say, complain: say, browse: say }),
    ).toBe(0)
    const list = JSON.parse(said.join('\n')) as { type: string; api_key: string }[]
    expect(list.map(({ type }) => type)).toEqual(['legacy', 'legacy', 'publishable', 'secret'])
    const publishable = list.find(({ type }) => type === 'publishable')?.api_key ?? ''
    const address = `http://localhost:${platform.ports.projectPort}/default/rest/v1/`
    const read = await fetch(address, { headers: { apikey: publishable } })
    expect(read.status).toBe(200)
    await read.body?.cancel()
  },
)

step('what belongs to the hosted platform is not shown, and refused', async () => {
  for (const path of [
    '/organizations',
    '/new',
    '/org/default-org-slug',
    '/org/default-org-slug/team',
  ]) {
    await page.goto(platform.url + path)
    await page.getByRole('heading', { name: 'Tea shop' }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/project/default')
  }
  await page.goto(`${platform.url}/project/default/settings/general`)
  await page.getByRole('heading', { name: 'General' }).waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: /Delete|Pause|Restart/ }).count())
    .toBe(0)
  await eyes.look('92-self-hosted-settings')

  const refused = [
    ['POST', '/platform/organizations', { name: 'Another', kind: 'PERSONAL', tier: 'tier_free' }],
    ['DELETE', '/platform/projects/default', undefined],
    ['POST', '/platform/projects/default/pause', {}],
    ['POST', '/platform/database/default/backups', {}],
    ['POST', '/v1/organizations', { name: 'Another' }],
    ['POST', '/v1/projects/default/pause', {}],
    ['GET', '/platform/organizations/default-org-slug/billing/subscription', undefined],
    ['GET', '/platform/organizations/default-org-slug/members', undefined],
    ['GET', '/platform/profile/permissions', undefined],
  ] as const
  for (const [method, path, body] of refused) {
    expect([path, await call(method, path, body)]).toMatchObject([
      path,
      { status: 403, body: { code: 'platform_only' } },
    ])
  }
})

step('its operator backs it up, which the pages of backups say', async () => {
  const places = ['scheduled', 'pitr', 'restore-to-new-project']
  for (const place of places) {
    await page.goto(`${platform.url}/project/default/database/backups/${place}`)
    await page.getByText('This database is backed up by its operator').waitFor()
  }
  await eyes.look('93-self-hosted-backups')
})

step('logs that its server keeps elsewhere are not looked for here', async () => {
  for (const [place, words] of [
    ['postgres-logs', 'Its log is where its operator keeps it'],
    ['supavisor-logs', 'connections do not pass it'],
  ] as const) {
    await page.goto(`${platform.url}/project/default/logs/${place}`)
    await page.getByText(words).waitFor()
  }
})

step('the unmodified client reads it as the operator has granted', async () => {
  const { body } = await call('GET', '/platform/projects/default/settings')
  const found = body['service_api_keys'] as { tags: string; api_key: string }[]
  const keyOf = (tag: string) => found.find(({ tags }) => tags.includes(tag))?.api_key ?? ''
  const detail = await call('GET', '/platform/projects/default')
  keys = {
    endpoint: String(detail.body['endpoint']),
    anon: keyOf('anon'),
    service: keyOf('service_role'),
  }
  const client = (key: string) =>
    createClient(keys.endpoint, key, {
      auth: { persistSession: false },
      // The two packages declare the same constructor differently.
      realtime: { transport: ws as never },
    })
  expect((await client(keys.service).from('orders').select()).data).toEqual([
    { id: 1, item: 'tea' },
  ])
  expect((await client(keys.anon).from('orders').select()).error?.code).toBe('42501')
  await sql('grant select on orders to anon', 'shop')
  expect((await client(keys.anon).from('orders').select()).data).toEqual([{ id: 1, item: 'tea' }])
})

step('its pages were quiet', () => {
  expect(eyes.errors).toEqual([])
})
