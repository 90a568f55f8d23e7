import { beforeAll, expect } from 'vitest'
import { chooseCell, drag, places, pressAt } from '../testing/grid.ts'
import { fileSteps } from '../testing/table-files.ts'
import { rowSteps } from '../testing/table-rows.ts'
import {
  at,
  author,
  day,
  extra,
  openWorks,
  pages,
  title,
  twice,
  type Works,
} from '../testing/works.ts'
import { story } from '../testing/story.ts'

let works: Works
beforeAll(async () => {
  works = await openWorks()
})

const heads = () => works.page.locator('canvas thead th').allTextContents()
const copied = () => works.page.evaluate(() => navigator.clipboard.readText())

const step = story('the grid: columns, blocks, links, rows and keys')

step(
  'the menu of a column sorts, leaves out rows and columns, copies the name, and leads to its forms',
  async () => {
    const { page, eyes, open, shows, item } = works
    await open()
    await pressAt(page, at.headMenu(title))
    await item('Sort descending')
    await shows(title, 0, 'Work 9')
    expect(page.url()).toContain('sort=')
    await pressAt(page, at.head(title), 'right')
    await eyes.look('50-column-menu')
    await item('Remove sort')
    await shows(title, 0, 'Work 1')
    await pressAt(page, at.head(author), 'right')
    await item('Hide rows without a value')
    await page
      .getByText(/^11 rows$/)
      .first()
      .waitFor()
    await pressAt(page, at.head(title), 'right')
    await item('Copy name')
    expect(await copied()).toBe('title')
    await pressAt(page, at.head(pages), 'right')
    await item('Hide column')
    await page.getByRole('button', { name: 'Columns, 1 hidden' }).click()
    await expect.poll(heads).not.toContain('pages')
    await page.getByRole('button', { name: 'Reset columns' }).click()
    await page.keyboard.press('Escape')
    await pressAt(page, at.head(title), 'right')
    await item('Edit column')
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Name', { exact: true }).waitFor()
    await expect.poll(() => panel.getByLabel('Name', { exact: true }).inputValue()).toBe('title')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await pressAt(page, at.head(pages), 'right')
    await item('Delete column')
    await panel.getByText(/pages/).first().waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  },
)

step('how one person arranges the columns is there again after a reload', async () => {
  const { page, bench, open, item } = works
  const own = places([112, 208, 208, 208, 208, 208, 208, 208])
  const first = async () => (await heads()).slice(0, 4)
  await open('arranged')
  await drag(page, own.head(1), own.head(3))
  await expect.poll(first).toEqual(['id', 'c', 'd', 'b'])
  // As close together as a double-click, which would fit the column to its cells.
  await pressAt(page, own.head(2))
  await drag(page, own.edge(0), { x: own.edge(0).x + 60, y: own.edge(0).y })
  const kept = page.waitForResponse(
    (response) => response.ok() && response.request().postData()?.includes('"frozen":2') === true,
  )
  // The primary key stays where the others scroll away.
  await pressAt(page, own.cell(1, 0))
  await page.keyboard.press('End')
  await expect.poll(heads).not.toContain('c')
  expect(await heads()).toContain('id')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect.poll(heads).toContain('c')
  await pressAt(page, { ...own.head(1), x: own.head(1).x + 60 }, 'right')
  await item('Freeze up to here')
  await kept
  await page.reload()
  await expect.poll(first).toEqual(['id', 'c', 'd', 'b'])
  const views = `/platform/projects/${bench.ref}/table-views?schema=public&table=arranged`
  const { body } = await bench.ada.call('GET', views)
  expect(body['layout']).toMatchObject({ frozen: 2, widths: { id: 170 } })
  // So do those that are frozen by hand.
  await pressAt(page, own.cell(1, 0))
  await page.keyboard.press('End')
  await page.locator('#glide-cell-8-0').waitFor({ state: 'attached' })
  await expect.poll(heads).not.toContain('d')
  expect(await heads()).toEqual(expect.arrayContaining(['id', 'c']))
})

step(
  'values are drawn over others by the handle and by keys, and never into a locked column',
  async () => {
    const { page, sql, open, apply, save } = works
    await open()
    await chooseCell(page, at, pages, 0)
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('ControlOrMeta+d')
    await apply(2).waitFor()
    await chooseCell(page, at, pages, 4)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('ControlOrMeta+r')
    // What is filled to the right of a number is a locked column and a day: only the day takes it.
    await apply(3).waitFor()
    await page.getByRole('button', { name: 'Undo the last change' }).click()
    await apply(2).waitFor()
    await chooseCell(page, at, title, 5)
    await drag(page, at.handle(title, 5), at.cell(title, 7))
    await apply(4).waitFor()
    await save()
    expect(
      await sql('select title, pages, twice from works where id in (1, 2, 3, 6, 7, 8) order by id'),
    ).toEqual([
      { title: 'Work 1', pages: 10, twice: 20 },
      { title: 'Work 2', pages: 10, twice: 20 },
      { title: 'Work 3', pages: 10, twice: 20 },
      { title: 'Work 6', pages: 60, twice: 120 },
      { title: 'Work 6', pages: 70, twice: 140 },
      { title: 'Work 6', pages: 80, twice: 160 },
    ])
  },
)

step(
  'a row that a column may refer to is looked for, chosen, and looked at without leaving',
  async () => {
    const { page, eyes, sql, open, shows, save, edit } = works
    await open()
    await edit(author, 0)
    const choices = page.getByRole('list', { name: 'Rows for author' })
    await choices.getByText(/^Author 20 ·/).waitFor()
    await expect.poll(() => choices.getByText(/^Author 21 ·/).count()).toBe(0)
    await choices.getByRole('button', { name: 'More rows' }).click()
    await choices.getByText(/^Author 40 ·/).waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Author 11')
    await choices.getByText(/^Author 115 ·/).waitFor()
    await eyes.look('53-foreign-key')
    // 11 itself, then 110 to 119.
    for (let row = 0; row < 7; row++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await shows(author, 0, '115')
    await edit(author, 2)
    await choices.getByText(/^Author 7 ·/).click()
    await shows(author, 2, '7')
    await save()
    expect(await sql('select author from works where id in (1, 3) order by id')).toEqual([
      { author: 115 },
      { author: 7 },
    ])
    await pressAt(page, at.arrow(author, 1))
    const peek = page.getByRole('dialog', { name: 'Row of authors' })
    await peek.getByText('Author 2', { exact: true }).waitFor()
    await peek.getByRole('link', { name: 'Open in authors' }).click()
    await page.getByRole('heading', { name: 'authors' }).waitFor()
    await page
      .getByText(/^1 row$/)
      .first()
      .waitFor()
  },
)

step('a text opens in a panel and is read as Markdown', async () => {
  const { page, open, shows, save, edit } = works
  await open('authors')
  const own = places([112, 208, 208])
  await edit(2, 0, own)
  await page.getByRole('button', { name: 'Open in a panel' }).click()
  const panel = page.getByRole('dialog', { name: 'about of authors' })
  await panel.getByRole('button', { name: 'Markdown' }).click()
  await panel.getByRole('heading', { name: 'Of letters' }).waitFor()
  await panel.getByRole('button', { name: 'Text' }).click()
  await panel.getByLabel('Value', { exact: true }).fill('Plain')
  await panel.getByRole('button', { name: 'Add to changes' }).click()
  await shows(2, 0, 'Plain')
  await save()
})

step(
  'a value that cannot be right stays in its editor; now, today and NULL are a press away',
  async () => {
    const { page, sql, open, shows, apply, save, editor, edit } = works
    await open()
    await edit(day, 0)
    await page.getByRole('button', { name: 'Today' }).click()
    await shows(day, 0, 'today')
    await edit(day, 1)
    await page.getByRole('button', { name: 'NULL' }).click()
    await apply(2).waitFor()
    await chooseCell(page, at, day, 2)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await editor().waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('{"a":')
    await page.keyboard.press('Enter')
    await page
      .locator('#portal')
      .getByRole('alert')
      .getByText(/not JSON/)
      .waitFor()
    await page.keyboard.insertText(' [1, 2]}')
    await page.keyboard.press('Enter')
    await apply(3).waitFor()
    await save()
    expect(
      await sql(
        'select day = current_date as today, day is null as none, extra::text from works where id < 4 order by id',
      ),
    ).toEqual([
      { today: true, none: false, extra: '{"n": 1}' },
      { today: null, none: true, extra: '{"n": 1}' },
      { today: false, none: false, extra: '{"a": [1, 2]}' },
    ])
  },
)

step('a document is opened part by part', async () => {
  const { page, open, item } = works
  await open()
  await pressAt(page, at.cell(extra, 2), 'right')
  await item('Open in a panel')
  const panel = page.getByRole('dialog', { name: 'extra of works' })
  await panel.getByRole('button', { name: 'Tree' }).click()
  await panel.getByText('a: [2]').click()
  await panel.getByText('1: 2').waitFor()
})

step('columns that the database fills in say why they are locked', async () => {
  const { page, open } = works
  await open()
  await chooseCell(page, at, twice, 0)
  await page.keyboard.press('Enter')
  await page.getByText('twice is computed from other columns and cannot be edited').waitFor()
  await chooseCell(page, at, 0, 0)
  await page.keyboard.press('Enter')
  await page.getByText('id is numbered by the database and cannot be edited').waitFor()
})

step('a block is copied with its tabs and pasted somewhere else', async () => {
  const { page, open, shows, apply } = works
  await open()
  await chooseCell(page, at, title, 8)
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('ControlOrMeta+c')
  expect(await copied()).toBe('Work 9\t9\nWork 10\t10')
  await chooseCell(page, at, title, 10)
  await page.keyboard.press('ControlOrMeta+v')
  await apply(2).waitFor()
  await shows(title, 11, 'Work 10')
  // What is staged is not lost by one click, nor for good.
  await page.getByRole('button', { name: 'Discard all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await shows(title, 11, 'Work 10')
  await page.getByRole('button', { name: 'Discard all' }).click()
  await page.getByRole('button', { name: 'Discard 2 changes' }).click()
  await shows(title, 11, 'Work 12')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await shows(title, 11, 'Work 10')
  await apply(2).waitFor()
  await page.getByRole('button', { name: 'Discard all' }).click()
  await page.getByRole('button', { name: 'Discard 2 changes' }).click()
  await shows(title, 11, 'Work 12')
})

step('what was not applied is offered again after a reload', async () => {
  const { page, eyes, open, type, shows, apply } = works
  await open()
  await type(title, 2, 'Kept over a reload')
  await apply(1).waitFor()
  // The browser asks before it lets go of what is staged.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('1 change not applied').waitFor()
  await shows(title, 2, 'Work 3')
  await eyes.look('grid-07-left-work')
  await page.getByRole('button', { name: 'Restore' }).click()
  await shows(title, 2, 'Kept over a reload')
  await apply(1).waitFor()
  await expect.poll(() => page.getByText('1 change not applied').count()).toBe(0)
  // The tab that has it keeps it: who comes after a second reload may let it go for good.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('1 change not applied').waitFor()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByText('1 change not applied').waitFor({ state: 'detached' })
  await page.reload()
  await shows(title, 2, 'Work 3')
  await expect.poll(() => page.getByText('1 change not applied').count()).toBe(0)
})

fileSteps(step, () => works)
// The last of these is on a phone.
rowSteps(step, () => works)
