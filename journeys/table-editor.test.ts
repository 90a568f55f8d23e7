import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, watch, type Eyes } from './browser.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
} from './client.ts'
import { startPlatform, type Platform } from './platform.ts'

let platform: Platform
let browser: Browser
let page: Page
let eyes: Eyes
let ada: Person
let ref: string
const email = 'ada@example.com'
const password = 'Str0ng-enough!'

beforeAll(async () => {
  platform = await startPlatform()
  ada = await signUp(platform.url, email, password)
  const project = await createProject(ada, await createOrganization(ada, 'Acme'), 'Books')
  ref = project.ref
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await runSql(
    ada,
    ref,
    `create table books (id int primary key, title text, pages int, lent boolean, day date, extra jsonb);
     insert into books select n, 'Title ' || n, n, false, '2026-01-01', '{"n": 1}' from generate_series(1, 250) n`,
  )
  browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  eyes = watch(page)
  await page.goto(`${platform.url}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
})
afterAll(async () => {
  await browser.close()
  await platform.dispose()
})

const sql = (query: string) => runSql(ada, ref, query)

async function openTable(search = ''): Promise<void> {
  await page.goto(`${platform.url}/project/${ref}/editor`)
  await page.getByRole('link', { name: /^books/ }).click()
  await page.getByRole('heading', { name: 'books' }).waitFor()
  if (search) await page.goto(`${page.url()}${page.url().includes('?') ? '&' : '?'}${search}`)
  await page
    .getByText(/250 rows/)
    .first()
    .waitFor()
}

/** Chooses the cell of the first row in this column, counted from 0. The grid is drawn, so the mouse needs a place. */
async function choose(column: number): Promise<void> {
  const box = await page.locator('canvas').first().boundingBox()
  if (!box) throw new Error('There is no grid')
  await page.mouse.click(box.x + 70, box.y + 46)
  await chosen(0)
  for (let step = 1; step <= column; step++) {
    await page.keyboard.press('ArrowRight')
    await chosen(step)
  }
}

/** The grid tells assistive technology where it stands; a key that is pressed sooner may go to the cell before. */
const chosen = (column: number) =>
  page.locator(`#glide-cell-${column + 1}-0[aria-selected=true]`).waitFor({ state: 'attached' })

async function typeInto(column: number, text: string): Promise<void> {
  await choose(column)
  await page.keyboard.press('Enter')
  const editor = page.locator('#portal').locator('input, textarea, [role=combobox]').first()
  await editor.waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
  await page.keyboard.press('Enter')
  await editor.waitFor({ state: 'detached' })
}

test('cells of each kind are edited with the keyboard, staged, looked over and applied together', async () => {
  await openTable()
  await typeInto(1, 'Dune')
  await typeInto(2, '412')
  await typeInto(4, '1965-08-01')
  await eyes.look('40-staged-cells')
  expect(await sql('select title from books where id = 1')).toEqual([{ title: 'Title 1' }])
  await page
    .getByRole('button', { name: /^Apply 1 change/ })
    .first()
    .click()
  await page.getByText('Change applied').first().waitFor()
  expect(await sql('select title, pages, day::text from books where id = 1')).toEqual([
    { title: 'Dune', pages: 412, day: '1965-08-01' },
  ])
})

test('a value that its type refuses changes nothing and says why', async () => {
  await openTable()
  await runSql(ada, ref, 'alter table books add constraint short check (length(title) < 20)')
  await typeInto(1, 'A title that is much too long for this')
  await page
    .getByRole('button', { name: /^Apply 1 change/ })
    .first()
    .click()
  await page
    .getByText(/violates check constraint/)
    .first()
    .waitFor()
  expect(await sql('select title from books where id = 1')).toEqual([{ title: 'Dune' }])
})

test('what somebody else changed meanwhile is a conflict, not a lost edit', async () => {
  await openTable()
  await typeInto(1, 'Mine')
  await sql("update books set title = 'Theirs' where id = 1")
  await page
    .getByRole('button', { name: /^Apply 1 change/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Take theirs' }).waitFor()
  await eyes.look('41-conflict')
  expect(await sql('select title from books where id = 1')).toEqual([{ title: 'Theirs' }])
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page
    .getByRole('button', { name: /^Apply 1 change/ })
    .first()
    .click()
  await page.getByText('Change applied').first().waitFor()
  expect(await sql('select title from books where id = 1')).toEqual([{ title: 'Mine' }])
})

test('pages follow each other by key, without gaps', async () => {
  await openTable()
  await page.getByText(/Page 1 of 3/).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText(/Page 2 of 3/).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText(/Page 3 of 3/).waitFor()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await page.getByText(/Page 2 of 3/).waitFor()
})
