import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** The command menu of a project: its things are found by name, and what can be done is done from there. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    sql: `create table products (id int primary key);
      create table "Odd name" (id int);
      insert into auth.users (id, instance_id, aud, role, email)
        values (gen_random_uuid(), '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', 'buyer@example.com')`,
  })
  ;({ page, eyes } = bench)
  const made = await bench.ada.call('POST', `/platform/storage/${bench.ref}/buckets`, {
    name: 'pictures',
  })
  expect(made.status).toBe(201)
})

const menu = () => page.getByRole('dialog', { name: 'Command menu' })
const option = (name: string) => menu().getByRole('option', { name })

async function type(text: string) {
  if ((await menu().count()) === 0) await page.keyboard.press('ControlOrMeta+k')
  await menu().getByPlaceholder('Find a page, a thing or an action').fill(text)
}

test('tables, users, buckets and projects are found, and letters may be missing', async () => {
  await bench.go('')
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  await type('produ')
  await option('products Open in the table editor').waitFor()
  await option('Query table products').waitFor()
  await eyes.look('command-menu-00-table')
  await type('buyer')
  await option('buyer@example.com').waitFor()
  await type('pict')
  await option('pictures').click()
  await page.waitForURL(/\/storage\/(?:buckets|files)\/pictures/)
  await type('dbmigr')
  await option('Database: migrations').waitFor()
  await type('switch to shop')
  await option('Switch to Shop').waitFor()
  await page.keyboard.press('Escape')
})

test('a table is queried by its name, whatever that is', async () => {
  await type('query table odd')
  await option('Query table Odd name').click()
  await page.waitForURL(/\/sql\/[0-9a-f-]{36}/)
  // The editor draws a blank as one that does not break.
  const shown = () => page.locator('.view-lines').first().innerText()
  await expect.poll(shown).toMatch(/"Odd\sname"/)
})

test('a user is opened where the list of users is', async () => {
  // In the SQL editor the same keys ask for a change of the text.
  await bench.go('')
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  await type('buyer')
  await option('buyer@example.com').click()
  await page.waitForURL(/\/auth\/users\?user=/)
  await page.getByRole('complementary').getByText('buyer@example.com').first().waitFor()
  await page.keyboard.press('Escape')
})

test('actions of the project and its organization begin there', async () => {
  await type('create a table')
  await option('Create a table').click()
  await page.waitForURL(/\/editor\/new/)
  await page.getByRole('dialog', { name: 'New table in public' }).waitFor()
  await type('invite')
  await option('Invite a member').click()
  await page.waitForURL(/\/team\?invite=true/)
  await page.getByRole('dialog').getByLabel('Email').first().waitFor()
  await bench.go('')
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  await type('pause')
  await option('Pause project').click()
  await page.getByRole('dialog', { name: 'Pause Shop' }).waitFor()
  await page.keyboard.press('Escape')
  await type('zzzz qqqq')
  await menu().getByText('Nothing found').waitFor()
  expect(eyes.errors).toEqual([])
})

test('a dialog that a menu opened gives the focus back to the button of the menu', async () => {
  await bench.go('')
  const help = page.getByRole('button', { name: 'Help', exact: true })
  await help.click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await eyes.look('command-menu-01-shortcuts')
  await page.keyboard.press('Escape')
  await expect.poll(() => help.evaluate((button) => button === document.activeElement)).toBe(true)
})
