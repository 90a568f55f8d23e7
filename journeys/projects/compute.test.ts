import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { join } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { reaches } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** A project that begins on Free grows with its organization. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_free',
    size: 'nano',
    sql: "create table public.orders (what text); insert into public.orders values ('tea')",
  })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp, of = page) => of.getByRole('button', { name, exact: true })
const isOff = (name: string, of = page) => button(name, of).getAttribute('aria-disabled')
const dialog = () => page.getByRole('dialog').last()
const size = (name: string, of = page) =>
  of.locator('label').filter({ has: of.getByRole('radio', { name: new RegExp(`^${name}\\b`) }) })
const connections = async () => {
  const rows = await bench.sql("select current_setting('max_connections')::int as n")
  // The one row of this query.
  return (rows as { n: number }[])[0]?.n ?? 0
}
const look = async (name: string) => {
  await eyes.look(name)
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(`${name}-narrow`)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('a project gets a larger compute size')

step('on Free there is one size, and the way to others', async () => {
  await bench.go('settings/compute-and-disk')
  await page.getByText('The Free plan runs on Nano').waitFor()
  await size('Nano').getByText('Current').waitFor()
  expect(await size('Small').getByText('Needs the Pro plan').count()).toBe(1)
  expect(await page.getByRole('radio', { name: /^Small/ }).isDisabled()).toBe(true)
  expect(await isOff('Review change')).toBe('true')
  await page.getByText('of 500 MB in the database').waitFor()
  await look('compute-00-free')
  await page.getByRole('link', { name: 'Upgrade plan' }).click()
  await page.waitForURL(`**/org/${bench.slug}/billing`)
})

step('on Pro a change says what it costs and does, and can be let be', async () => {
  const change = { tier: 'tier_pro' }
  const path = `/platform/organizations/${bench.slug}/billing/subscription`
  expect((await bench.ada.call('PUT', path, change)).status).toBe(200)
  await bench.go('settings/compute-and-disk')
  await size('Nano').getByText('Current').waitFor()
  expect(await isOff('Review change'), 'nothing else is chosen').toBe('true')
  await size('Small').click()
  await look('compute-01-chosen')
  await button('Review change').click()
  await dialog().getByRole('row', { name: 'An hour $0.01344 $0.0206' }).waitFor()
  await dialog()
    .getByText(/restarts once/)
    .waitFor()
  await look('compute-02-review')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

step('the database has the new size after one restart, which is measured', async () => {
  const before = await connections()
  await button('Review change').click()
  await dialog().getByRole('button', { name: 'Change to Small' }).click()
  await page.getByText(/^Changed from Nano to Small/).waitFor({ timeout: 60_000 })
  await reaches(bench.ada, bench.ref, ['ACTIVE_HEALTHY'])
  await size('Small').getByText('Current').waitFor()
  await page.getByText(/The database was unavailable for [\d.]+ m?s/).waitFor()
  expect(await connections()).toBeGreaterThan(before)
  expect(await bench.sql('select what from public.orders')).toEqual([{ what: 'tea' }])
  await size('Micro').click()
  expect(await isOff('Review change'), 'the next change waits').toBe('true')
  await page.getByText(/You can change the size again in \d+ minutes/).waitFor()
  await look('compute-03-changed')
  const upcoming = `/platform/organizations/${bench.slug}/billing/invoices/upcoming`
  const { body } = await bench.ada.call('GET', upcoming)
  const lines = body['lines'] as { description: string }[]
  const described = lines.map(({ description }) => description)
  expect(described).toContain('Nano compute, Shop')
  expect(described).toContain('Small compute, Shop')
})

step('who manages no add-ons sees it and changes nothing', async () => {
  const rita = await newPerson(bench.platform, 'rita')
  await join(bench.platform, bench.slug, bench.ada, rita)
  const { page: hers, eyes: herEyes } = await openPage(bench.platform, { as: rita })
  await hers.goto(`${bench.platform.url}/project/${bench.ref}/settings/compute-and-disk`)
  await size('Small', hers).getByText('Current').waitFor()
  expect(await hers.getByRole('radio', { name: /^Medium/ }).isDisabled()).toBe(true)
  expect(await isOff('Review change', hers)).toBe('true')
  expect(herEyes.errors).toEqual([])
  expect(eyes.errors).toEqual([])
})

step('what cannot be reached is said, and asked for again', async () => {
  await page.route('**/compute', (route) => route.abort())
  await bench.go('settings/compute-and-disk')
  await button('Try again').waitFor()
  await look('compute-04-unreachable')
  await page.unroute('**/compute')
  await button('Try again').click()
  await size('Small').getByText('Current').waitFor()
})
