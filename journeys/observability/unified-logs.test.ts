import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { asOperator } from '../testing/operator.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** A failing call of a function that hits a failing statement is found by one ID in the list of all logs. */
let bench: Workbench
let page: Page
let eyes: Eyes
/** What the caller was told: the ID of the request. */
let requestId: string
const preview = 'supabase-ui-preview-unified-logs'

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_pro',
    size: 'micro',
    sql: `create table orders (id int primary key, note text);
      create function checkout() returns void language plpgsql as
        $$ begin raise exception 'the till is closed' using errcode = '22012'; end $$`,
  })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const grid = () => page.getByRole('grid')
const rows = () => grid().locator('[role="row"][data-at]')
const row = (words: string | RegExp) => rows().filter({ hasText: words })
const panel = () => page.locator('aside.panel')
const search = () => page.getByRole('searchbox')
const facets = () => page.getByRole('region', { name: 'Filters' })
const facet = (name: string) => facets().getByRole('group', { name, exact: true })
const value = (of: string, name: string) =>
  facet(of).locator('.log-facet-value').filter({ hasText: name })
/** When the answers to the newest question are there: until then those of the one before are faint. */
async function look(name: string): Promise<void> {
  await expect.poll(() => page.locator('.is-stale').count()).toBe(0)
  await eyes.look(name)
}
const params = () => new URL(page.url()).searchParams

async function setTier(tier: string): Promise<void> {
  const { ada, slug } = bench
  const path = `/platform/organizations/${slug}/billing/subscription`
  const { status, body } = await ada.call('PUT', path, { tier })
  expect(status, JSON.stringify(body)).toBe(200)
}

const step = story('all logs in one list')

step('without the preview Logs leads to a source, and below Team it is not offered', async () => {
  await bench.go('logs')
  await page.getByRole('heading', { name: 'API gateway', exact: true }).waitFor()
  await asOperator(bench.platform, 'PUT', 'flags/unifiedLogsPreview', { on: true })
  await page.evaluate((key) => localStorage.setItem(key, 'true'), preview)
  await bench.go('logs')
  await page.getByRole('heading', { name: 'API gateway', exact: true }).waitFor()
  const nav = page.getByRole('complementary', { name: 'Logs' })
  expect(await nav.getByRole('link', { name: 'All logs' }).count()).toBe(0)
  // What the address opens stays open on the way to the source.
  await bench.go(`logs?featurePreviewModal=${preview}`)
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/logs\/edge-logs$/)
  expect(params().get('featurePreviewModal')).toBe(preview)
  await page.keyboard.press('Escape')
  await setTier('tier_team')
  await page.evaluate((key) => localStorage.setItem(key, 'false'), preview)
})

step('switched on, Logs is one list', async () => {
  await bench.go(`auth/users?featurePreviewModal=${preview}`)
  await button('Enable feature').click()
  await button('Disable feature').waitFor()
  await page.keyboard.press('Escape')
  await bench.go('logs')
  await page.getByRole('heading', { name: 'All logs', exact: true }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^All logs · Logs · Shop/)
})

step(
  'one ID finds the entries of a failing call, and its trace goes through all services',
  async () => {
    const { ref, project, ada } = bench
    // It does nothing for its logs to be found by the ID of its request.
    const content = `Deno.serve(async () => {
    console.log('checking out')
    const answer = await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/rpc/checkout', {
      method: 'POST',
      headers: { apikey: Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '' },
    })
    return new Response(await answer.text(), { status: answer.ok ? 200 : 500 })
  })`
    const made = await ada.call('POST', `/platform/projects/${ref}/functions/checkout/versions`, {
      files: [{ path: 'index.ts', content }],
      verify_jwt: false,
    })
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
    let answer = new Response()
    await expect
      .poll(async () => {
        answer = await fetch(`${project.endpoint}/functions/v1/checkout`)
        return answer.text()
      })
      .toContain('the till is closed')
    expect(answer.status).toBe(500)
    requestId = answer.headers.get('x-request-id') ?? ''
    expect(requestId).toMatch(/^[\da-f-]{36}$/)

    await search().fill(requestId)
    await button('Live').click()
    await row('the till is closed').waitFor()
    await row('/functions/v1/checkout').waitFor()
    await row('/rest/v1/rpc/checkout').waitFor()
    await row('checking out').waitFor()
    await expect.poll(() => rows().count()).toBe(5)
    await button('Live').click()
    await look('unified-01-found')

    await row('the till is closed').click()
    await panel().getByRole('tab', { name: 'Request' }).click()
    const trace = panel().locator('.log-trace li')
    await expect.poll(() => trace.count()).toBe(5)
    const told = await trace.allInnerTexts()
    for (const words of [
      /API gateway[^]*\/functions\/v1\/checkout 500/,
      /Edge Function calls[^]*500/,
      /Edge Function output[^]*checking out/,
      /API gateway[^]*POST \/rest\/v1\/rpc\/checkout/,
      /Postgres[^]*the till is closed/,
    ])
      expect(told.filter((text) => words.test(text))).toHaveLength(1)
    await look('unified-02-trace')
    // Another entry of the request is opened in the same list.
    await trace.filter({ hasText: 'Edge Function calls' }).getByRole('link').click()
    await expect.poll(() => params().get('view')).toBe('request')
    await panel().locator('.log-elsewhere').getByText('Edge Function calls').waitFor()
    expect(params().get('q')).toBe(requestId)
    await panel().getByRole('link', { name: 'Open in its own page' }).click()
    await page.getByRole('heading', { name: 'Edge Function calls', exact: true }).waitFor()
    await rows().and(page.locator('[aria-selected="true"]')).waitFor()
  },
)

step('a sign-up that the database refuses is found by its ID, too', async () => {
  const { endpoint, anonKey } = bench.project
  await bench.sql(`create function full_house() returns trigger language plpgsql as
      $$ begin raise exception 'the house is full'; end $$;
    create trigger full_house before insert on auth.users
      for each row execute function full_house()`)
  const answer = await fetch(`${endpoint}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'late@example.com', password: 'a long password 1' }),
  })
  expect(answer.status).toBe(500)
  await bench.go(`logs?q=${answer.headers.get('x-request-id') ?? ''}`)
  await button('Live').click()
  await row('the house is full').waitFor()
  await row('/auth/v1/signup').first().waitFor()
  await button('Live').click()
})

step('values of fields are counted and narrow the list', async () => {
  const { endpoint, serviceKey } = bench.project
  for (const path of ['orders', 'orders', 'nothing'])
    await fetch(`${endpoint}/rest/v1/${path}`, { headers: { apikey: serviceKey } })
  await bench.go('logs?filter=path:contains:%2Frest%2Fv1%2F')
  await expect
    .poll(async () => {
      await button('Refresh').click()
      return row('/rest/v1/nothing').count()
    })
    .toBe(1)
  await value('Status', '200').getByText('2', { exact: true }).waitFor()
  await value('Source', 'API gateway').waitFor()
  await value('Path', '/rest/v1/orders').getByText('2', { exact: true }).waitFor()
  // A click asks once for entries, once for the chart and once for all counts.
  const asked: string[] = []
  page.on('request', (one) => {
    const name = /\/logs\/(page|histogram|facets)$/.exec(new URL(one.url()).pathname)?.[1]
    if (name) asked.push(name)
  })
  await value('Status', '404').getByRole('checkbox').check({ force: true })
  await row('/rest/v1/orders').first().waitFor({ state: 'detached' })
  await expect.poll(() => rows().count()).toBe(1)
  await expect.poll(() => asked.toSorted()).toEqual(['facets', 'histogram', 'page'])
  // The values of the field itself stay, with how many there would be.
  await value('Status', '200').getByText('2', { exact: true }).waitFor()
  await expect.poll(() => value('Path', '/rest/v1/orders').count()).toBe(0)
  await value('Status', '200').getByRole('checkbox').check({ force: true })
  await expect.poll(() => row('/rest/v1/orders').count()).toBe(2)
  expect(params().getAll('filter')).toEqual(['path:contains:%2Frest%2Fv1%2F', 'status:is:404,200'])
  await look('unified-03-facets')
  await page.reload()
  await expect.poll(() => rows().count()).toBe(3)
  await button('Clear status').click()
  await expect.poll(() => params().getAll('filter')).toEqual(['path:contains:%2Frest%2Fv1%2F'])
})

step('values that occur most often are suggested, and chosen by keys', async () => {
  await bench.go('logs/edge-logs')
  await row('/rest/v1/nothing').waitFor()
  await button('Add filter').click()
  await button(/^Field:/).click()
  await page.getByRole('option', { name: /^Request ID/ }).click()
  await page.getByLabel('Value').waitFor()
  const common = page.getByRole('group', { name: 'Suggestions' })
  expect(await common.count()).toBe(0)
  await button(/^Field:/).click()
  await page.getByRole('option', { name: /^Path/ }).click()
  const orders = common.getByRole('button', { name: '/rest/v1/orders 2' })
  await orders.waitFor()
  await eyes.look('unified-03-suggested')
  await common.getByRole('button', { name: '/rest/v1/nothing 1' }).focus()
  await page.keyboard.press('Space')
  await orders.focus()
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Value').inputValue()).toBe('/rest/v1/nothing, /rest/v1/orders')
  expect(await orders.getAttribute('aria-pressed')).toBe('true')
  // Chosen once more it is not chosen any more.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.getByLabel('Value').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rows().count()).toBe(1)
  await row('/rest/v1/nothing').waitFor()
  // What is suggested for a filter that is there is not narrowed by it.
  await button('Change the filter on Path: is /rest/v1/nothing').click()
  await orders.waitFor()
  await page.keyboard.press('Escape')
})

step('keys open an entry and close it, and the explorer has the same question', async () => {
  await bench.go('logs?filter=path:contains:%2Frest%2Fv1%2F')
  await rows().first().waitFor()
  await grid().focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await panel().waitFor()
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Open in explorer' }).click()
  await page.getByRole('heading', { name: 'Logs explorer' }).waitFor()
  await page.getByRole('table', { name: 'Results' }).getByText('/rest/v1/nothing').first().waitFor()
  expect(params().get('dialect')).toBe('columns')
})

step('the chart narrows the time, and the range is bounded by the plan', async () => {
  await bench.go('logs')
  await page.locator('.log-bars a').last().click()
  await expect.poll(() => Date.parse(params().get('to') ?? '')).toBeGreaterThan(0)
  await button(/^Time range/).click()
  const week = page.getByRole('option', { name: /Last 7 days/ })
  await week.waitFor()
  expect(await week.getAttribute('aria-disabled')).not.toBe('true')
  await page.keyboard.press('Escape')
})

step('on a phone the counts are behind a button, and an entry is a sheet', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await bench.go(`logs?q=${requestId}`)
  await row('the till is closed').waitFor()
  expect(await facets().count()).toBe(0)
  await button('Filters').click()
  await page.getByRole('group', { name: 'Source', exact: true }).waitFor()
  await look('unified-04-narrow-filters')
  await page.keyboard.press('Escape')
  await row('the till is closed').click()
  await page.getByRole('dialog').getByText('the till is closed').first().waitFor()
  await look('unified-05-narrow-entry')
  await button('Close').click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('programs read the same call in the figures of its function', async () => {
  const { ada, ref } = bench
  const { body: functions } = await ada.call('GET', `/v1/projects/${ref}/functions`)
  const [{ id = '' } = {}] = Object.values(functions) as { id?: string }[]
  const base = `/v1/projects/${ref}/analytics/endpoints`
  const figures = async (name: string) =>
    (await ada.call('GET', `${base}/${name}`)).body['result'] as Record<string, number>[]
  const sum = (of: Record<string, number>[], name: string) =>
    of.reduce((total, one) => total + (one[name] ?? 0), 0)
  const stats = `functions.combined-stats?interval=1hr&function_id=${id}`
  await expect.poll(async () => sum(await figures(stats), 'server_err_count')).toBeGreaterThan(0)
  const found = await figures(stats)
  expect(sum(found, 'log_info_count')).toBeGreaterThan(0)
  expect(sum(found, 'requests_count')).toBe(sum(found, 'server_err_count'))
  expect(Math.max(...found.map(({ avg_execution_time: ms = 0 }) => ms))).toBeGreaterThan(0)
  await expect
    .poll(async () => sum(await figures('usage.api-counts?interval=1hr'), 'total_rest_requests'), {
      timeout: 60_000,
    })
    .toBeGreaterThan(3)
  expect((await ada.call('GET', `${base}/usage.api-counts?interval=1min`)).status).toBe(400)
  expect(eyes.errors).toEqual([])
})
