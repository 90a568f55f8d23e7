import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** Logs are asked in SQL: written with help, run, read as rows, as a chart and as a file, and found again. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_free',
    size: 'nano',
    sql: 'create table orders (id int primary key, note text)',
  })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const editor = () => page.getByRole('textbox', { name: 'Query' })
const lines = () => page.locator('.view-lines')
const table = () => page.getByRole('table', { name: 'Results' })
const row = (words: string | RegExp) => table().locator('tbody tr').filter({ hasText: words })
const nav = () => page.getByRole('complementary', { name: 'Logs' })

/** Puts a text in the place of the query, as from the clipboard. */
async function write(sql: string): Promise<void> {
  await editor().focus()
  await page.keyboard.press('ControlOrMeta+a')
  if (sql === '') await page.keyboard.press('Delete')
  else await page.keyboard.insertText(sql)
}
/** Runs the query until it has these words: entries are there a moment after what they tell of. */
async function runUntil(words: string | RegExp): Promise<void> {
  await expect
    .poll(async () => {
      await button(/^Run/).click()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      return row(words).count()
    })
    .toBeGreaterThan(0)
}
async function rest(method: string, path: string): Promise<number> {
  const { endpoint, serviceKey } = bench.project
  const { status } = await fetch(`${endpoint}/rest/v1/${path}`, {
    method,
    headers: { apikey: serviceKey },
  })
  return status
}

const step = story('logs, asked in SQL')

step('a new query has a beginning, and shows what each request was', async () => {
  expect(await rest('GET', 'orders')).toBe(200)
  expect(await rest('GET', 'nothing')).toBe(404)
  await bench.go('logs/explorer')
  await page.getByRole('heading', { name: 'Logs explorer' }).waitFor()
  await page.getByText('Run a query', { exact: true }).waitFor()
  await lines().getByText('edge_logs').waitFor()
  await runUntil('/rest/v1/nothing')
  await expect.poll(() => page.title()).toMatch(/^Logs explorer · Shop/)
  await eyes.look('logs-explorer-01-rows')
  await row('/rest/v1/nothing')
    .getByRole('button', { name: /^Show row/ })
    .click()
  const panel = page.getByRole('dialog', { name: /^Row/ })
  await panel.getByText('"status_code": 404').waitFor()
  await eyes.look('logs-explorer-02-row')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

step('what is wrong is said below the query, with what was meant', async () => {
  await write('select metadata.request.metod from edge_logs')
  // What is offered while typing goes when the query runs.
  await page.locator('.suggest-widget.visible').waitFor()
  await page.keyboard.press('ControlOrMeta+Enter')
  await page
    .getByText('Unknown field "metadata.request.metod". Did you mean "metadata.request.method"?')
    .waitFor()
  await page.getByRole('heading', { name: 'The query is not valid' }).waitFor()
  await expect.poll(() => eyes.errors.length).toBe(1)
  expect(eyes.errors.splice(0).every((line) => line.includes('status of 400'))).toBe(true)
  await eyes.look('logs-explorer-03-refused')
  await write('')
  await button(/^Run/).hover()
  await page.getByText('There is no query to run').first().waitFor()
})

step('fields and sources are put into the query, and completed while typing', async () => {
  await write('select  from ')
  await page.keyboard.press('End')
  await button('Insert source').click()
  await page.getByRole('menuitem', { name: /^API gateway/ }).click()
  await lines().getByText('edge_logs').waitFor()
  await button('Field reference').click()
  const panel = page.locator('aside.panel')
  await panel.getByText('Every request to the data API').waitFor()
  await panel.getByRole('searchbox').fill('status_code')
  await editor().focus()
  await page.keyboard.press('Home')
  for (const _ of 'select ') await page.keyboard.press('ArrowRight')
  await panel.getByRole('button', { name: /metadata\.response\.status_code/ }).click()
  await eyes.look('logs-explorer-04-reference')
  await button('Field reference').click()
  await panel.waitFor({ state: 'detached' })
  await editor().focus()
  await page.keyboard.type(', metadata.request.pat')
  await page.locator('.suggest-widget').getByText('metadata.request.path').first().waitFor()
  await page.keyboard.press('Enter')
  await runUntil('404')
  await row('/rest/v1/nothing').first().waitFor()
  expect(await table().locator('th').allInnerTexts()).toEqual(['Row', 'status_code', 'path'])
})

step('numbers over time are a chart, and any result is a file', async () => {
  await write(`select timestamp_trunc(timestamp, minute) as minute, request.method, count(*) as requests
    from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request
    where starts_with(request.path, '/rest/v1/') group by minute, request.method order by minute`)
  await runUntil('GET')
  await button('Chart').click()
  await page.getByRole('img', { name: 'Chart of GET by minute' }).waitFor()
  await eyes.look('logs-explorer-05-chart')
  await button('Table').click()
  const saved = page.waitForEvent('download')
  await button('Export CSV').click()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(text).toMatch(
    /^minute,method,requests\r\n\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000000Z,GET,\d+\r\n/,
  )
})

step('the newer dialect has one table, and the address brings a query back', async () => {
  await button('One table').click()
  await write(`select log_attributes['request.path'] as path, count(*) as n from logs
    where source = 'edge_logs' group by path order by path`)
  await runUntil('/rest/v1/nothing')
  await page.reload()
  await row('/rest/v1/nothing').waitFor()
  expect(await button('One table').getAttribute('aria-pressed')).toBe('true')
})

step('a range beyond the plan says which plan keeps more', async () => {
  await button(/^Time range/).click()
  await page.getByRole('option', { name: /Last 7 days/ }).waitFor()
  await page.getByText('The Pro plan keeps these logs for 7 days').first().waitFor()
  await page.keyboard.press('Escape')
  await bench.go('logs/explorer?range=7d&q=select+1+as+one')
  await row('1').waitFor()
})

step('a page of a source goes on in the explorer, with its filters', async () => {
  await bench.go('logs/edge-logs?filter=status:at_least:400')
  await page.getByRole('link', { name: 'Open in explorer' }).click()
  await page.getByRole('heading', { name: 'Logs explorer' }).waitFor()
  await lines().getByText('metadata.response.status_code >= 400').waitFor()
  await row('/rest/v1/nothing').waitFor()
  expect(await row(/\/rest\/v1\/orders/).count()).toBe(0)
})

step('a template runs, and what ran is found again', async () => {
  await nav().getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('searchbox').fill('top')
  await eyes.look('logs-explorer-06-templates')
  await page.getByRole('link', { name: 'Open Top paths in the explorer' }).click()
  await row('/rest/v1/orders').waitFor()
  await nav().getByRole('link', { name: 'Recent queries' }).click()
  const recent = page.getByRole('list', { name: 'Recent queries' }).getByRole('listitem')
  await recent.filter({ hasText: 'timestamp_trunc' }).first().waitFor()
  await eyes.look('logs-explorer-07-recent')
  await recent
    .filter({ hasText: 'log_attributes' })
    .first()
    .getByRole('button', { name: 'Open in the explorer' })
    .click()
  await row('/rest/v1/nothing').waitFor()
  await nav().getByRole('link', { name: 'Recent queries' }).click()
  await button('Clear').click()
  await page.getByRole('heading', { name: 'No recent queries' }).waitFor()
})

step('a query is saved, found again, changed, shared, and deleted', async () => {
  await nav().getByRole('link', { name: 'Saved queries' }).click()
  await page.getByRole('heading', { name: 'No saved queries' }).waitFor()
  await button('Open the explorer').click()
  await write('select count(*) as calls from edge_logs')
  await button('Save').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Calls so far')
  await dialog.getByLabel(/^Description/).fill('Every answer of the gateway')
  await eyes.look('logs-explorer-08-save')
  await dialog.getByRole('button', { name: 'Save query' }).click()
  await page.getByRole('heading', { name: 'Calls so far', level: 1 }).waitFor()
  await expect.poll(() => button('Save changes').getAttribute('aria-disabled')).toBe('true')
  await write("select count(*) as calls from edge_logs where event_message <> ''")
  await button('Save changes').click()
  await expect.poll(() => button('Save changes').getAttribute('aria-disabled')).toBe('true')

  await nav().getByRole('link', { name: 'Saved queries' }).click()
  const saved = page.getByRole('table', { name: 'Saved queries' }).getByRole('row')
  await saved.filter({ hasText: 'Only you' }).waitFor()
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await button('Show all').click()
  await button('Actions for Calls so far').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByText('Share with the project').click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await saved.filter({ hasText: 'Everybody in the project' }).waitFor()
  await eyes.look('logs-explorer-09-saved')

  await page.getByRole('link', { name: 'Calls so far' }).click()
  await expect.poll(() => lines().textContent()).toContain('event_message')
  await button(/^Run/).click()
  await row(/\d/).first().waitFor()
  await nav().getByRole('link', { name: 'Saved queries' }).click()
  await button('Actions for Calls so far').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete query' }).click()
  await page.getByRole('heading', { name: 'No saved queries' }).waitFor()
})
