import { beforeAll, expect } from 'vitest'
import { pressAt } from '../testing/grid.ts'
import { story } from '../testing/story.ts'
import { at, openWorks, pages, title, type Works } from '../testing/works.ts'

let works: Works
beforeAll(async () => {
  works = await openWorks()
  await works.sql(`
    create table things (id int primary key, note text, tags text[], meta jsonb, price int, cost int);
    insert into things values
      (1, '50% wool', '{red,blue}', '{"size":{"eu":[38]}}', 30, 10),
      (2, 'cotton', '{green}', '{"size":{"eu":[40]}}', 15, 10),
      (3, 'a_b', '{red}', '{}', 5, 9)`)
})

const rows = (count: number) =>
  works.page
    .getByText(count === 1 ? /^1 row$/ : new RegExp(`^${count} rows$`))
    .first()
    .waitFor()
const button = (name: string) => works.page.getByRole('button', { name, exact: true })
const dialog = () => works.page.getByRole('dialog')

async function choose(label: string, option: string) {
  const { page } = works
  await page.getByRole('button', { name: new RegExp(`^${label}: `) }).click()
  await page.getByRole('option', { name: option }).first().click()
}
async function byColumn(column: string, operator: string, fields: Record<string, string>) {
  await choose('Column', column)
  if (fields['JSON path']) await dialog().getByLabel('JSON path').fill(fields['JSON path'])
  await choose('Operator', operator)
  for (const [label, value] of Object.entries(fields))
    await dialog().getByLabel(label, { exact: true }).fill(value)
  await dialog().getByRole('button', { name: 'Filter', exact: true }).click()
}

const step = story('filters: groups, more ways to compare, conditions in SQL')

step('a filter offers what its column can be compared by', async () => {
  const { open, eyes } = works
  await open('things')
  await button('Add filter').click()
  await byColumn('note', 'contains', { Value: '%' })
  await rows(1)
  await works.shows(1, 0, '50% wool')
  await button('Remove the filter on note').click()
  await button('Add filter').click()
  await byColumn('price', 'between', { From: '5', To: '15' })
  await rows(2)
  await button('Change the filter on price').click()
  await eyes.look('44-filter-between')
  await expect.poll(() => dialog().getByLabel('To', { exact: true }).inputValue()).toBe('15')
  await works.page.keyboard.press('Escape')
  await button('Remove the filter on price').click()
  await button('Add filter').click()
  await byColumn('tags', '&&', { Value: 'green, blue' })
  await rows(2)
  await button('Remove the filter on tags').click()
  await button('Add filter').click()
  await byColumn('meta', '=', { 'JSON path': 'size.eu[0]', Value: '40' })
  await rows(1)
  await works.shows(1, 0, 'cotton')
  expect(decodeURIComponent(works.page.url())).toContain('meta->size.eu[0]:=:40')
  await button('Remove the filter on meta').click()
  await rows(3)
})

step('groups are begun, added to and emptied, also by the keyboard', async () => {
  const { page, open, eyes } = works
  await open('things')
  await button('Add filter').click()
  await byColumn('price', '=', { Value: '30' })
  await rows(1)
  await button('Add OR group').click()
  await byColumn('price', '=', { Value: '15' })
  await rows(2)
  await button('Add to group 2').click()
  await byColumn('note', 'starts with', { Value: 'x' })
  await rows(1)
  const groups = page.getByRole('group', { name: /^Group \d of filters/ })
  await expect.poll(() => groups.count()).toBe(2)
  await eyes.look('45-filter-groups')
  await page.reload()
  await rows(1)
  await groups.nth(1).getByRole('button', { name: 'Change the filter on note' }).focus()
  await page.keyboard.press('Delete')
  await rows(2)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(focused).toBe('Change the filter on price')
  await page.keyboard.press('Delete')
  await rows(1)
  await expect.poll(() => groups.count()).toBe(0)
  await button('Remove the filter on price').click()
  await rows(3)
})

step('a condition in SQL filters, is exported by and kept in a view', async () => {
  const { page, open, eyes } = works
  await open('things')
  await button('Add filter').click()
  await button('By SQL').click()
  await dialog().getByLabel('SQL condition').fill('price > cost * 2')
  await eyes.look('46-filter-sql')
  await page.keyboard.press('ControlOrMeta+Enter')
  await rows(1)
  await button('Export and saving').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
  ])
  const [stream, parts] = [await download.createReadStream(), [] as Buffer[]]
  for await (const part of stream) parts.push(part as Buffer)
  expect(Buffer.concat(parts).toString().trim().split('\n')).toHaveLength(2)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Save the current view as').fill('Dear')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: /^Dear/ }).first().waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await rows(1)
  await button('Change the SQL condition').click()
  await dialog().getByLabel('SQL condition').fill('price >')
  await dialog().getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('The SQL condition is not one SQL expression').first().waitFor()
  await button('Remove the SQL condition').click()
  await rows(3)
})

step('SQL that came with an address waits until it was read', async () => {
  const { page, bench, sql, eyes } = works
  const [row] = (await sql("select 'things'::regclass::oid::int as id")) as { id: number }[]
  const asked: string[] = []
  page.on('request', (request) => {
    if (/entities\/\d+\/(?:rows|count)$/.test(request.url())) asked.push(request.url())
  })
  const link = `editor/${row?.id}?filter=${encodeURIComponent(':sql:id = 2')}`
  await bench.go(link)
  await page.getByText('This view filters by SQL').waitFor()
  await page.getByText('id = 2').first().waitFor()
  await eyes.look('47-filter-of-others')
  expect(asked).toEqual([])
  await button('Remove the SQL').click()
  await rows(3)
  await bench.go(link)
  await button('Run the SQL').click()
  await rows(1)
  await page.reload()
  await rows(1)
})

step('a click on a head sorts, Shift adds a column, Ctrl chooses it', async () => {
  const { page, open, shows } = works
  await open()
  await pressAt(page, at.head(title))
  await expect.poll(() => page.url()).toMatch(/sort=/)
  await shows(title, 1, 'Work 10')
  await pressAt(page, at.head(title))
  await shows(title, 0, 'Work 9')
  await page.keyboard.down('Shift')
  await pressAt(page, at.head(pages))
  await page.keyboard.up('Shift')
  await expect.poll(() => decodeURIComponent(page.url())).toMatch(/title:desc.*pages:asc/)
  await pressAt(page, at.head(title))
  await expect.poll(() => page.url()).not.toContain('sort=')
  await shows(title, 0, 'Work 1')
  await page.keyboard.down('ControlOrMeta')
  await pressAt(page, at.head(title))
  await page.keyboard.up('ControlOrMeta')
  await page.keyboard.press('ControlOrMeta+c')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^Work 1\r?\nWork 2\r?\n/)
  expect(page.url()).not.toContain('sort=')
})
