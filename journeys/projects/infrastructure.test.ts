import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { anotherMinor, olderVersion } from '#compute/testing/other-programs'
import { locateBinaries } from '#kit/postgres/binaries'
import { openPage, type Eyes } from '../testing/browser.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Account,
  type Project,
} from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newHome, startPlatform } from '../testing/platform.ts'
import { story } from '../testing/story.ts'

/** A newer PostgreSQL is installed below a project that runs. */
let page: Page
let eyes: Eyes
let ada: Account
let ref: string
let project: Project
let installed: string
const version = () => runSql(ada, ref, `select current_setting('server_version') as version`)
const chart = (key: string) => page.locator(`[data-chart="${key}"]`)
/** Every chart shows what was asked for last. */
const drawn = () =>
  expect.poll(() => page.locator('.report-chart.is-stale, .report-skeleton').count()).toBe(0)
const look = async (name: string, shown?: string) => {
  const show = () => (shown ? page.getByText(shown).first().scrollIntoViewIfNeeded() : undefined)
  await drawn()
  await show()
  await eyes.look(name)
  await page.setViewportSize({ width: 390, height: 844 })
  await show()
  await eyes.look(`${name}-narrow`)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

beforeAll(async () => {
  installed = (await locateBinaries()).version
  const home = await newHome()
  const older = await anotherMinor(join(home, 'older'), olderVersion)
  const first = await startPlatform({ home, environment: { PLINTH_POSTGRES_DIR: older } })
  const { ports } = first
  ada = await signUp(first.url, 'ada@example.com')
  const slug = await createOrganization(ada, 'Acme')
  project = await createProject(ada, slug, 'Books')
  ;({ ref } = project)
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await runSql(ada, ref, "create table book (title text); insert into book values ('Dune')")
  await first.stop()
  const platform = await startPlatform({ home, ports })
  atEnd(() => platform.dispose())
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  ;({ page, eyes } = await openPage(platform, { as: ada }))
  await page.goto(`${platform.url}/project/${ref}/settings/infrastructure`)
})

const step = story('a project moves to a newer version of Postgres')

step('it goes on with what it ran on, and says what is installed', async () => {
  await page.getByText(`PostgreSQL ${installed} is installed`).waitFor()
  await expect.poll(version).toEqual([{ version: olderVersion }])
  await look('infrastructure-00-available')
})

step('an hour of the week is chosen and kept, by keyboard', async () => {
  const save = page.getByRole('button', { name: 'Save', exact: true })
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: /^Day/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Sunday' }).click()
  await page.getByRole('button', { name: /^Hour/ }).waitFor()
  await save.click()
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
  await page.reload()
  await page.getByText('03:00 UTC').waitFor()
  await page.getByText('Sunday').waitFor()
})

step(
  'upgraded it runs on the new one with what it had, and the page says for how long it was away',
  async () => {
    await page.getByRole('button', { name: `Upgrade to ${installed}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The database restarts once').waitFor()
    await look('infrastructure-01-confirm')
    await dialog.getByRole('button', { name: `Upgrade to ${installed}` }).click()
    await page
      .getByText(`Changed from ${olderVersion} to ${installed}`)
      .waitFor({ timeout: 60_000 })
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    await expect.poll(version).toEqual([{ version: installed }])
    expect(await runSql(ada, ref, 'select title from book')).toEqual([{ title: 'Dune' }])
    await page.getByText('This is the version that the installation has.').waitFor()
    await look('infrastructure-02-upgraded')
    expect(eyes.errors).toEqual([])
  },
)

const row = (text: string) => page.getByRole('row').filter({ hasText: text })
/** Connections with which the data API answers its secret key. */
const connections = async () =>
  (
    (await runSql(
      ada,
      ref,
      `select pid from pg_stat_activity where usename = 'authenticator_service_role'`,
    )) as { pid: number }[]
  ).map(({ pid }) => pid)
const books = async () =>
  (await fetch(`${project.endpoint}/rest/v1/book`, { headers: { apikey: project.serviceKey } }))
    .status

step('a service is restarted alone, after it was said what that cuts off', async () => {
  await row('The Postgres server behind').getByText(`PostgreSQL ${installed}`).waitFor()
  for (const note of ['A part of the Data API', 'Keeps nothing between requests'])
    expect(await row(note).getByRole('button').count(), note).toBe(0)
  await look('infrastructure-02-services', 'Connection pooler')
  await expect.poll(books).toBe(200)
  const before = await connections()
  expect(before.length).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Restart Data API' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Restart Data API' })
  await dialog.getByText('Running requests have 5 seconds to finish').waitFor()
  await look('infrastructure-02-restart')
  await dialog.getByRole('button', { name: 'Restart', exact: true }).click()
  await row('Tables, views and functions').getByText('just now').waitFor()
  await expect
    .poll(async () => (await connections()).filter((pid) => before.includes(pid)))
    .toEqual([])
  expect(await books()).toBe(200)
})

step('what cannot be reached is said, and asked for again', async () => {
  await page.route('**/upgrade', (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/upgrade')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This is the version that the installation has.').waitFor()
})

/** The server is looked at once a minute. */
const measured = { timeout: 150_000, interval: 2000 }

step('what the server uses is drawn over time, measured on this very server', async () => {
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await drawn()
      return chart('database_memory').locator('.report-figure, .empty').innerText()
    }, measured)
    .toMatch(/^[\d.]+ MB at most$/)
  await chart('database_connections')
    .getByText(/^\d+ at most$/)
    .waitFor()
  await chart('database_size')
    .getByText(/MB at most$/)
    .waitFor()
  const drawings = ['database_memory', 'database_size', 'database_connections']
  for (const key of drawings) await chart(key).locator('canvas').waitFor()
  await look('infrastructure-03-charts', 'Database connections')
})

step(
  'another time is chosen by keyboard, stays in the address, and goes along to the report',
  async () => {
    const range = page.getByRole('button', { name: /^Time range/ })
    await range.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Last 24 hours' }).click()
    await page.getByRole('button', { name: 'Time range: Last 24 hours' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Time range: Last 24 hours' }).waitFor()
    await chart('database_memory')
      .getByText(/MB at most$/)
      .waitFor()
    await page.getByRole('link', { name: 'Open in reports' }).click()
    await page.getByRole('heading', { name: 'Database report' }).waitFor()
    expect(new URL(page.url()).searchParams.get('range')).toBe('24h')
    await chart('database_memory')
      .getByText(/MB at most$/)
      .waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Resources over time' }).waitFor()
  },
)

step('figures that cannot be loaded say so, and are asked for again', async () => {
  const path = '**/reports/charts/database_memory**'
  await page.route(path, (route) => route.abort())
  await page.reload()
  const again = chart('database_memory').getByRole('button', { name: 'Try again' })
  await again.waitFor({ timeout: 60_000 })
  await look('infrastructure-04-failed', 'Memory usage')
  await page.unroute(path)
  await again.click()
  await chart('database_memory')
    .getByText(/MB at most$/)
    .waitFor()
})

step('a paused project shows what its server used before', async () => {
  await ada.call('POST', `/platform/projects/${ref}/pause`)
  await reaches(ada, ref, ['INACTIVE'])
  await page.reload()
  await page.getByText('The database is not running: Paused').waitFor()
  const restart = page.getByRole('button', { name: 'Restart Auth' })
  expect(await restart.getAttribute('aria-disabled')).toBe('true')
  await chart('database_memory')
    .getByText(/MB at most$/)
    .waitFor()
  await look('infrastructure-05-paused')
})
