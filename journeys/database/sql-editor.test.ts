import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { startModelServer, type ModelServerInTests } from '#control-plane/testing/model-server'
import { answer, keptChats } from '../testing/assistant-world.ts'
import type { Eyes } from '../testing/browser.ts'
import type { Person } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { askSteps } from '../testing/sql-ask.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

let model: ModelServerInTests
let platform: Platform
let bench: Workbench
let page: Page
let eyes: Eyes
let ada: Person
let ref: string

beforeAll(async () => {
  model = await startModelServer(() => answer('There is no column of this name: write title.'))
  atEnd(() => model.close())
  platform = await ownPlatform({
    environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-of-the-platform-0123456789' },
  })
  bench = await openWorkbench({
    name: 'Books',
    platform,
    sql: `create table books (id int primary key, title text, pages int, day date);
      insert into books select n, 'Title ' || n, n * 7 % 400, date '2026-01-01' + n from generate_series(1, 500) n`,
  })
  ;({ page, eyes, ada, ref } = bench)
})

async function newPage(): Promise<void> {
  ;({ page, eyes } = await bench.newPage())
}

const sql = (query: string) => bench.sql(query)
const editor = () => page.getByRole('textbox', { name: /^SQL/ })
const open = async (path = 'new') => {
  await bench.go(`sql/${path}`)
  await editor().waitFor()
}

async function write(text: string): Promise<void> {
  await editor().focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}
const run = (keys = 'ControlOrMeta+Enter') => page.keyboard.press(keys)

/** Leaves the editor, which puts away the suggestions that typing brought up or is about to bring up. */
async function leaveEditor(): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await expect.poll(() => page.locator('.suggest-widget.visible').count()).toBe(0)
}

/** The cell as the grid tells it to assistive technology; the drawn one has no text. */
const cell = (column: number, row: number) =>
  page.locator(`#glide-cell-${column + 1}-${row}`).textContent()
const result = async (column: number, row: number, text: string) => {
  await page.locator('.sql-grid canvas').first().waitFor()
  await expect.poll(() => cell(column, row)).toBe(text)
}
const saved = () => page.locator('.sql-save[data-save=saved]').waitFor()
const queryId = () => page.url().split('/').at(-1) ?? ''
const stored = async (id: string) =>
  (await ada.call('GET', `/platform/projects/${ref}/content/item/${id}`)).body['content'] as {
    sql: string
    chart?: object
  }

const step = story('the SQL editor: queries, results, charts, folders, and texts that survive')

step(
  'parameters are asked for, travel apart from the text, and are remembered with the run',
  async () => {
    await open()
    await write("-- People\nselect :name as name, :pages::int * 2 as twice, ':name' as text")
    await run()
    await page.getByText('Give every parameter a value').waitFor()
    await page.getByLabel(':name', { exact: true }).fill("O'Reilly; drop table books")
    await page.getByLabel(':pages', { exact: true }).fill('21')
    await page.getByLabel(':pages', { exact: true }).press('Enter')
    await result(0, 0, "O'Reilly; drop table books")
    await result(1, 0, '42')
    await leaveEditor()
    await eyes.look('50-sql-parameters')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Saved queries' }).waitFor()
    const ways = await page.getByRole('button', { name: 'Ways to run' }).boundingBox()
    expect((ways?.x ?? 0) + (ways?.width ?? 390)).toBeLessThanOrEqual(390)
    await eyes.look('58-sql-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Run history' }).click()
    const panel = page.getByRole('dialog', { name: 'Run history' })
    await panel.getByText(/:pages = '21'/).waitFor()
    await eyes.look('51-sql-history')
    await page.keyboard.press('Escape')
  },
)

step(
  'the statement at the cursor runs alone, and what the grammar refuses is underlined',
  async () => {
    await open()
    await write('select 1 as first;\nselect 2 as second')
    await run('ControlOrMeta+Shift+Enter')
    await result(0, 0, '2')
    await expect.poll(() => page.getByRole('tab').count()).toBe(2)
    await write('select 1;\nselec 2')
    await page.locator('.squiggly-warning').waitFor()
    await write('with gone as (delete from books returning 1) select 1')
    await expect.poll(() => page.locator('.squiggly-warning').count()).toBe(0)
    await run()
    await page.getByRole('button', { name: 'Run anyway' }).waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    expect(await sql('select count(*)::int as n from books')).toEqual([{ n: 500 }])
  },
)

step('a table and a function tell what they are where they are written', async () => {
  await open()
  await write('select title from books where upper(title')
  await page.keyboard.type(',')
  const hint = page.locator('.parameter-hints-widget.visible')
  await hint.getByText('upper(text) → text').waitFor()
  await page.keyboard.press('Escape')
  await leaveEditor()
  const line = page.locator('.view-line').first()
  await line.getByText('books').hover()
  const hover = page.locator('.monaco-hover:not(.hidden)')
  await hover.getByText('public.books').waitFor()
  await hover.getByText('title text').waitFor()
  await eyes.look('59-sql-hover')
  await page.mouse.move(900, 700)
  await hover.waitFor({ state: 'hidden' })
})

askSteps(step, () => ({ bench, model, open, write, leaveEditor, editor }))

step('an error is taken to the assistant with the text that it came from', async () => {
  await open()
  await write('select titel from books')
  await run()
  await page.getByRole('alert').getByText('column "titel" does not exist').first().waitFor()
  await page.getByRole('button', { name: 'Ask the assistant' }).click()
  const panel = page.getByRole('complementary', { name: 'Assistant' })
  const box = panel.getByLabel('Question')
  await expect.poll(() => box.inputValue()).toContain('column "titel" does not exist')
  expect(JSON.stringify(model.asked)).not.toContain('titel')
  await box.press('Enter')
  await panel.getByText('write title.').waitFor()
  expect(JSON.stringify(model.asked.at(-1)?.body.messages)).toContain('select titel from books')
  await eyes.look('5a-sql-assistant')
  await page.getByRole('button', { name: 'Close the assistant' }).click()
  await panel.waitFor({ state: 'hidden' })
  await expect.poll(() => keptChats(page, ref)).toContain('"open":false')
})

step('all rows of a limited result leave as a file', async () => {
  await open()
  await write('select n, \'a, "b"\' as t from generate_series(1, 30000) n')
  await run()
  await page.getByText(/^Limit of \d+ added$/).waitFor()
  await leaveEditor()
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^Download all rows as CSV/ }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  expect([lines.length, lines[0], lines[30000]]).toEqual([30001, 'n,t', '30000,"a, ""b"""'])
})

step('a plan is a tree, and explaining what writes changes nothing', async () => {
  await open()
  await write('delete from books b using books c where b.title = c.title and c.pages > 100')
  await leaveEditor()
  await page.getByRole('button', { name: 'Ways to run' }).click()
  await page.getByRole('menuitem', { name: 'Explain, run and roll back' }).click()
  await page.getByText('Whatever it changed was rolled back').waitFor()
  await page.getByRole('rowheader', { name: /Delete/ }).waitFor()
  await page.mouse.move(700, 200)
  await eyes.look('52-sql-plan')
  expect(await sql('select count(*)::int as n from books')).toEqual([{ n: 500 }])
})

step('a transaction waits for its commit', async () => {
  await open()
  await page.getByRole('button', { name: 'Run settings' }).click()
  await page.getByRole('switch', { name: /Keep a transaction open/ }).check({ force: true })
  await eyes.look('53-sql-settings')
  // Whoever is quick is in the editor before the panel has gone, and stays there.
  await editor().evaluate((field: HTMLElement) => {
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(escape)
    field.focus()
  })
  await page.getByRole('dialog', { name: 'Run settings' }).waitFor({ state: 'detached' })
  // What the panel does when it has gone is waiting already, so it comes before this.
  const stayed = (field: HTMLElement) =>
    new Promise((done) => setTimeout(() => done(document.activeElement === field), 0))
  expect(await editor().evaluate(stayed)).toBe(true)
  await write("insert into books values (1001, 'Kept', 1, null)")
  await run()
  await page.getByText('nothing is saved until you commit').waitFor()
  expect(await sql('select id from books where id > 1000')).toEqual([])
  await leaveEditor()
  await eyes.look('54-sql-transaction')
  await page.getByRole('button', { name: 'Commit' }).click()
  await page.getByText('Committed').waitFor()
  expect(await sql('select id from books where id > 1000')).toEqual([{ id: 1001 }])
  await write('insert into books values (1002); select 1/0')
  await run()
  await page.getByText('can only be rolled back').first().waitFor()
  await page.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('Rolled back', { exact: true }).waitFor()
  expect(await sql('select id from books where id > 1001')).toEqual([])
  await page.getByRole('button', { name: 'Run settings' }).click()
  await page.getByRole('switch', { name: /Keep a transaction open/ }).uncheck({ force: true })
  await page.keyboard.press('Escape')
})

step('a chart is drawn of a result and saved with the query', async () => {
  await open()
  await write('select day, pages, id from books where day is not null order by day limit 60')
  await run()
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  await page.locator('.sql-plot canvas').waitFor()
  await page.getByRole('button', { name: 'Area' }).click()
  await saved()
  await leaveEditor()
  await eyes.look('55-sql-chart')
  await expect
    .poll(async () => (await stored(queryId())).chart)
    .toEqual({ kind: 'area', x: 'day', y: ['pages'], cumulative: false })
})

step('queries are kept in folders', async () => {
  await bench.go(`sql/templates`)
  await page.getByRole('heading', { name: 'Templates' }).waitFor()
  await eyes.look('56-sql-templates')
  const template = page.getByRole('listitem').filter({ hasText: 'Show version' })
  await template.getByRole('button', { name: 'Open as a query' }).click()
  await editor().waitFor()
  await run()
  await result(1, 0, '170010')
  const list = page.getByRole('region', { name: 'Private' })
  await page.getByRole('button', { name: 'New folder' }).first().click()
  await page.getByLabel('Name').fill('Reports')
  await page.getByRole('button', { name: 'Create folder' }).click()
  await list.getByRole('button', { name: /^Reports/ }).waitFor()
  await page.getByRole('button', { name: 'Choose several' }).click()
  await list.getByRole('checkbox', { name: 'Show version' }).check({ force: true })
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('option', { name: 'Reports' }).click()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await list.getByRole('link', { name: 'Show version' }).waitFor({ state: 'detached' })
  await list.getByRole('button', { name: /^Reports/ }).click()
  await list.getByRole('link', { name: 'Show version' }).first().waitFor()
  await page.mouse.move(900, 300)
  await eyes.look('57-sql-folders')
})

step('no text is lost when the tab, the network or the server dies', async () => {
  await open()
  await write('select 1 -- saved')
  await saved()
  const id = queryId()
  // The tab dies with what was just typed.
  await write('select 2 -- typed right before the end')
  await page.close()
  await newPage()
  await open(id)
  await page.getByText('typed right before the end').waitFor()
  await expect.poll(async () => (await stored(id)).sql).toContain('right before the end')

  // The network is away, and then the tab, too.
  await bench.context.setOffline(true)
  await write('select 3 -- written in a tunnel')
  await page.getByText('Kept in this browser').waitFor()
  await page.close()
  await bench.context.setOffline(false)
  await newPage()
  await open(id)
  await page.getByText('written in a tunnel').waitFor()
  await expect.poll(async () => (await stored(id)).sql).toContain('tunnel')

  // The server is away for a while.
  const { home, ports } = platform
  await platform.stop()
  await write('select 4 -- written to nobody')
  await page.getByText('Kept in this browser').waitFor()
  await ownPlatform({ home, ports })
  await page.getByText('Saved', { exact: true }).waitFor({ timeout: 60_000 })
  expect((await stored(id)).sql).toContain('written to nobody')
})
