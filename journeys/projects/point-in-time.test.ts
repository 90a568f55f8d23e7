import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { join } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { reaches } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import {
  completedClone,
  confirmRestore,
  orders,
  ordersTable,
  patient,
} from '../testing/restores.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** From an archive of all that is written, back to any second. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop', size: 'small', tier: 'tier_team', sql: ordersTable })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog').last()
const narrow = async (name: string) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(name)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('a project goes back to a moment')

step('point in time recovery is switched on, with what it costs and does', async () => {
  await bench.go('database/backups/pitr')
  await page.getByText('cannot reach back before that').waitFor()
  await eyes.look('pitr-00-off')
  await page.locator('label').filter({ hasText: '14 days' }).click()
  await button('Switch on').click()
  await dialog()
    .getByText(/14 days cost \$200.00 a month/)
    .waitFor()
  await eyes.look('pitr-01-switch-on')
  await dialog().getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('Point in time recovery is switched on').waitFor()
  await page.getByText('Earliest').waitFor(patient)
  await expect.poll(() => page.getByLabel(/^14 days/).isChecked()).toBe(true)
})

/** The clock of the database, in seconds since 1970. */
async function clock(): Promise<number> {
  const rows = await bench.sql('select extract(epoch from clock_timestamp())::float8 as at')
  // The one row of this query.
  return (rows as { at: number }[])[0]?.at ?? 0
}
const wall = (unix: number) => new Date(unix * 1000).toISOString().slice(0, 19).split('T')

const time = () => wall(moment)[1] ?? ''
let moment = 0

/** Names the moment between the two writes, as the clocks in UTC show it. */
async function chooseMoment(): Promise<void> {
  await button(/^Time zone/).click()
  await page.getByPlaceholder('Search').fill('UTC')
  await page.getByRole('option', { name: 'UTC', exact: true }).click()
  await page.getByLabel('Day', { exact: true }).fill(wall(moment)[0] ?? '')
  await page.getByLabel('Time', { exact: true }).fill(time())
}

step('what there was between two writes becomes a new project', async () => {
  await bench.sql("insert into public.orders values ('salt')")
  moment = Math.ceil(await clock())
  await expect.poll(clock, { interval: 100, timeout: 60_000 }).toBeGreaterThan(moment)
  await bench.sql("insert into public.orders values ('mistake')")
  await page.getByRole('link', { name: 'Restore to a new project' }).click()
  await button('A moment').click()
  await chooseMoment()
  await page.getByLabel('Name', { exact: true }).fill('Shop of a moment')
  await button('Generate a password').click()
  await page.getByText('This password is strong.').waitFor()
  const submit = button('Restore to a new project')
  await expect.poll(() => submit.getAttribute('aria-disabled'), patient).toBe(null)
  await eyes.look('pitr-02-new-project')
  await submit.click()
  const ref = await completedClone(page, 'Shop of a moment')
  await reaches(bench.ada, ref, ['ACTIVE_HEALTHY'])
  expect(await orders(bench, ref)).toEqual(['bread', 'salt', 'tea'])
  expect(await orders(bench)).toEqual(['bread', 'mistake', 'salt', 'tea'])
})

step('the database itself goes back to that second', async () => {
  await bench.go('database/backups/pitr')
  await page.getByLabel('Day', { exact: true }).fill('2020-01-31')
  await page.getByText(/^Too early: the earliest moment is/).waitFor()
  await expect.poll(() => button('Review restore').getAttribute('aria-disabled')).toBe('true')
  await eyes.look('pitr-03-too-early')
  await chooseMoment()
  // The archive follows the clock; the page asks for it again and again.
  const review = button('Review restore')
  await expect.poll(() => review.getAttribute('aria-disabled'), patient).toBe(null)
  await button(/^Time zone/).click()
  await page.getByPlaceholder('Search').fill('kathmandu')
  await page.keyboard.press('Enter')
  await page.getByText(`(+05:45)`).waitFor()
  await page.getByRole('definition').filter({ hasText: time() }).last().waitFor()
  await eyes.look('pitr-04-moment')
  await narrow('pitr-05-moment-narrow')
  await review.click()
  await dialog().getByText(`${time()} UTC`).waitFor()
  await eyes.look('pitr-06-review')
  await confirmRestore(page)
  await reaches(bench.ada, bench.ref, ['ACTIVE_HEALTHY'], patient.timeout)
  expect(await orders(bench)).toEqual(['bread', 'salt', 'tea'])
})

step('who may only read sees backups and can change nothing', async () => {
  const rita = await newPerson(bench.platform, 'rita')
  await join(bench.platform, bench.slug, bench.ada, rita, 'Read-only')
  const { page: hers, eyes: herEyes } = await openPage(bench.platform, { as: rita })
  const her = (name: string | RegExp) => hers.getByRole('button', { name, exact: true })
  const isOff = (name: string) => her(name).getAttribute('aria-disabled')
  const go = (to: string) =>
    hers.goto(`${bench.platform.url}/project/${bench.ref}/database/backups/${to}`)
  await go('scheduled')
  await hers.getByText('Before a restore').last().waitFor()
  expect(await isOff('Back up now')).toBe('true')
  await her(/^Actions for the backup/)
    .first()
    .click()
  for (const name of [/^Restore /, /^Download/, /^Restore to a new project/])
    expect(
      await hers.getByRole('menuitem', { name }).first().getAttribute('aria-disabled'),
      `${name}`,
    ).toBe('true')
  await herEyes.look('pitr-07-read-only')
  await go('pitr')
  await hers.getByText('How far back').waitFor()
  expect(await isOff('Switch off')).toBe('true')
  expect(await isOff('Review restore')).toBe('true')
  expect(herEyes.errors).toEqual([])
})

step('recovery goes on with other days, and is switched off', async () => {
  await bench.go('database/backups/pitr')
  await page
    .locator('label')
    .filter({ hasText: /^7 days/ })
    .click()
  await button('Change retention').click()
  await dialog().getByText('What is older than 7 days cannot be restored any more').waitFor()
  await dialog().getByRole('button', { name: 'Change retention' }).click()
  await page.getByText('The retention is changed').waitFor()
  await expect.poll(() => page.getByLabel(/^7 days/).isChecked()).toBe(true)
  await button('Switch off').click()
  await dialog().getByText('The database restarts').waitFor()
  await eyes.look('pitr-08-switch-off')
  await dialog().getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('cannot reach back before that').waitFor()
  await reaches(bench.ada, bench.ref, ['ACTIVE_HEALTHY'])
  expect(await orders(bench)).toEqual(['bread', 'salt', 'tea'])
})
