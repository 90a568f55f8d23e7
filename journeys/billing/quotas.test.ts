import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { asOperator, endGracePeriod } from '../testing/operator.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** An organization on Free uses more than its plan includes. */
let bench: Workbench
let page: Page
let eyes: Eyes
const patient = { timeout: 60_000 }

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_free',
    size: 'nano',
    sql: `create table public.books (id int primary key); insert into public.books values (1), (2);
      grant all on public.books to service_role`,
  })
  ;({ page, eyes } = bench)
})

const go = (path: string) => page.goto(`${bench.platform.url}${path}`)
const banner = (title: string) => page.locator('.banner', { hasText: title })
const badge = () => page.getByRole('link', { name: 'Exceeding usage limits' })
const organization = () => `/platform/organizations/${bench.slug}`
/** As the meter of a data plane counts it. */
const used = (metric: string, value: number) =>
  asOperator(bench.platform, 'POST', 'usage', {
    sightings: [],
    buckets: [
      {
        start: randomUUID(),
        ref: bench.ref,
        metric,
        minute: Math.floor(Date.now() / 60_000),
        value,
      },
    ],
  })
/** Has the platform look at the organization now, as it does every five minutes. */
async function look(): Promise<unknown> {
  const path = `billing/organizations/${bench.slug}`
  await asOperator(bench.platform, 'PUT', path, { tier: 'tier_free' })
  return (await bench.ada.call('GET', organization())).body['restriction_status']
}
const ask = (method: string, path: string, body?: object) =>
  fetch(`${bench.project.endpoint}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: bench.project.serviceKey,
      authorization: `Bearer ${bench.project.serviceKey}`,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

const step = story('an organization beyond its quota')

step('the home of the organization shows what has come nearest to its limit', async () => {
  await used('function_invocations', 450_000)
  const strip = page.getByRole('region', { name: 'Usage in this billing cycle' })
  await expect
    .poll(
      async () => {
        await go(`/org/${bench.slug}`)
        await page.getByRole('heading', { name: 'Projects' }).waitFor()
        return strip.textContent().catch(() => '')
      },
      { timeout: 90_000, interval: 1000 },
    )
    .toMatch(/Edge function invocations90%/)
  expect(await badge().count()).toBe(0)
  await eyes.look('quota-00-home')
  await strip.getByRole('link', { name: 'View usage' }).click()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
})

step('beyond it a grace period begins, with its date above every page', async () => {
  await used('egress_storage', 6 * 1024 ** 3)
  await expect.poll(look, { timeout: 60_000, interval: 500 }).toBe('grace_period')
  await go(`/project/${bench.ref}`)
  await banner('Organization plan has exceeded its quota').waitFor()
  await expect
    .poll(() => banner('Organization plan has exceeded its quota').textContent())
    .toMatch(/has until \d\d \w{3}, \d{4} to upgrade or to use less/)
  await badge().waitFor()
  await banner('Organization plan has exceeded its quota')
    .getByRole('link', { name: 'View Details' })
    .click()
  await page.getByText('More is used in this billing cycle than the plan includes').waitFor()
  await eyes.look('quota-01-grace')
  const answer = await fetch(`${bench.platform.url}/platform/mailbox?recipient=${bench.ada.email}`)
  // What the endpoint answers with, by its contract.
  const mails = (await answer.json()) as { subject: string }[]
  expect(mails.map(({ subject }) => subject)).toContainEqual(
    expect.stringMatching(/^Acme: grace period until \d\d \w{3}, \d{4}$/),
  )
})

step('when it is over the projects are restricted: read and deleted, not added to', async () => {
  await endGracePeriod(bench.platform, bench.slug, 1)
  expect(await look()).toBe('grace_period_over')
  await page.reload()
  await banner('Grace period is over').waitFor()
  await endGracePeriod(bench.platform, bench.slug, 4)
  expect(await look()).toBe('restricted')
  await page.reload()
  await banner('Services Restricted').getByText('exported and deleted').waitFor()
  await eyes.look('quota-02-restricted')
  await expect.poll(async () => (await ask('POST', 'books', { id: 3 })).status, patient).toBe(402)
  expect(await (await ask('GET', 'books?select=id&order=id')).json()).toEqual([
    { id: 1 },
    { id: 2 },
  ])
  expect((await ask('DELETE', 'books?id=eq.2')).status).toBe(204)
  expect(await (await ask('GET', 'books?select=id')).json()).toEqual([{ id: 1 }])
})

step('SQL only reads, until somebody lets it delete for a quarter of an hour', async () => {
  await bench.go('sql/new')
  await banner('SQL can only read').getByText('SQL cannot change Shop').waitFor()
  const editor = page.locator('.monaco-editor textarea, .monaco-editor .native-edit-context')
  const run = async (sql: string) => {
    await editor.first().focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(sql)
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('button', { name: 'Run anyway' }).click()
  }
  const remove = 'delete from books where id = 1 returning id'
  await run(remove)
  const error = page.getByRole('alert')
  await error.getByText('SQL can only read').waitFor()
  await eyes.look('quota-02-sql')
  await error.getByRole('button', { name: 'Allow writes for 15 minutes' }).click()
  await banner('SQL can write')
    .getByText(/are allowed until \d\d:\d\d/)
    .waitFor()
  expect(await banner('SQL can write').getByRole('button').count()).toBe(0)
  // What runs SQL hears of it a moment later.
  await expect
    .poll(async () => {
      await run(remove)
      await page.locator('.sql-result-bar output').waitFor()
      return (await ask('GET', 'books?select=id')).json()
    }, patient)
    .toEqual([])
  await eyes.look('quota-02-sql-allowed')
  // What reaches the project by its API is refused as before.
  expect((await ask('POST', 'books', { id: 3 })).status).toBe(402)
})

step('it fits a telephone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [`/org/${bench.slug}`, `/org/${bench.slug}/usage`]) {
    await go(path)
    await banner('Services Restricted').waitFor()
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
    await expect.poll(wide).toBeLessThanOrEqual(390)
    await eyes.look(`quota-03-narrow${path.endsWith('usage') ? '-usage' : ''}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('a larger plan frees it at once', async () => {
  const change = { tier: 'tier_pro' }
  const answer = await bench.ada.call('PUT', `${organization()}/billing/subscription`, change)
  expect(answer.status).toBe(200)
  await go(`/org/${bench.slug}/usage`)
  await page.getByRole('table', { name: 'Usage summary' }).waitFor()
  expect(await banner('Services Restricted').count()).toBe(0)
  expect(await badge().count()).toBe(0)
  await expect.poll(async () => (await ask('POST', 'books', { id: 4 })).status, patient).toBe(201)
  expect(eyes.errors).toEqual([])
})
