import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { reaches } from '../testing/client.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** What the services of a project write is found on the pages of logs: narrowed, followed, and by one request across all of them. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_free',
    size: 'nano',
    clipboard: true,
    sql: 'create table orders (id int primary key, note text)',
  })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const grid = () => page.getByRole('grid')
/** The rows that are drawn, without the head. */
const rows = () => grid().locator('[role="row"][data-at]')
const row = (words: string | RegExp) => rows().filter({ hasText: words })
/** Requests of this journey: the platform looks whether the project answers by requests of its own. */
const own = () => row(/\/rest\/v1\/(orders|nothing)/)
const panel = () => page.locator('aside.panel')
const search = () => page.getByRole('searchbox')
/** Adds the entries that have come since, as a person does who waits for something. */
async function follow(words: string | RegExp): Promise<void> {
  if ((await button('Live').getAttribute('aria-pressed')) !== 'true') await button('Live').click()
  await row(words).first().waitFor()
  await button('Live').click()
}

async function rest(method: string, path: string, body?: object): Promise<number> {
  const { endpoint, serviceKey } = bench.project
  const { status } = await fetch(`${endpoint}/rest/v1/${path}`, {
    method,
    headers: { apikey: serviceKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return status
}

/** The browser tells of each refusal, and of nothing else. */
const expectOnly = (status: number) =>
  expect(eyes.errors.splice(0).filter((line) => !line.includes(`status of ${status}`))).toEqual([])

const step = story('what a project writes, on its pages of logs')

step(
  'what is no source is not found, and one that is not here says what to use instead',
  async () => {
    await bench.go('logs/nothing')
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    await bench.go('logs/pgbouncer-logs')
    await page.getByText('This installation has no dedicated pooler.').waitFor()
    await eyes.look('logs-00-absent')
    await page.getByRole('link', { name: 'Open Postgres logs' }).click()
    await page.getByRole('heading', { name: 'Postgres', exact: true }).waitFor()
    await bench.go('logs/pgcron-logs')
    await page.getByRole('heading', { name: 'No cron jobs' }).waitFor()
    await page.getByText('pg_cron is not enabled in this database').waitFor()
    await eyes.look('logs-00-cron')
    await bench.go('logs/auth-audit-logs')
    await page.getByText('These logs are kept for 1 hour').waitFor()
  },
)

step('each request to the project is there, the newest first', async () => {
  expect(await rest('GET', 'orders')).toBe(200)
  expect(await rest('POST', 'orders', { id: 1 })).toBe(201)
  expect(await rest('POST', 'orders', { id: 1 })).toBe(409)
  expect(await rest('GET', 'nothing?select=secret')).toBe(404)
  await page
    .getByRole('complementary', { name: 'Logs' })
    .getByRole('link', { name: 'API gateway' })
    .click()
  await follow('/rest/v1/nothing')
  const shown = await own().allInnerTexts()
  expect(shown.map((text) => /^(?:404|409|201|200)$/m.exec(text)?.[0])).toEqual([
    '404',
    '409',
    '201',
    '200',
  ])
  await expect.poll(() => page.title()).toMatch(/^API gateway · Logs · Shop/)
  await eyes.look('logs-01-gateway')
})

step('the address has the filters, and a link shows others the same', async () => {
  await button('Status').click()
  await page.getByRole('option', { name: '4xx Client error' }).click()
  await row('/rest/v1/orders').and(row('201')).waitFor({ state: 'detached' })
  await expect.poll(() => own().count()).toBe(2)
  await page.keyboard.press('/')
  await page.keyboard.type('SECRET')
  await page.keyboard.press('Enter')
  await expect.poll(() => rows().count()).toBe(1)
  await row('/rest/v1/nothing').waitFor()
  await page.reload()
  await button('Status: 4xx Client error').waitFor()
  expect(await search().inputValue()).toBe('SECRET')
  await expect.poll(() => rows().count()).toBe(1)
  await button('Copy link').click()
  await button('Copied').waitFor()
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(link.searchParams.getAll('filter')).toEqual(['status:at_least:400', 'status:at_most:499'])
  expect(Date.parse(link.searchParams.get('to') ?? '')).toBeLessThanOrEqual(Date.now())
  await page.goto(link.href)
  await row('/rest/v1/nothing').waitFor()
  expect(await rows().count()).toBe(1)
})

step('any field can be a filter, and a pattern that is none says so', async () => {
  await bench.go('logs/edge-logs')
  await row('/rest/v1/nothing').waitFor()
  await button('Add filter').click()
  await button(/^Field:/).click()
  await page.getByRole('option', { name: /^Status/ }).click()
  await button(/^Condition:/).click()
  await page.getByRole('option', { name: 'is at least' }).click()
  await page.getByLabel('Value').fill('many')
  await page.getByText('This field holds numbers').waitFor()
  await page.getByLabel('Value').fill('409')
  await page.keyboard.press('Enter')
  await expect.poll(() => own().count()).toBe(1)
  await row('409').waitFor()
  await eyes.look('logs-02-filters')
  await button('Remove the filter on Status').click()
  await row('/rest/v1/nothing').waitFor()
  await button('Use a regular expression').click()
  await search().fill('^/rest/v1/(orders|nothing)$')
  await expect.poll(() => own().count()).toBe(4)
  await search().fill('orders(')
  await page.getByText('Could not load entries').waitFor()
  // The browser tells of each refusal: that of the entries, and that of the chart.
  await expect.poll(() => eyes.errors.length).toBe(2)
  expectOnly(400)
})

step('one request is followed across the sources by its ID', async () => {
  await bench.go('logs/postgres-logs')
  await follow('duplicate key value')
  await bench.go('logs/edge-logs')
  await row('409').click()
  await panel().getByText('/rest/v1/orders', { exact: true }).waitFor()
  await eyes.look('logs-03-entry')
  await panel().getByRole('tab', { name: 'Request' }).click()
  await panel()
    .getByRole('link', { name: /API gateway/ })
    .waitFor()
  const server = panel().getByRole('link', { name: /Postgres/ })
  await server.filter({ hasText: 'duplicate key value' }).waitFor()
  await eyes.look('logs-04-request')
  await server.click()
  await page.getByRole('heading', { name: 'Postgres', exact: true }).waitFor()
  await row('duplicate key value').and(page.locator('[aria-selected="true"]')).waitFor()
  await panel().getByRole('tab', { name: 'Raw JSON' }).click()
  await panel().getByText('"parsed.sql_state_code": "23505"').waitFor()
  await page.reload()
  await panel().getByText('"parsed.sql_state_code": "23505"').waitFor()
})

step('a value of an entry becomes a filter', async () => {
  await bench.go('logs/edge-logs')
  await row('409').click()
  await panel().getByText('Method', { exact: true }).hover()
  await button('Without this method').click()
  await button('Change the filter on Method: is not POST').waitFor()
  await row('409').waitFor({ state: 'detached' })
  await row('/rest/v1/nothing').waitFor()
})

step('keys move through the entries, open one and close it', async () => {
  await bench.go('logs/edge-logs')
  await row('/rest/v1/nothing').waitFor()
  await grid().focus()
  const opened = () => rows().and(page.locator('[aria-selected="true"]')).getAttribute('data-at')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await panel().waitFor()
  expect(await opened()).toBe('1')
  await page.keyboard.press('ArrowDown')
  await expect.poll(opened).toBe('2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  expect(await grid().evaluate((element) => element === document.activeElement)).toBe(true)
})

step('the chart narrows the time, by pointer and by keys', async () => {
  const bars = page.locator('.log-bars a')
  const boxOf = async (at: number) => {
    const box = await bars.nth(at).boundingBox()
    if (!box) throw new Error('there is no such bar')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const count = await bars.count()
  const [from, to] = [await boxOf(count - 20), await boxOf(count - 1)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
  const range = () => {
    const { searchParams } = new URL(page.url())
    return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')
  }
  await expect.poll(range).toBeGreaterThan(15 * 60_000)
  expect(range()).toBeLessThan(21 * 60_000)
  await row('/rest/v1/nothing').waitFor()
  await page.locator('.log-plot:not(.is-stale)').waitFor()
  const before = range()
  await bars.last().focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.locator('.log-bars .is-marked').nth(2).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(range).toBeLessThan(before / 10)
  await page.keyboard.press('Escape')
})

step(
  'what the plan does not keep is not offered, and refused with the plan that does',
  async () => {
    await button(/^Time range/).click()
    const days = page.getByRole('option', { name: /^Last 3 days/ })
    await days.getByText('The Pro plan keeps these logs for 7 days').waitFor()
    expect(await days.getAttribute('aria-disabled')).toBe('true')
    await eyes.look('logs-05-ranges')
    await page.keyboard.press('Escape')
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    await bench.go(`logs/edge-logs?from=${daysAgo(5)}&to=${daysAgo(4)}`)
    await page.getByRole('heading', { name: 'Not kept for that long' }).waitFor()
    await page.getByText('The Pro plan keeps them for 7 days').first().waitFor()
    await eyes.look('logs-06-not-kept')
    expectOnly(403)
    await button('Show the last hour').click()
    await row('/rest/v1/nothing').waitFor()
  },
)

step('who looks at older entries is told of new ones, and is not moved', async () => {
  for (let at = 0; at < 12; at += 1)
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => rest('GET', `orders?id=eq.${at * 10 + i}`)),
    )
  // The platform's own looks at the project are no part of this.
  await bench.go('logs/edge-logs?q=orders')
  await follow('id=eq.119')
  await button('Live').click()
  const list = page.locator('.log-list')
  await list.evaluate((element) => element.scrollTo({ top: 1400 }))
  // Fifty rows are above, of which twenty are drawn.
  await expect.poll(() => rows().first().getAttribute('data-at')).toBe('30')
  const seen = await rows().first().innerText()
  await rest('GET', 'orders?note=eq.new')
  await button('1 new entry').waitFor()
  expect(await rows().first().innerText()).toBe(seen)
  await eyes.look('logs-07-new')
  await button('1 new entry').click()
  await row('note=eq.new').waitFor()
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(0)
  await button('Live').click()
  // The end of the first page is near: the next has come by itself.
  await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await page.getByText('No older entries in this time range').waitFor()
})

step('who follows a log is told when it cannot be read, and goes on when it can', async () => {
  const busy = 'Too many log searches are running. Try again in a few seconds'
  await bench.go('logs/edge-logs?q=orders')
  await row('note=eq.new').waitFor()
  let isBusy = true
  await page.route('**/logs/page', (route) =>
    isBusy && route.request().postDataJSON().direction === 'newer'
      ? route.fulfill({ status: 429, json: { message: busy, code: 'logs_busy', requestId: '1' } })
      : route.continue(),
  )
  await button('Live').click()
  await page.getByText(`Could not read new entries. ${busy}`).waitFor()
  isBusy = false
  await rest('GET', 'orders?note=eq.later')
  await row('note=eq.later').waitFor()
  await page.getByText('Could not read new entries').waitFor({ state: 'detached' })
  await button('Live').click()
  await page.unrouteAll({ behavior: 'wait' })
  expectOnly(429)
})

step('nothing found says how to find more', async () => {
  await bench.go('logs/edge-logs?range=15m&q=nowhere')
  await page.getByRole('heading', { name: 'No entries found' }).waitFor()
  await eyes.look('logs-08-nothing')
  await button('Show the last hour').click()
  await page.getByRole('heading', { name: 'No entries found' }).waitFor()
  await button('Clear filters').click()
  await row('note=eq.new').waitFor()
})

step('the pages of a function show what is its own', async () => {
  const made = await bench.ada.call(
    'POST',
    `/platform/projects/${bench.ref}/functions/hello/versions`,
    {
      files: [
        {
          path: 'index.ts',
          content: "Deno.serve(() => { console.error('it ran'); return new Response('hi') })",
        },
      ],
      verify_jwt: false,
    },
  )
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
  await expect
    .poll(async () => (await fetch(`${bench.project.endpoint}/functions/v1/hello`)).status)
    .toBe(200)
  await bench.go('functions/hello/logs')
  await follow('it ran')
  await eyes.look('logs-09-function')
  await page
    .getByRole('navigation', { name: 'Pages of the function' })
    .getByRole('link', { name: 'Invocations' })
    .click()
  await follow('/hello')
})

step('areas and the command menu lead to their logs, and Logs to the last one', async () => {
  await bench.go('auth/users')
  await page
    .getByRole('complementary', { name: 'Authentication' })
    .getByRole('link', { name: 'Logs', exact: true })
    .click()
  await page.getByRole('heading', { name: 'Auth', exact: true }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('option', { name: 'Logs: storage' }).click()
  await page.getByRole('heading', { name: 'Storage', exact: true }).waitFor()
  await bench.go('logs')
  await page.getByRole('heading', { name: 'Storage', exact: true }).waitFor()
})

step('on a phone the sources are a choice and an entry is a sheet', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await bench.go('logs/edge-logs')
  await row('note=eq.new').waitFor()
  await eyes.look('logs-10-narrow')
  await row('note=eq.new').click()
  await page.getByRole('dialog').getByText('/rest/v1/orders', { exact: true }).waitFor()
  await eyes.look('logs-11-narrow-entry')
  await button('Close').click()
  await button(/^Logs: API gateway/).click()
  await page.getByRole('option', { name: 'Postgres', exact: true }).click()
  await row('duplicate key value').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('without an engine the page says what is missing', async () => {
  await page.route('**/projects/*/logs', async (route) => {
    const answer = await route.fetch()
    const about: object = await answer.json()
    await route.fulfill({ json: { ...about, engine: false } })
  })
  await bench.go('logs/edge-logs')
  await page.getByRole('heading', { name: 'Logs cannot be searched here' }).waitFor()
  await eyes.look('logs-12-no-engine')
  await page.unroute('**/projects/*/logs')
})

step('a project that is paused shows what it wrote before', async () => {
  await bench.ada.call('POST', `/platform/projects/${bench.ref}/pause`)
  await reaches(bench.ada, bench.ref, ['INACTIVE'])
  await bench.go('logs/edge-logs')
  await page.getByText('The database is not running').waitFor()
  await row('note=eq.new').waitFor()
  await eyes.look('logs-13-paused')
  expect(eyes.errors).toEqual([])
})
