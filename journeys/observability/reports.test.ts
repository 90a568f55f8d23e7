import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** What was really asked of a project is what its reports say: drawn, as a table and as files. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_pro',
    sql: 'create table orders (id int primary key, note text)',
  })
  ;({ page, eyes } = bench)
})

const chart = (key: string) => page.locator(`[data-chart="${key}"]`)
const tool = (key: string, name: string) => chart(key).getByRole('button', { name, exact: true })
const refresh = () => page.getByRole('button', { name: 'Refresh', exact: true }).click()
/** Every chart shows what was asked for last. */
const look = async (name: string) => {
  await expect.poll(() => page.locator('.report-chart.is-stale, .report-skeleton').count()).toBe(0)
  await eyes.look(name)
}
/** Services hand over what they have counted every half minute; the log is there at once. */
const soon = { timeout: 90_000, interval: 1000 }
async function saved(key: string, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), tool(key, name).click()])
  return readFile(await download.path())
}
const cells = (key: string, text: string) =>
  chart(key).locator('tbody tr').filter({ hasText: text }).locator('td').allInnerTexts()

async function rest(path: string): Promise<number> {
  const { endpoint, serviceKey } = bench.project
  return (await fetch(`${endpoint}/rest/v1/${path}`, { headers: { apikey: serviceKey } })).status
}

const step = story('what a project is asked, in its reports')

step('what is no report is not found, and the list leads to each', async () => {
  await bench.go('reports/nothing')
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
  await bench.go('reports')
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Query performance/ })
    .waitFor()
  await eyes.look('reports-00-list')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Realtime/ })
    .click()
  await page.getByRole('heading', { name: 'Realtime report' }).waitFor()
  await chart('realtime_messages').getByText('Nothing in this time range').waitFor()
  await look('reports-01-nothing')
})

step('calls that were made are in the API report, number by number', async () => {
  for (let call = 0; call < 5; call++) expect(await rest('orders')).toBe(200)
  for (let call = 0; call < 2; call++) expect(await rest('nothing')).toBe(404)
  await bench.go('reports/api')
  await page.getByRole('button', { name: 'REST', exact: true }).click()
  await expect
    .poll(async () => {
      await refresh()
      await chart('api_top_paths').locator('tbody').waitFor()
      return (await cells('api_top_paths', '/rest/v1/orders'))[2]
    }, soon)
    .toBe('5')
  await expect
    .poll(async () => (await cells('api_failing_paths', '/rest/v1/nothing')).slice(0, 4), soon)
    .toEqual(['GET', '/rest/v1/nothing', '2', '2'])
  await chart('api_errors').getByText('2 in total').waitFor()
  await expect
    .poll(async () => {
      await refresh()
      await chart('api_requests').locator('.report-figure, .empty').waitFor()
      return chart('api_requests').locator('.report-figure, .empty').innerText()
    }, soon)
    .toMatch(/^7 in total/)
  expect(new URL(page.url()).searchParams.get('service')).toContain('rest')
  await look('reports-02-api')
})

step('a chart has a table, by keyboard, and is saved as a file and as a picture', async () => {
  await tool('api_requests', 'Show as table').focus()
  await page.keyboard.press('Enter')
  const table = chart('api_requests').getByRole('region', { name: 'Total requests: table' })
  await table.waitFor()
  const counts = (await table.locator('tbody td.num').allInnerTexts()).map(Number)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(7)
  await look('reports-03-table')
  const [head = '', ...lines] = (await saved('api_requests', 'Download CSV'))
    .toString()
    .trim()
    .split('\r\n')
  expect(head).toBe('Time,REST')
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[1]), 0)).toBe(7)
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00.000Z,\d+$/)
  await tool('api_requests', 'Show as table').click()
  const picture = await saved('api_requests', 'Save as picture')
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect(picture.length).toBeGreaterThan(3000)
})

step('the time before is drawn beside, and the address has it all', async () => {
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await chart('api_requests').locator('.u-legend').getByText('Before').waitFor()
  await page.getByRole('button', { name: /^Interval/ }).click()
  await page.getByRole('option', { name: '5 minutes', exact: true }).click()
  await page.reload()
  await chart('api_requests').getByText('7 in total').waitFor()
  await chart('api_requests').locator('.u-legend').getByText('Before').waitFor()
  const address = new URL(page.url())
  expect(address.searchParams.get('interval')).toBe('5m')
  await look('reports-04-compare')
})

step('what cannot be loaded says so, and is asked for again', async () => {
  const path = '**/reports/charts/api_errors**'
  await page.route(path, (route) => route.abort())
  await page.reload()
  const again = chart('api_errors').getByRole('button', { name: /again|Retry/ })
  await again.waitFor({ timeout: 60_000 })
  await page.unroute(path)
  await again.click()
  await chart('api_errors').getByText('2 in total').waitFor()
})

step(
  'what is beyond the plan is not offered, and a link that asks for it says which plan has it',
  async () => {
    const from = new Date(Date.now() - 20 * 86_400_000).toISOString()
    const to = new Date(Date.now() - 19 * 86_400_000).toISOString()
    await bench.go(`reports/api?from=${from}&to=${to}`)
    await chart('api_requests').getByText('Not kept for that long').waitFor()
    await chart('api_requests')
      .getByText(/The Team plan keeps them for 28 days/)
      .waitFor()
    await chart('api_requests').getByRole('button', { name: 'Show the last hour' }).click()
    await chart('api_requests').getByText('7 in total').waitFor()
  },
)

step('the database report has what its server uses', async () => {
  await bench.go('reports/database')
  await chart('database_largest_tables').locator('tbody').getByText('public.orders').waitFor()
  await expect
    .poll(async () => {
      await refresh()
      await chart('database_memory').locator('.report-figure, .empty').waitFor()
      return chart('database_memory').locator('.report-figure, .empty').innerText()
    }, soon)
    .toMatch(/^\d+(\.\d)? MB at most/)
  await look('reports-05-database')
})

step(
  'statements have their page among the reports, and the figures are scraped by whoever has a secret key',
  async () => {
    await bench.go('reports/query-performance')
    await page.getByRole('heading', { name: 'Query performance', level: 1 }).waitFor()
    const { endpoint, serviceKey } = bench.project
    const scrape = (user: string) =>
      fetch(`${endpoint}/customer/v1/privileged/metrics`, {
        headers: {
          authorization: `Basic ${Buffer.from(`${user}:${serviceKey}`).toString('base64')}`,
          'user-agent': 'scraper',
        },
      })
    expect((await scrape('somebody')).status).toBe(401)
    const response = await scrape('service_role')
    const text = await response.text()
    expect([response.status, /^pg_up\{.*\} (\d)$/m.exec(text)?.[1]]).toEqual([200, '1'])
    expect(/^plinth_requests_total\{.*service="rest"\} (\d+)$/m.exec(text)?.[1]).toBe('7')
    expect(Number(/^node_cpu_seconds_total\{.*\} (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0)
  },
)

step('a chart leads to its entries, and all of it fits a narrow screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await bench.go('reports/api?service=rest')
  await chart('api_requests').getByText('7 in total').waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await look('reports-06-narrow')
  await page.getByRole('link', { name: 'Open logs: Response errors' }).click()
  await page.getByRole('heading', { name: 'API gateway' }).waitFor()
  // The browser tells of what was refused, and of what could not be loaded, which was wanted above.
  const expected = /status of 403|net::ERR_FAILED/
  expect(eyes.errors.filter((line) => !expected.test(line))).toEqual([])
})
