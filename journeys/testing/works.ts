import type { Page } from 'playwright-core'
import type { Eyes } from './browser.ts'
import { cellText, chooseCell, places } from './grid.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

/** As wide as the columns of `works` are made when nobody has changed them. */
export const at = places([112, 208, 126, 112, 119, 116, 232, 220, 152])
export const [title, author, pages, twice, day, extra, place] = [1, 2, 3, 4, 5, 7, 8] as const

const tables = `
  create table authors (id int primary key, name text, about text);
  insert into authors select n, 'Author ' || n, e'# Of letters\\n\\n* one\\n* two' from generate_series(1, 120) n;
  create type place as (shelf text, spot int);
  create table works (
    id int generated always as identity primary key, title text, author int references authors, pages int,
    twice int generated always as (pages * 2) stored, day date, at timestamptz, extra jsonb, place place
  );
  insert into works (title, author, pages, day, at, extra, place)
    select 'Work ' || n, nullif(n, 12), n * 10, '2026-01-01', '2026-01-01 10:00:00+00', '{"n": 1}', row('A, b', n)::place
    from generate_series(1, 12) n;
  create table arranged (id int primary key, b text, c text, d text, e text, f text, g text, h text);
  insert into arranged values (1)`

export type Works = {
  bench: Workbench
  page: Page
  eyes: Eyes
  sql: Workbench['sql']
  /** Opens a table and waits for its rows. */
  open(table?: string): Promise<void>
  /** Waits until a cell shows this text. */
  shows(column: number, row: number, text: string): Promise<void>
  /** Chooses from the menu that is open. */
  item(name: string): Promise<void>
  /** The button that applies so many changes. */
  apply(count: number): ReturnType<Page['locator']>
  save(): Promise<void>
  editor(): ReturnType<Page['locator']>
  /** Opens the editor of a cell. */
  edit(column: number, row: number, of?: typeof at): Promise<void>
  /** The same, with another value. */
  type(column: number, row: number, text: string, of?: typeof at): Promise<void>
}

/** A library of works and their authors, in a browser. */
export async function openWorks(): Promise<Works> {
  const bench = await openWorkbench({
    name: 'Works',
    sql: tables,
    clipboard: true,
  })
  const { page, eyes, sql } = bench
  const works: Works = {
    bench,
    page,
    eyes,
    sql,
    async open(table = 'works') {
      const [row] = (await sql(`select '${table}'::regclass::oid::int as id`)) as { id: number }[]
      await bench.go(`editor/${row?.id}`)
      await page.locator('canvas').first().waitFor()
      await cellText(page, 0, 0).waitFor({ state: 'attached' })
    },
    shows: (column, row, text) =>
      cellText(page, column, row).filter({ hasText: text }).waitFor({ state: 'attached' }),
    item: (name) => page.getByRole('menuitem', { name }).click(),
    apply: (count) =>
      page
        .getByRole('button', { name: count === 1 ? /^Apply 1 change/ : `Apply ${count} changes` })
        .first(),
    async save() {
      await page.keyboard.press('ControlOrMeta+s')
      await page
        .getByText(/changes? applied/i)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Discard all' }).waitFor({ state: 'detached' })
    },
    editor: () => page.locator('#portal').locator('textarea, input').first(),
    async edit(column, row, of = at) {
      // A press on the cell that is chosen already would open its editor, and Enter close it.
      await page.keyboard.press('Escape')
      await chooseCell(page, of, column, row)
      await page.keyboard.press('Enter')
      await works.editor().waitFor()
    },
    async type(column, row, text, of = at) {
      await works.edit(column, row, of)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
      await page.keyboard.press('Enter')
      await works.shows(column, row, text)
    },
  }
  return works
}
