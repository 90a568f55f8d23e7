import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Books',
    sql: `create table books (id int primary key, title text not null);
      insert into books select n, 'Title ' || n from generate_series(1, 20) n`,
  })
  ;({ page, eyes } = bench)
})

const editor = () => page.getByRole('textbox', { name: /^SQL/ })
const open = async () => {
  await bench.go('sql/new')
  await editor().waitFor()
}

/** Puts a text there as the clipboard does: what is typed would be completed and indented. */
async function paste(text: string): Promise<void> {
  await editor().focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, text)
}
async function run(text: string): Promise<void> {
  await paste(text)
  await page.keyboard.press('ControlOrMeta+Enter')
}
async function leaveEditor(): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await expect.poll(() => page.locator('.suggest-widget.visible').count()).toBe(0)
}
const results = () => page.getByRole('region', { name: 'Results' })
const ended = () => page.locator('.sql-result-bar output')
const tab = (name: string | RegExp) => page.getByRole('tab', { name })
const count = async (table: string) =>
  (await bench.sql(['select count(*)::int as n from', table].join(' '))) as { n: number }[]

const step = story("psql's habits in the SQL editor")

step('commands of psql are answered, and what cannot be is refused with a reason', async () => {
  await open()
  await run('\\d books')
  await tab(/Columns of books/).waitFor()
  await tab(/Indexes, constraints/).waitFor()
  await expect.poll(() => page.locator('#glide-cell-1-0').textContent()).toBe('id')
  // The tab has taken its name from what is in it.
  await page.getByRole('navigation', { name: 'Open queries' }).getByText('\\d books').waitFor()
  await leaveEditor()
  await eyes.look('5b-sql-psql')
  await run('\\! ls')
  await page.getByRole('alert').getByText('does not run shell commands').first().waitFor()
  await run('\\x\nselect id, title from books order by id limit 2')
  await page.getByRole('heading', { name: 'Record 2' }).waitFor()
  await leaveEditor()
  await eyes.look('5c-sql-expanded')
})

step('a transaction that is left open says that nothing was committed', async () => {
  await run("begin; insert into books values (100, 'Lost')")
  await results().getByText('Not committed: rolled back').waitFor()
  expect(await count('books where id = 100')).toEqual([{ n: 0 }])
  await tab(/^Messages/).click()
  await page.getByText('Not committed: the text left a transaction open').waitFor()
  await leaveEditor()
  await eyes.look('5d-sql-not-committed')
})

step('a pasted dump runs with its data, all of it in one transaction if wanted', async () => {
  const dump = `\\restrict key
SET statement_timeout = 0;
CREATE TABLE public.dumped (id integer, note text);
COPY public.dumped (id, note) FROM stdin;
1\tit's; here
2\t\\N
\\.
\\unrestrict key
`
  await run(`${dump}select 1/0`)
  await page.getByRole('alert').getByText('division by zero').first().waitFor()
  expect(await count('dumped')).toEqual([{ n: 2 }])
  await bench.sql('drop table dumped')
  await paste(`${dump}select 1/0`)
  await leaveEditor()
  await page.getByRole('button', { name: 'Ways to run' }).click()
  await page.getByRole('menuitem', { name: 'Run all in one transaction' }).click()
  await page.getByRole('alert').getByText('division by zero').first().waitFor()
  expect(await bench.sql("select to_regclass('dumped') as it")).toEqual([{ it: null }])
})

step('data are copied into a table from a chosen file, and out of it into one', async () => {
  await run("\\copy books from 'more.csv' with (format csv)")
  const dialog = page.getByRole('dialog', { name: 'Choose the data to copy' })
  await dialog.getByText('Choose more.csv').waitFor()
  await eyes.look('5e-sql-copy-file')
  const buffer = Buffer.from('200,"Two, hundred"\n201,Next')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'more.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('button', { name: 'Run' }).click()
  await results().getByText('2 rows').first().waitFor()
  expect(await count('books where id >= 200')).toEqual([{ n: 2 }])
  const download = page.waitForEvent('download')
  await run("\\copy (select * from books where id >= 200 order by id) to 'out.csv' csv header")
  const file = await download
  expect(file.suggestedFilename()).toBe('out.csv')
  expect(await readFile(await file.path(), 'utf8')).toBe('id,title\n200,"Two, hundred"\n201,Next\n')
  await page.getByRole('region', { name: 'Copied data' }).waitFor()
  await leaveEditor()
  await eyes.look('5f-sql-copied')
})

step('a file runs without coming into the editor, and its error has its line', async () => {
  await page.getByRole('button', { name: 'Ways to run' }).click()
  await page.getByRole('menuitem', { name: 'Run a .sql file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run a .sql file' })
  const lines = Array.from(
    { length: 20_000 },
    (_, i) => `insert into filed values (${i}, 'Line ${i}');`,
  )
  const sql = ['create table filed (id int, note text);', ...lines].join('\n')
  const choose = (name: string, text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/sql', buffer: Buffer.from(text) })
  await choose('archive.dump', 'PGDMP\u0001')
  await dialog.getByText('Use pg_restore for it').waitFor()
  await eyes.look('5g-sql-run-file')
  await choose('broken.sql', `${sql}\nselekt 1;`)
  await dialog.getByText('Use pg_restore for it').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Run file' }).click()
  await page.getByRole('alert').getByText('at line 20002, column 1').waitFor({ timeout: 90_000 })
  expect(await bench.sql("select to_regclass('filed') as it")).toEqual([{ it: null }])
  await page.getByRole('button', { name: 'Ways to run' }).click()
  await page.getByRole('menuitem', { name: 'Run a .sql file' }).click()
  await choose('good.sql', sql)
  await dialog.getByRole('button', { name: 'Run file' }).click()
  await expect
    .poll(() => bench.sql("select to_regclass('filed') is not null as there"), { timeout: 90_000 })
    .toEqual([{ there: true }])
  await ended().waitFor()
  expect(await count('filed')).toEqual([{ n: 20_000 }])
})

step('a file changes nothing while Read only is on', async () => {
  const setReadOnly = async (on: boolean) => {
    await page.getByRole('button', { name: 'Run settings' }).click()
    await page.getByRole('switch', { name: 'Read only' }).setChecked(on, { force: true })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Run settings' }).waitFor({ state: 'detached' })
  }
  await setReadOnly(true)
  await page.getByRole('button', { name: 'Ways to run' }).click()
  await page.getByRole('menuitem', { name: 'Run a .sql file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run a .sql file' })
  await dialog.getByText('The run is read-only').waitFor()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'more.sql',
    mimeType: 'application/sql',
    buffer: Buffer.from('delete from filed'),
  })
  await dialog.getByRole('button', { name: 'Run file' }).click()
  await page.getByRole('heading', { name: 'in a read-only transaction' }).waitFor()
  expect(await count('filed')).toEqual([{ n: 20_000 }])
  await setReadOnly(false)
})

step('a file that is dropped on the editor is asked about', async () => {
  await page.locator('.sql-text').evaluate((place) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['select 1'], 'dropped.sql'))
    for (const type of ['dragover', 'drop'])
      place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  })
  const dialog = page.getByRole('dialog', { name: 'Run a .sql file' })
  await dialog.getByText(/^dropped\.sql/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

step('thousands of statements run at once, and stop where one fails', async () => {
  await bench.sql('create table many (id int primary key)')
  const inserts = Array.from({ length: 3000 }, (_, i) => `insert into many values (${i});`)
  await run([...inserts, 'insert into many values (7);', 'drop table many'].join('\n'))
  await page.getByRole('button', { name: 'Run anyway' }).click()
  await page
    .getByRole('alert')
    .getByText('duplicate key value')
    .first()
    .waitFor({ timeout: 60_000 })
  await page.getByText('at line 3001').waitFor()
  expect(await count('many')).toEqual([{ n: 3000 }])
})

step(
  'the body of a function has its colours, and long lines wrap where that is wanted',
  async () => {
    await paste(
      `create function f() returns int language plpgsql as $body$\nbegin\n  -- a comment\n  return length('${'x'.repeat(400)}');\nend\n$body$`,
    )
    await leaveEditor()
    const coloursOf = (text: RegExp) =>
      page
        .locator('.view-line')
        .getByText(text)
        .first()
        .evaluate((span) => getComputedStyle(span).color)
    await expect
      .poll(async () => (await coloursOf(/^return$/)) === (await coloursOf(/^create$/)))
      .toBe(true)
    expect(await coloursOf(/^--.*comment$/)).not.toBe(await coloursOf(/^return$/))
    const lines = () => page.locator('.view-lines .view-line').count()
    const before = await lines()
    await page.getByRole('button', { name: 'Run settings' }).click()
    await page.getByRole('switch', { name: 'Wrap long lines' }).check({ force: true })
    await page.keyboard.press('Escape')
    await expect.poll(lines).toBeGreaterThan(before)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Saved queries' }).waitFor()
    await eyes.look('5h-sql-psql-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
  },
)
