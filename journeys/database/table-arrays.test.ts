import { beforeAll, expect } from 'vitest'
import { chooseInFirstRow } from '../testing/grid.ts'
import { story } from '../testing/story.ts'
import { openWorks, type Works } from '../testing/works.ts'

let works: Works
beforeAll(async () => {
  works = await openWorks()
  await works.sql(`
    create type mood as enum ('sad', 'glad');
    create domain email as varchar(20);
    create table lists (id int primary key, tags text[], moods mood[], grid int[], code varchar(8), mail email);
    insert into lists values (1, '{red,"dark, blue"}', '{sad}', '{{1,2},{3,4}}', 'x', 'a@b');
    create table events (id int, at date) partition by range (at);
    create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01')`)
})

const button = (name: string) => works.page.getByRole('button', { name, exact: true })
const panel = () => works.page.getByRole('dialog')
async function expand(column: number) {
  const { page, item } = works
  await chooseInFirstRow(page, column)
  await page.keyboard.press('Shift+F10')
  await item('Open in a panel')
}
const tags = () => works.sql('select tags, moods::text from lists')

const step = story('arrays item by item, types by their names, partitions below their table')

step('items are added, changed, moved, removed and set to NULL', async () => {
  const { page, open, eyes, save } = works
  await open('lists')
  await expand(1)
  await panel().getByLabel('Item 2', { exact: true }).waitFor()
  await expect
    .poll(() => panel().getByLabel('Item 2', { exact: true }).inputValue())
    .toBe('dark, blue')
  await button('Add item').click()
  await panel().getByLabel('Item 3', { exact: true }).fill('"green"')
  await button('Move item 3 up').click()
  await button('Add item').click()
  await button('Set item 4 to NULL').click()
  await button('Add item').click()
  await button('Remove item 1').click()
  await eyes.look('48-array-items')
  await panel().getByRole('button', { name: 'Add to changes' }).click()
  await save()
  await expect.poll(tags).toEqual([{ tags: ['"green"', 'dark, blue', null, ''], moods: '{sad}' }])
  await expand(1)
  await panel().getByRole('button', { name: 'NULL', exact: true }).first().click()
  await panel().getByText('The array is NULL.').waitFor()
  await button('Empty array').click()
  await panel().getByText('The array has no items.').waitFor()
  await panel().getByRole('button', { name: 'Add to changes' }).click()
  await save()
  await expect.poll(tags).toEqual([{ tags: [], moods: '{sad}' }])
  await expand(3)
  await panel().getByLabel('Value', { exact: true }).waitFor()
  await expect
    .poll(() => panel().getByLabel('Value', { exact: true }).inputValue())
    .toBe('{{1,2},{3,4}}')
  await page.keyboard.press('Escape')
})

step('types are said with their length and name, and partitions are listed', async () => {
  const { page, open } = works
  await open('lists')
  await button('Add filter').click()
  await page.getByRole('button', { name: /^Column: / }).click()
  await page.getByRole('option', { name: /code.*varchar\(8\)/ }).waitFor()
  await page.getByRole('option', { name: /mail.*email/ }).waitFor()
  await page.getByRole('option', { name: /moods.*mood\[\]/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  const list = page.getByRole('navigation', { name: 'Tables of public' })
  await list.getByTitle('events_2026, a partition').click()
  await page.getByRole('heading', { name: 'events_2026' }).waitFor()
})
