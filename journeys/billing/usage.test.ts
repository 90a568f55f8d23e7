import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { createOrganization } from '../testing/client.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** What projects use is counted, and shown to their organization. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_payg',
    sql: 'create table public.books (id int primary key); grant select on public.books to anon',
  })
  ;({ page, eyes } = bench)
})

const go = (slug: string, more = '') => page.goto(`${bench.platform.url}/org/${slug}/usage${more}`)
const summary = (name: string) =>
  page.getByRole('table', { name: 'Usage summary' }).getByRole('row', { name })
const card = (name: string) =>
  page.locator('.usage-metric', { has: page.getByRole('heading', { name, exact: true }) })

const step = story('usage of an organization')

step('an organization without use is told when figures appear', async () => {
  const empty = await createOrganization(bench.ada, 'Empty', 'tier_free')
  await go(empty)
  await page.getByText('No usage in this billing cycle').waitFor()
  await page.getByText('The Free plan is never charged for usage.').waitFor()
  await eyes.look('usage-00-empty')
})

step(
  'what the services answered, and who signed in, is on the page some moments later',
  async () => {
    const { endpoint, serviceKey, anonKey } = bench.project
    const ask = (path: string, init: RequestInit = {}, key = serviceKey) =>
      fetch(endpoint + path, {
        ...init,
        headers: {
          apikey: key,
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
        },
      })
    const post = { method: 'POST' }
    const made = await ask('/storage/v1/bucket', {
      ...post,
      body: '{"name": "use", "public": true}',
    })
    expect(made.status).toBe(200)
    const large = { ...post, body: new Uint8Array(2_000_000) }
    expect((await ask('/storage/v1/object/use/large.bin', large)).status).toBe(200)
    const sent = await fetch(`${endpoint}/storage/v1/object/public/use/large.bin`)
    expect((await sent.arrayBuffer()).byteLength).toBe(2_000_000)
    expect((await ask('/rest/v1/books', {}, anonKey)).status).toBe(200)
    const login = { email: 'grace@example.com', password: 'a long and winding password 42!' }
    const signUp = { ...post, body: JSON.stringify({ ...login, email_confirm: true }) }
    expect((await ask('/auth/v1/admin/users', signUp)).status).toBe(200)
    const signIn = { ...post, body: JSON.stringify(login) }
    expect((await ask('/auth/v1/token?grant_type=password', signIn, anonKey)).status).toBe(200)

    // Counts are handed on every half minute, and then rolled up.
    await expect
      .poll(
        async () => {
          await go(bench.slug)
          return summary('Egress').first().textContent()
        },
        { timeout: 120_000, interval: 2000 },
      )
      .toMatch(/1\.9 MB.*250 GB/)
    await expect.poll(() => summary('Monthly active users').textContent()).toMatch(/1.*100,000/)
    await expect.poll(() => summary('Compute hours').textContent()).toMatch(/ h/)
    await card('Egress').getByText('Storage', { exact: true }).waitFor()
    await card('Egress').getByText('Data API', { exact: true }).waitFor()
    await card('Egress').getByText('$0.09 per GB').waitFor()
    await card('Egress')
      .getByRole('img', { name: /Egress by day: at most 1\.9 MB on/ })
      .waitFor()
    await page.getByText('cached egress is 0').waitFor()
    await eyes.look('usage-01')
    await card('Egress').scrollIntoViewIfNeeded()
    await eyes.look('usage-01-cards')
  },
)

step('a project by itself, and the file', async () => {
  await page.getByRole('button', { name: /Project/ }).click()
  await page.getByRole('option', { name: /Shop/ }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('project')).toBe(bench.ref)
  await expect.poll(() => summary('Egress').first().textContent()).toContain('1.9 MB')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toMatch(/^day,metric,part,usage,unit\r\n/)
  expect(text).toMatch(/\d{4}-\d\d-\d\d,EGRESS,storage,20\d{5},bytes\r\n/)
})

step('it fits a telephone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await go(bench.slug)
  await card('Egress').waitFor()
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(wide).toBeLessThanOrEqual(390)
  await eyes.look('usage-02-narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
})

step(
  'the way there is in the rail, and what cannot be loaded says so and can be tried again',
  async () => {
    await page.goto(`${bench.platform.url}/org/${bench.slug}`)
    let isBroken = true
    await page.route(/\/platform\/organizations\/[^/]+\/usage/, (route) =>
      isBroken
        ? route.fulfill({ status: 400, json: { message: 'It is being repaired', code: 'x' } })
        : route.fallback(),
    )
    const rail = page.getByRole('navigation', { name: 'Product' })
    await rail.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('Could not load usage').waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await card('Egress').waitFor()
  },
)

step('a cycle and a project that are none are refused in words', async () => {
  await go(bench.slug, '?cycle=yesterday')
  await page.getByText('Could not load usage').waitFor()
})
