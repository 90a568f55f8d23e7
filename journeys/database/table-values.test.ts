import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { cellText, chooseInFirstRow, pressFirstCell } from '../testing/grid.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** Values that an editor could change by being looked at: every editor is opened on each, and what is not touched stays. */
const columns = [
  ['lines', 'text', String.raw`E'one\r\ntwo\r\n'`],
  ['mixed', 'text', String.raw`E'one\r\ntwo\nthree\rfour'`],
  ['short', 'varchar(40)', String.raw`E' x\r\ny\t'`],
  ['list', 'text[]', String.raw`array[E'a\r\nb', 'c,"d"', null, '']`],
  ['numbers', 'numeric[]', `array[1.10, 9007199254740993, 'NaN'::numeric]`],
  ['document', 'json', String.raw`E'{"a":  1.10,\r\n "a": 12345678901234567890}'`],
  ['binary_json', 'jsonb', `'{"b": 1.10, "a": 12345678901234567890}'`],
  ['exact', 'numeric', '1.1000'],
  ['large', 'int8', '9007199254740993'],
  ['float', 'float8', '0.1::float8 + 0.2::float8'],
  ['day', 'date', `'0044-03-15 BC'`],
  ['moment', 'timestamptz', `'2026-02-29 12:00:00.123456+05:30'::text::timestamptz`],
  ['clock', 'time', `'24:00:00'`],
  ['span', 'interval', `'1 mon -3 days 04:05:06.7'`],
  ['flag', 'bool', 'false'],
  ['kind', 'mood', `'so,  so'`],
  ['id_of', 'uuid', `'00000000-0000-0000-0000-000000000000'`],
  ['bytes', 'bytea', String.raw`'\x00ff0d0a'`],
  ['between', 'int4range', `'[1,5)'`],
  ['at', 'point', `'(1.5,2)'`],
  ['place', 'place', String.raw`row(E'A, "b"\r\nc', null, '')::place`],
  ['places', 'place[]', String.raw`array[row(E'A\r\nb', 1, 'x')::place]`],
  ['empty', 'text', `''`],
  ['nothing', 'text', 'null'],
] as const

let bench: Workbench
let page: Page
beforeAll(async () => {
  const values = columns.map(([, , value]) => value.replace('2026-02-29', '2024-02-29'))
  bench = await openWorkbench({
    name: 'Values',
    sql: `
      create type mood as enum ('fine', 'so,  so');
      create type place as (shelf text, spot int, note varchar);
      create table kinds (id int primary key, ${columns.map(([name, type]) => `${name} ${type}`).join(', ')});
      insert into kinds values (1, ${values.join(', ')});
      create table shelves (hall text, shelf int, primary key (hall, shelf));
      insert into shelves select h, n from unnest(array['east', 'west']) h, generate_series(1, 3) n;
      create table books (id int primary key, title text, hall text, shelf int,
        foreign key (hall, shelf) references shelves);
      insert into books values (1, 'Emma', 'east', 1), (2, 'Ulysses', 'west', 3)`,
  })
  ;({ page } = bench)
})

const row = async () =>
  (
    (await bench.sql(
      `select ${columns.map(([name]) => `${name}::text`).join()} from kinds`,
    )) as Record<string, string | null>[]
  )[0]
const apply = () => page.getByRole('button', { name: /^Apply \d+ change/ })
async function open(table: string) {
  const [found] = (await bench.sql(`select '${table}'::regclass::oid::int as id`)) as {
    id: number
  }[]
  await bench.go(`editor/${found?.id}`)
  await cellText(page, 0, 0).waitFor({ state: 'attached' })
}
async function editRow() {
  await pressFirstCell(page, 'right')
  await page.getByRole('menuitem', { name: 'Edit row' }).click()
  return page.getByRole('dialog', { name: /^Row of/ })
}
async function save() {
  await page.getByRole('button', { name: /^Apply 1 change/ }).waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('button', { name: 'Discard all' }).waitFor({ state: 'detached' })
}
const chosen = (column: number) =>
  page.locator(`#glide-cell-${column + 1}-0[aria-selected=true]`).waitFor({ state: 'attached' })

const step = story('every editor leaves alone what one does not change')
let before: Record<string, string | null> | undefined

step('each cell is opened and closed again by keyboard, and nothing is staged', async () => {
  before = await row()
  await open('kinds')
  const editor = page.locator('#portal').locator('textarea, [role=listbox]').first()
  await chooseInFirstRow(page, 1)
  for (const [index, [name]] of columns.entries()) {
    await chosen(index + 1)
    await page.keyboard.press('Enter')
    await editor.waitFor()
    const isList = (await editor.getAttribute('role')) === 'listbox'
    // Both go on to the cell beside it.
    await page.keyboard.press(isList ? 'Escape' : 'Tab')
    await editor.waitFor({ state: 'detached' })
    if (isList) await page.keyboard.press('ArrowRight')
    await expect.poll(() => apply().count(), { message: name }).toBe(0)
  }
})

step('an editor that has the focus when it ends gives it back to the grid', async () => {
  await chooseInFirstRow(page, 1)
  await page.keyboard.press('Enter')
  const field = page.locator('#portal textarea')
  await field.waitFor()
  await field.evaluate(async (input: HTMLTextAreaElement) => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    // As when the grid takes it, and the editor takes it back in the last moment.
    while (input.isConnected) {
      input.focus()
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  })
  await page.keyboard.press('ArrowRight')
  await chosen(2)
})

step('a row is opened as a form, and nothing in it is a change', async () => {
  const form = await editRow()
  const keep = form.getByRole('button', { name: 'Add to changes' })
  await expect.poll(() => keep.isDisabled()).toBe(true)
  for (const field of await form.locator('textarea:enabled, input:enabled').all()) {
    await field.focus()
    await field.blur()
  }
  await expect.poll(() => keep.isDisabled()).toBe(true)
})

step(
  'one field of each is changed: only that differs, and line breaks stay what they were',
  async () => {
    const form = page.getByRole('dialog', { name: /^Row of/ })
    const add = async (name: string, text: string) => {
      const field = form.getByLabel(new RegExp(`^${name}`)).first()
      await field.focus()
      await page.keyboard.press('ControlOrMeta+End')
      await page.keyboard.insertText(text)
    }
    await add('lines', 'three')
    await add('mixed', '!')
    await add('short', 'z')
    await form.getByRole('button', { name: 'Edit its fields' }).click()
    const spot = form.getByLabel(/^spot/)
    await spot.fill('7')
    await form.getByRole('button', { name: 'Add to changes' }).click()
    await save()
    expect(await row()).toEqual({
      ...before,
      lines: 'one\r\ntwo\r\nthree',
      mixed: 'one\r\ntwo\nthree\rfour!',
      short: ' x\r\ny\tz',
      place: '("A, ""b""\r\nc",7,"")',
    })
  },
)

step('a row that is chosen for a key of two columns sets both', async () => {
  await open('books')
  const form = await editRow()
  const pickers = form.getByRole('button', { name: 'Choose a row' })
  await pickers.first().click()
  await form.getByRole('button', { name: 'west, 2' }).click()
  await expect.poll(() => form.getByLabel(/^hall/).first().inputValue()).toBe('west')
  expect(
    await form
      .getByLabel(/^shelf/)
      .first()
      .inputValue(),
  ).toBe('2')
  await form.getByRole('button', { name: 'Add to changes' }).click()
  await save()
  await open('books')
  await chooseInFirstRow(page, 3)
  await page.keyboard.press('Enter')
  const choices = page.locator('#portal').getByRole('list', { name: 'Rows for shelf' })
  await choices.getByRole('button', { name: '3, east' }).click()
  await save()
  expect(await bench.sql('select hall, shelf from books order by id')).toEqual([
    { hall: 'east', shelf: 3 },
    { hall: 'west', shelf: 3 },
  ])
  expect(bench.eyes.errors).toEqual([])
})
