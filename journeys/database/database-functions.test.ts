import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { writeCode } from '../testing/code.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Books',
    sql: `create table books (id int primary key, title text, "Lent at" timestamptz);
      create function touch() returns trigger language plpgsql as 'begin new."Lent at" = now(); return new; end';
      create function secrets() returns int language sql security definer set search_path to '' as 'select 1';
      create type place as (street text, code varchar(10)); create domain positive as int check (value > 0);
      create type "odd ""type" as enum ('a'); alter table books add column mood "odd ""type"`,
  })
  ;({ page, eyes } = bench)
})

const sql = (query: string) => bench.sql(query)
const open = async (what: string, heading: string) => {
  await bench.go(`database/${what}`)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const panel = () => page.getByRole('dialog').first()
/** The dialog that shows the SQL lies over the panel. */
const review = () => page.getByRole('dialog').last()
const choose = async (label: string, option: string | RegExp) => {
  await panel()
    .getByRole('button', { name: new RegExp(`^${label}:`) })
    .click()
  await page.getByRole('option', { name: option }).first().click()
}
async function confirm(verb: string) {
  await review().getByRole('button', { name: verb }).click()
  await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
}
const menu = async (of: string, item: string) => {
  await button(`Actions for ${of}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const step = story('functions, triggers and types of a database')

step(
  'a function is refused without a name, made, edited and copied; all of it is recorded',
  async () => {
    await open('functions', 'Functions')
    await page.getByText('touch').waitFor()
    await eyes.look('60-functions')
    await button('New function').first().click()
    await panel().getByRole('button', { name: 'Review SQL' }).click()
    await panel().getByText('Give it a name').waitFor()
    await panel().getByLabel('Name').first().fill('Add "two"')
    await panel().getByRole('button', { name: 'Add argument' }).click()
    await panel().getByLabel('Name').nth(1).fill('a')
    await choose('Type', /int4/)
    await panel().getByLabel('Default').fill('1')
    await panel().getByLabel('Returns').fill('integer')
    await choose('Language', /^sql$/)
    await writeCode(panel().getByLabel('Body'), 'selec a + 2')
    await eyes.look('61-new-function')
    await panel().getByRole('button', { name: 'Review SQL' }).click()
    await review().getByRole('button', { name: 'Create function' }).click()
    await review()
      .getByText(/syntax error at or near/)
      .waitFor()
    await page.keyboard.press('Escape')
    await writeCode(panel().getByLabel('Body'), 'select a + 2')
    await panel().getByRole('button', { name: 'Review SQL' }).click()
    await review().getByLabel('SQL', { exact: true }).waitFor()
    await eyes.look('62-review-function')
    await confirm('Create function')
    expect(await sql(`select "Add ""two"""() as is`)).toEqual([{ is: 3 }])

    await menu('Add "two"', 'Edit')
    await writeCode(panel().getByLabel('Body'), 'select a + 3')
    await panel()
      .getByText(/^Definer/)
      .click()
    await panel().getByRole('button', { name: 'Review SQL' }).click()
    await confirm('Save function')
    expect(await sql(`select "Add ""two"""(4) as is`)).toEqual([{ is: 7 }])

    await menu('Add "two"', 'Duplicate')
    await panel().getByLabel('Name').first().fill('add_more')
    await panel().getByRole('button', { name: 'Review SQL' }).click()
    await confirm('Create function')
    await menu('Add "two"', 'Delete')
    await review()
      .getByText(/drop function/)
      .first()
      .waitFor()
    await confirm('Delete function')
    expect(
      await sql(`select proname from pg_proc where proname like 'Add%' or proname = 'add_more'`),
    ).toEqual([{ proname: 'add_more' }])
    expect(
      await sql('select name from supabase_migrations.schema_migrations order by version'),
    ).toEqual(
      [
        'create_function_add_two',
        'change_function_add_two',
        'create_function_add_more',
        'drop_function_add_two',
      ].map((name) => ({ name })),
    )
  },
)

step('what belongs to the platform is read, not changed, and says why', async () => {
  await open('functions?schema=auth', 'Functions')
  await page.getByText('The schema auth belongs to the platform').first().waitFor()
  await expect.poll(() => button('New function').first().getAttribute('aria-disabled')).toBe('true')
  await bench.go(`database/functions?find=nothing-like-this`)
  await page.getByText('No function matches').waitFor()
})

step('a trigger is made with its columns and condition, changed, and deleted', async () => {
  await open('triggers', 'Triggers')
  await page.getByText('No triggers yet').waitFor()
  await button('New trigger').first().click()
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await panel().getByText('Choose a table').waitFor()
  await panel().getByLabel('Name').fill('stamp')
  await choose('Table', 'books')
  await choose('Function', /touch/)
  await panel().getByText('UPDATE', { exact: true }).click()
  await panel().getByText('Lent at', { exact: true }).click()
  await writeCode(panel().getByLabel('Condition'), 'new.title is not null')
  await eyes.look('63-new-trigger')
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await confirm('Create trigger')
  await sql(`insert into books values (1, 'Dune'), (2, null)`)
  expect(await sql('select id, "Lent at" is not null as stamped from books order by id')).toEqual([
    { id: 1, stamped: true },
    { id: 2, stamped: false },
  ])
  await menu('stamp', 'Edit')
  await choose('Enabled', /Disabled/)
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await review().getByLabel('SQL', { exact: true }).waitFor()
  await confirm('Save trigger')
  await page.getByText('Disabled').first().waitFor()
  await eyes.look('64-triggers')
  await menu('stamp', 'Edit')
  await choose('Constraint', /^Deferred/)
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await panel().getByText('A constraint trigger fires after, and for each row').waitFor()
  await choose('When', 'After')
  await choose('Enabled', /^Enabled/)
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await review()
    .getByText(/create constraint trigger stamp/)
    .first()
    .waitFor()
  await confirm('Save trigger')
  await page.getByText('constraint', { exact: true }).waitFor()
  expect(
    await sql("select tgdeferrable, tginitdeferred from pg_trigger where tgname = 'stamp'"),
  ).toEqual([{ tgdeferrable: true, tginitdeferred: true }])
  await menu('stamp', 'Delete')
  await confirm('Delete trigger')
  await page.getByText('No triggers yet').waitFor()
  await page.getByRole('tab', { name: 'Event triggers' }).click()
  await expect
    .poll(() => button('New event trigger').first().getAttribute('aria-disabled'))
    .toBe('true')
})

step('an enum gets values and new names; a type that is used says where', async () => {
  await open('types', 'Types')
  await page.getByText('positive').waitFor()
  await eyes.look('65-types')
  await button('New enum').first().click()
  await panel().getByLabel('Name').fill('mood')
  await panel().getByLabel('Value 1', { exact: true }).fill('sad')
  await panel().getByLabel('Value 2', { exact: true }).fill('sad')
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await panel().getByText('This value already exists').waitFor()
  await panel().getByLabel('Value 2', { exact: true }).fill("it's fine")
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await confirm('Create enum')
  await menu('mood', 'Edit')
  await panel().getByLabel('Value 1', { exact: true }).fill('low')
  await panel().getByRole('button', { name: 'Add a value after low' }).click()
  await panel().getByLabel('Value 2', { exact: true }).fill('so-so')
  await eyes.look('66-edit-enum')
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await confirm('Save enum')
  expect(await sql('select enum_range(null::mood)::text as is')).toEqual([
    { is: `{low,so-so,"it's fine"}` },
  ])
  await menu('odd "type', 'Delete')
  await review().getByText('public.books.mood').waitFor()
  await review().getByRole('button', { name: 'Delete type' }).click()
  await review()
    .getByText(/cannot drop type/)
    .waitFor()
  await review().getByText('Delete what depends on it too').click()
  await expect
    .poll(() => review().getByRole('button', { name: 'Delete type' }).isDisabled())
    .toBe(true)
  await review()
    .getByLabel(/to confirm/)
    .fill('odd "type')
  await confirm('Delete type')
  await button(/^place$/).click()
  await panel().getByText('character varying(10)').first().waitFor()
})

step('where the code editor cannot be loaded, a plain field takes the text', async () => {
  await page.route(/code-box/, (route) => route.abort())
  await open('functions', 'Functions')
  await button('New function').first().click()
  const body = panel().locator('textarea.mono')
  await body.fill('begin end')
  await expect.poll(() => panel().getByLabel('Body').inputValue()).toBe('begin end')
  await page.unroute(/code-box/)
})

step('the pages fit a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('functions', 'Functions')
  await page.getByText('touch').waitFor()
  await eyes.look('67-functions-phone')
  await button('New function').first().click()
  await panel().getByRole('button', { name: 'Add argument' }).click()
  await eyes.look('68-new-function-phone')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBe(390)
  // What Postgres was meant to refuse above, and the editor that was not let through.
  const meant = /400 \(Bad Request\)|ERR_FAILED/
  expect(eyes.errors.filter((error) => !meant.test(error))).toEqual([])
})
