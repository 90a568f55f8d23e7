import { randomBytes } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import ws from 'ws'
import { joinAcme, makeOverdue, operatorOf } from './testing/billing-client.ts'
import { openBrowser, watch, type Eyes } from './testing/browser.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
  type Project,
} from './testing/client.ts'
import { startPlatform, type Platform } from './testing/platform.ts'

let platform: Platform
let browser: Browser
let page: Page
let eyes: Eyes
let ada: Person
let dora: Person
let project: Project
const owner = 'ada@example.com'
const developer = 'dora@example.com'
const password = 'Str0ng-enough!'
const token = randomBytes(32).toString('hex')
const patient = { timeout: 20_000 }

beforeAll(async () => {
  platform = await startPlatform({ environment: { PLINTH_INTERNAL_TOKEN: token } })
  browser = await openBrowser()
  ada = await signUp(platform.url, owner, password)
  project = await createProject(ada, await createOrganization(ada, 'Acme'), 'Storefront')
  await ada.call('POST', '/platform/organizations', {
    name: 'Beta',
    kind: 'PERSONAL',
    tier: 'tier_free',
  })
  dora = await signUp(platform.url, developer, password)
})
afterAll(async () => {
  await browser?.close()
  await platform?.dispose()
})

/** A browser of one's own, signed in, at a page. */
async function enter(who: string, path: string): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  eyes = watch(page)
  await page.goto(`${platform.url}/sign-in?returnTo=${path}`)
  await page.getByLabel('Email').fill(who)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const go = (path: string) => page.goto(platform.url + path)
const part = (id: string) => page.locator(`#${id}`)
const banner = (title: string) => page.locator('.banner', { hasText: title })

test('a developer sees the bill and may change nothing of it', async () => {
  await joinAcme(platform, ada, dora, developer)
  await enter(developer, '/org/acme/billing')
  const upgrade = page.getByRole('button', { name: 'Upgrade to Team' })
  await upgrade.waitFor()
  for (const [id, name] of [
    ['plan', 'Upgrade to Team'],
    ['plan', 'Move to Free'],
    ['credits', 'Top up'],
    ['address', 'Add tax number'],
  ] as const) {
    const refused = part(id).getByRole('button', { name })
    expect(await refused.getAttribute('aria-disabled'), name).toBe('true')
  }
  expect(await page.getByRole('switch', { name: /Spend cap/ }).isDisabled()).toBe(true)
  await upgrade.hover()
  await page.getByText('Your role in this organization does not allow this').first().waitFor()
  expect(await part('address').getByLabel('City').getAttribute('readonly')).not.toBeNull()
  await eyes.look('92-developer')
  await page.goto(`${platform.url}/org/acme/billing?plan=team`)
  await upgrade.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  const put = { tier: 'tier_team' }
  const refused = await dora.call('PUT', '/platform/organizations/acme/billing/subscription', put)
  expect(refused.status).toBe(403)
  expect(eyes.errors).toEqual([])
})

test('overdue invoices are told above every page, with the way to them', async () => {
  await makeOverdue(platform)
  await enter(owner, '/org/acme')
  await banner('Outstanding Invoices').getByRole('link', { name: 'View Details' }).click()
  await expect.poll(() => new URL(page.url()).hash, patient).toBe('#invoices')
  await part('invoices').getByText('overdue').first().waitFor()
  await part('invoices').getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('dialog', { name: 'How to pay' }).waitFor()
  await eyes.look('93-how-to-pay')
  await page.getByRole('button', { name: 'Close' }).last().click()
  await go('/org/beta')
  await banner('Outstanding Invoices in other Organization').getByRole('link').waitFor()
})

test('each restriction has its banner; the last one lets projects be read and not changed', async () => {
  const operator = operatorOf(platform, token)
  expect(await reaches(ada, project.ref, ['ACTIVE_HEALTHY'], 180_000)).toBe('ACTIVE_HEALTHY')
  await runSql(
    ada,
    project.ref,
    'create table public.books (title text); grant all on public.books to service_role',
  )
  // The two packages declare the same constructor differently.
  const client = createClient(project.endpoint, project.serviceKey, {
    realtime: { transport: ws as never },
  })
  const write = (title: string) => client.from('books').insert({ title })
  await expect.poll(async () => (await write('Dune')).error, patient).toBeNull()

  for (const [status, title] of [
    ['grace_period', 'Organization plan has exceeded its quota'],
    ['grace_period_over', 'Grace period is over'],
    ['restricted', 'Services Restricted'],
  ] as const) {
    await operator('PUT', 'organizations/acme', { restriction_status: status })
    await go('/org/acme/billing')
    const shownIn = banner(title)
    await shownIn.getByRole('link', { name: 'View Details' }).waitFor()
    const shown = await shownIn.textContent()
    if (status === 'grace_period') expect(shown).toMatch(/until \d\d [A-Z][a-z]{2}, \d{4}/)
  }
  await eyes.look('94-restricted')
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('95-restricted-phone')
  await expect.poll(async () => (await write('Emma')).status, patient).toBe(402)
  const { data } = await client.from('books').select('title')
  expect(data).toContainEqual({ title: 'Dune' })

  await operator('PUT', 'organizations/acme', { restriction_status: null })
  await expect.poll(async () => (await write('Emma')).error, patient).toBeNull()
  expect(eyes.errors).toEqual([])
})
