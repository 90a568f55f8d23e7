import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** A report of one's own: put together of charts, queries and text, moved about, saved, shared and deleted. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_pro',
    sql: `create table orders (id int primary key, note text);
      insert into orders values (1, 'a lamp'), (2, 'a chair')`,
  })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const dialog = () => page.getByRole('dialog')
const block = (text: string) => page.locator('[data-block]').filter({ hasText: text })
async function add(kind: 'Chart' | 'Query' | 'Text'): Promise<void> {
  await button('Add block').first().click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
}
const kept = async () => {
  const { ada, ref } = bench
  const { body } = await ada.call('GET', `/platform/projects/${ref}/content?type=report`)
  // What the contract says of the list.
  return body['data'] as { id: string; visibility: string }[]
}

const step = story('a report of one’s own')

step('a new report is empty, and is filled', async () => {
  await bench.go('reports')
  await button('New report').click()
  await dialog().getByLabel('Name').fill('Every Monday')
  await dialog().getByRole('button', { name: 'Create report' }).click()
  await page.getByRole('heading', { name: 'Every Monday', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'This report is empty' }).waitFor()
  await eyes.look('custom-reports-01-empty')
  await button('Edit report').click()
  await add('Chart')
  await dialog().getByLabel('Chart').click()
  await page.getByRole('option', { name: 'Total requests' }).first().click()
  await dialog().getByRole('button', { name: 'Add to report' }).click()
  await page.locator('[data-chart="api_requests"]').waitFor()
  await add('Query')
  await dialog().getByLabel('Title').fill('Orders')
  await dialog().getByRole('textbox', { name: 'SQL' }).focus()
  await page.keyboard.insertText('select id, note from orders order by id')
  await dialog().getByRole('button', { name: 'Add to report' }).click()
  await block('Orders').getByRole('cell', { name: 'a lamp' }).waitFor()
  await add('Text')
  await dialog()
    .getByLabel('Text')
    .fill(
      '# What to look at\n\n[Bad](javascript:alert(1)) and [good](https://example.com/)\n\n<b>no</b>',
    )
  await dialog().getByRole('button', { name: 'Add to report' }).click()
  await page.getByRole('heading', { name: 'What to look at' }).waitFor()
  expect(await page.getByRole('link', { name: 'good' }).getAttribute('rel')).toContain('noopener')
  expect(await page.getByRole('link', { name: 'Bad' }).count()).toBe(0)
  await eyes.look('custom-reports-02-filled')
})

step('blocks are moved and resized, with the pointer and with the keys', async () => {
  const grip = button(/^Move Orders: column 7, row 1, 6 wide, 4 high$/)
  await grip.focus()
  await page.keyboard.press('ArrowLeft')
  await button(/^Move Orders: column 6, row 1,/).waitFor()
  // The chart that lay there has made room below.
  await button(/^Move Total requests: column 1, row 5,/).waitFor()
  const corner = button(/^Resize Orders: column 6, row 1, 6 wide, 4 high$/)
  await corner.focus()
  await page.keyboard.press('ArrowUp')
  await button(/^Move Orders: .* 3 high$/).waitFor()
  const text = button(/^Move What to look at: column 1, row 9,/)
  await text.scrollIntoViewIfNeeded()
  const from = await text.boundingBox()
  if (!from) throw new Error('The text has no handle')
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.down()
  // Three rows up, into the chart: it lies above it then, below the query.
  await page.mouse.move(from.x + 20, from.y + 10 - 290, { steps: 5 })
  await page.mouse.up()
  await button(/^Move What to look at: column 1, row 4, 12 wide/).waitFor()
  await button(/^Move Total requests: column 1, row 6,/).waitFor()
})

step('leaving asks while something is not saved; what is saved is there again', async () => {
  await page
    .getByRole('link', { name: /^Table editor/ })
    .first()
    .click()
  await dialog().getByText('Your changes on this page are not saved yet').waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await button('Save').click()
  await button('Edit').waitFor()
  await page.reload()
  await block('Orders').getByRole('cell', { name: 'a chair' }).waitFor()
  await page.getByRole('heading', { name: 'What to look at' }).waitFor()
  await eyes.look('custom-reports-03-saved')
})

step('a query of a report cannot change anything', async () => {
  await button('Edit').click()
  await add('Query')
  await dialog().getByLabel('Title').fill('Bad')
  await dialog().getByRole('textbox', { name: 'SQL' }).focus()
  await page.keyboard.insertText('delete from orders')
  await dialog().getByRole('button', { name: 'Add to report' }).click()
  await block('Bad')
    .getByText(/read-only transaction/)
    .waitFor()
  await button('Remove Bad').click()
  await button('Discard').click()
  await block('Orders').getByRole('cell', { name: 'a lamp' }).waitFor()
})

step('a chart and the rows of a query are added from where they are', async () => {
  await bench.go('reports/database')
  await page
    .locator('[data-chart="database_connections"]')
    .getByRole('button', { name: 'Add to report', exact: true })
    .click()
  await dialog().getByText('Every Monday').waitFor()
  await eyes.look('custom-reports-04-add')
  await dialog().getByRole('button', { name: 'Add to report' }).click()
  await button('Open report').click()
  await page.locator('[data-block] [data-chart="database_connections"]').waitFor()
  await bench.go('sql/new')
  await page.locator('.monaco-editor textarea, .monaco-editor .native-edit-context').first().focus()
  await page.keyboard.insertText('select count(*) as orders_now from orders')
  await page.keyboard.press('ControlOrMeta+Enter')
  await button('Export').click()
  await page.getByRole('menuitem', { name: 'Add to report' }).click()
  await dialog().getByRole('button', { name: 'Add to report' }).click()
  await button('Open report').click()
  await page.getByRole('columnheader', { name: 'orders_now' }).waitFor()
})

step('it is renamed, shared, and deleted', async () => {
  await button('Actions for Every Monday').click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await dialog().getByLabel('Name').fill('Every Tuesday')
  await dialog().getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Every Tuesday', level: 1 }).waitFor()
  await button('Actions for Every Tuesday').click()
  await page.getByRole('menuitem', { name: 'Share with the project' }).click()
  await expect.poll(async () => (await kept())[0]?.visibility).toBe('project')
  await bench.go('reports')
  await page.getByRole('link', { name: /Every Tuesday.*Shared with the project/ }).click()
  await button('Actions for Every Tuesday').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete report' }).click()
  await page.getByRole('heading', { name: 'Reports', exact: true, level: 1 }).waitFor()
  await expect.poll(async () => await kept()).toEqual([])
})
