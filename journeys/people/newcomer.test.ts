import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import ws from 'ws'
import { openPage, type Eyes } from '../testing/browser.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'

/** A platform of its own, or the one that PLINTH_URL names. */
const given = process.env['PLINTH_URL']
let url: string
let page: Page
let eyes: Eyes

beforeAll(async () => {
  url = given ?? sharedPlatform().url
  ;({ page, eyes } = await openPage({ url }, { colorScheme: 'dark' }))
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const titles = ['Dune', 'Emma']

/** Adds a column to the new table by its name and type. */
async function addColumn(name: string, type: string): Promise<void> {
  const panel = page.getByRole('dialog', { name: /New table/ })
  await panel.getByRole('button', { name: 'Add column' }).click()
  await panel.getByLabel('Name').last().fill(name)
  await panel.getByRole('button', { name: /^Type/ }).last().click()
  await page.getByRole('combobox', { name: 'Type' }).fill(type)
  await page.getByRole('option', { name: new RegExp(`^${type} `) }).click()
}

async function insertRow(title: string, year: string): Promise<void> {
  await button('Insert row').first().click()
  const panel = page.getByRole('dialog', { name: /Insert a row/ })
  await panel.getByRole('textbox', { name: /^title/ }).fill(title)
  await panel.getByRole('textbox', { name: /^year/ }).fill(year)
  if (title === titles[0]) await eyes.look('07-insert-row')
  await panel.getByRole('button', { name: 'Add to changes' }).click()
  await panel.waitFor({ state: 'hidden' })
}

/** Replaces what is in the SQL editor and runs it. */
async function runSql(sql: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: /^SQL/ })
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(sql)
  await page.keyboard.press('ControlOrMeta+Enter')
}

/** Leaves the editor, which puts away the suggestions that typing brought up or is about to bring up. */
async function leaveEditor(): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await expect.poll(() => page.locator('.suggest-widget.visible').count()).toBe(0)
}

test('a newcomer signs up, makes a project and a table, types rows, runs SQL and reads them by supabase-js', async () => {
  await page.goto(url)
  await heading('Sign in')
  await eyes.look('01-sign-in')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await heading('Create an account')
  await page.getByLabel('Email').fill(`newcomer-${Date.now()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('Str0ng-enough!')
  await eyes.look('02-sign-up')
  await button('Create account').click()

  await heading('No organizations yet')
  await eyes.look('03-organizations')
  await page.getByRole('link', { name: 'New organization' }).first().click()
  await heading('New organization')
  await page.getByLabel('Name').fill('Kestrel Coffee')
  await eyes.look('04-new-organization')
  await button('Create organization').click()

  await heading('New project')
  await page.getByRole('textbox', { name: 'Name' }).fill('storefront')
  await page.getByLabel('Database password').fill('password')
  await page.getByText('This password is not acceptable.').waitFor()
  // Who is faster than the check is not let through by that.
  await page.getByLabel('Database password').fill('passwords')
  await button('Create project').click()
  await page.getByText('You need a stronger password.').waitFor()
  await button('Generate a password').click()
  await page.getByText('This password is strong.').waitFor()
  // Whether apps reach the tables is asked, and the answer that is safe is chosen.
  await expect
    .poll(() => page.getByRole('radio', { name: /^Private until granted/ }).isChecked())
    .toBe(true)
  await expect
    .poll(() => page.getByRole('radio', { name: /^Granted at once/ }).isChecked())
    .toBe(false)
  await eyes.look('05-new-project')
  // Nor does who is faster have to press twice.
  await button('Generate a password').click()
  await button('Create project').click()

  await heading('storefront')
  await page.getByText('Healthy').first().waitFor()
  await eyes.look('06-project-home')
  const ref = /project\/([a-z]{20})/.exec(page.url())?.[1] ?? ''
  const endpoint = await valueOf('Project URL')
  const anonKey = await valueOf('Anon key')
  expect(endpoint).toContain(ref)

  await page.getByRole('link', { name: /^Table editor/ }).click()
  await page.getByRole('main').getByRole('link', { name: 'New table' }).click()
  const panel = page.getByRole('dialog', { name: /New table/ })
  await panel.getByLabel('Name').first().fill('books')
  await addColumn('title', 'text')
  await addColumn('year', 'int4')
  await panel.getByText('New tables of this project are private').waitFor()
  await panel.getByText('anybody with the public key').click()
  await eyes.look('06-new-table')
  await panel.getByRole('button', { name: 'Create table' }).click()
  const review = page.getByRole('dialog', { name: 'Create table' })
  await review.getByText('create table public.books').waitFor()
  await review.getByText('grant all on table public.books to anon').waitFor()
  await review.getByRole('button', { name: 'Create table' }).click()
  await heading('books')
  await insertRow('Dune', '1965')
  await insertRow('Emma', '1815')
  await eyes.look('08-staged-rows')
  await button(/^Apply 2 changes/)
    .first()
    .click()
  await page.getByText('2 rows').first().waitFor()
  await eyes.look('09-table')

  await page.getByRole('link', { name: /^SQL editor/ }).click()
  await page.getByRole('textbox', { name: /^SQL/ }).waitFor()
  await runSql(
    "create policy readable on books for select to anon using (title = 'Dune');\nselect title, year from books order by year;",
  )
  await page.getByText('2 rows').first().waitFor()
  await page.mouse.move(720, 450)
  await leaveEditor()
  await eyes.look('10-sql-editor')
  await runSql('selec title from books;')
  await page
    .getByText(/syntax error/)
    .first()
    .waitFor()
  await eyes.look('11-sql-error')

  const serviceKey = await revealedServiceKey(ref)
  const read = async (key: string) => {
    // The two packages declare the same constructor differently.
    const client = createClient(endpoint, key, { realtime: { transport: ws as never } })
    const { data, error } = await client.from('books').select('title, year').order('year')
    expect(error).toBeNull()
    return data
  }
  expect(await read(anonKey)).toEqual([{ title: 'Dune', year: 1965 }])
  expect(await read(serviceKey)).toEqual([
    { title: 'Emma', year: 1815 },
    { title: 'Dune', year: 1965 },
  ])
  await settings(ref)
  await phone(ref)
  expect(eyes.errors).toEqual([])
})

/** What stands in the box with this label on the project's home page. */
const valueOf = async (label: string): Promise<string> =>
  (await page.locator('.labelled', { hasText: label }).locator('.ell').textContent()) ?? ''

async function revealedServiceKey(ref: string): Promise<string> {
  await page.goto(`${url}/project/${ref}`)
  await button(/^Reveal .*service/i).click()
  return valueOf('Service key')
}

/** Pauses, resumes, and looks at what deleting asks; the project stays. */
async function settings(ref: string): Promise<void> {
  await page.goto(`${url}/project/${ref}/settings/general`)
  await heading(/settings|General/i)
  await eyes.look('12-settings')
  await button('Pause project').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause project' }).click()
  await page.getByText('Paused').first().waitFor()
  await page.goto(`${url}/project/${ref}`)
  await button(/^Resume/)
    .first()
    .waitFor()
  await eyes.look('13-paused')
  await button(/^Resume/)
    .first()
    .click()
  await page.getByText('Healthy').first().waitFor()
}

/** Nothing may stick out of a narrow screen. */
async function phone(ref: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  const pages = [
    ['organizations', '/organizations', page.getByRole('heading', { name: 'Organizations' })],
    ['home', `/project/${ref}`, page.getByRole('heading', { name: 'storefront' })],
    ['tables', `/project/${ref}/editor`, page.getByRole('link', { name: /^books/ })],
    ['sql', `/project/${ref}/sql/new`, page.getByRole('textbox', { name: /^SQL/ })],
  ] as const
  for (const [name, path, sign] of pages) {
    await page.goto(url + path)
    await sign.first().waitFor()
    await eyes.look(`20-phone-${name}`)
    const sticksOut = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect(sticksOut, `${path} at 390 px`).toBe(false)
  }
}
