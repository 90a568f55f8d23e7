import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { branchRef as refOf, migrate } from '../testing/growth/branches.ts'
import type { Eyes } from '../testing/browser.ts'
import { createOrganization, createProject, type Account } from '../testing/client.ts'
import { story } from '../testing/story.ts'
import { openWorkbench } from '../testing/workbench.ts'

let page: Page
let eyes: Eyes
let ada: Account
let url: string
let ref: string

const change = (of: string, name: string, query: string) => migrate(ada, of, name, query)
const tables = async (of: string) => {
  const { body } = await ada.call('POST', `/v1/projects/${of}/database/query`, {
    query: `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  })
  return Object.values(body).map((row) => (row as { relname: string }).relname)
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = (name: string) => page.locator('tbody tr').filter({ hasText: name })
const branchRef = (name: string) => refOf(ada, ref, name)

beforeAll(async () => {
  const bench = await openWorkbench({ name: 'Books', newTables: 'private' })
  ;({ ada, ref, page, eyes } = bench)
  url = bench.platform.url
  await change(ref, 'books', 'create table public.books (id int primary key)')
})

const step = story('a change is tried in a branch and merged into main')

step('a project has main, and a branch is made by keyboard', async () => {
  await page.goto(`${url}/project/${ref}`)
  await page.getByRole('button', { name: 'Switch branch' }).click()
  await page.getByRole('link', { name: 'Manage branches' }).click()
  await page.getByText('No branches beside main').waitFor()
  await eyes.look('10-branches-none')
  await button('Create branch').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('new shop')
  await page.keyboard.press('Enter')
  await dialog.getByText('Use letters, digits, dots').waitFor()
  await eyes.look('11-branch-form')
  await dialog.getByLabel('Name').fill('shop')
  await dialog.getByLabel('Git branch').fill('feat/shop')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await row('shop').getByText('Ready').waitFor({ timeout: 60_000 })
  await eyes.look('12-branches')
})

step('the breadcrumb leads to it and back, and it has what main has', async () => {
  await page.getByRole('button', { name: 'Switch branch' }).click()
  await eyes.look('20-switcher')
  await page.getByRole('option', { name: 'shop' }).click()
  const shop = await branchRef('shop')
  await page.waitForURL(`**/project/${shop}`)
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('shop').waitFor()
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByText('Books', { exact: true })
    .waitFor()
  expect(await tables(shop)).toEqual(['books'])
  await page.getByRole('button', { name: 'Switch branch' }).click()
  await page.getByRole('option', { name: 'main' }).click()
  await page.waitForURL(`**/project/${ref}`)
})

/** The migrations to be merged are run on a copy of main: one that fails is named, and then they pass. */
async function triedOnACopy(shop: string): Promise<void> {
  await change(
    shop,
    'isbn',
    'alter table public.books alter column id type bigint;\nalter table public.books add check (id > 1)',
  )
  await ada.call('POST', `/v1/projects/${ref}/database/query`, {
    query: 'insert into public.books values (1)',
  })
  await page.reload()
  await page.getByText('isbn').first().waitFor()
  await button('Check migrations').click()
  await page.getByText('Failed on a copy of main').waitFor({ timeout: 120_000 })
  await page.getByText(/violated by some row/).waitFor()
  await eyes.look('30-check-failed')
  await ada.call('POST', `/v1/projects/${ref}/database/query`, {
    query: 'update public.books set id = 2',
  })
  await button('Check migrations').click()
  await page.getByText('Passed on a copy of main').waitFor({ timeout: 120_000 })
  await page.getByText('Rewrites').waitFor()
  await page.getByText('blocks reads and writes until the migration ends').waitFor()
  await eyes.look('30-check-passed')
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('30-check-narrow')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.setViewportSize({ width: 1440, height: 900 })
}

step('what the branch has is compared, and merged once it is up to date', async () => {
  const shop = await branchRef('shop')
  await change(shop, 'orders', 'create table public.orders (id int primary key)')
  await change(ref, 'authors', 'create table public.authors (id int primary key)')
  // Both may be of this second, and a journey does not wait for the next one.
  await ada.call('POST', `/v1/projects/${ref}/database/query`, {
    query: `update supabase_migrations.schema_migrations set version = '20200101000000' where name = 'authors'`,
  })
  await page.goto(`${url}/project/${ref}/branches`)
  await row('shop').getByRole('link', { name: 'Compare' }).click()
  await page.getByText('On main, and not on this branch').waitFor()
  await eyes.look('30-behind')
  const merge = button('Merge into main')
  await expect.poll(() => merge.getAttribute('aria-disabled')).toBe('true')
  await button('Update from main').click()
  await page.getByText('On main, and not on this branch').waitFor({ state: 'hidden' })
  await page.getByText('orders').first().click()
  await page.getByText('create table public.orders').waitFor()
  await expect.poll(() => merge.getAttribute('aria-disabled')).toBeNull()
  await merge.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 migration will be run on main').waitFor()
  await dialog.getByText('Not checked').waitFor()
  await eyes.look('31-merge')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await triedOnACopy(shop)
  await merge.click()
  await dialog.getByText('rewrites public.books').waitFor()
  await eyes.look('31-merge-checked')
  await dialog.getByRole('button', { name: 'Merge into main' }).click()
  await page.getByText('Merged into main', { exact: true }).waitFor()
  await page.getByText('This branch has nothing that main has not.').waitFor()
  await eyes.look('32-merged')
  expect(await tables(ref)).toEqual(['authors', 'books', 'orders'])
})

step('settings go along; what both sides have changed is chosen in the update', async () => {
  const shop = await branchRef('shop')
  const auth = (of: string, change: object) =>
    ada.call('PATCH', `/platform/auth/${of}/config`, change)
  await auth(ref, { JWT_EXP: 1800, MAILER_OTP_EXP: 900 })
  await auth(shop, { JWT_EXP: 7200, PASSWORD_MIN_LENGTH: 12 })
  await ada.call('POST', `/v1/projects/${shop}/database/query`, {
    query: `insert into storage.buckets (id, name, public) values ('covers', 'covers', true)`,
  })
  await page.reload()
  await page.getByText('Settings were changed here and on main').waitFor()
  await page.getByText('PASSWORD_MIN_LENGTH').waitFor()
  await eyes.look('33-settings')
  await button('Request merge').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('Longer passwords')
  // Whoever asks is no reviewer, and there is nobody else.
  await form.getByText('No other member of the organization can merge this branch.').waitFor()
  await eyes.look('33-request-form')
  await form.getByRole('button', { name: 'Request merge' }).click()
  await page.getByText('Longer passwords').waitFor()
  await page.getByLabel('Comment').fill('Please look at the buckets')
  await button('Comment').click()
  await page.getByRole('listitem').getByText('Please look at the buckets').waitFor()
  // Nobody approves what they have asked for.
  await expect.poll(() => button('Approve').getAttribute('aria-disabled')).toBe('true')
  await eyes.look('33-request')
  await button('Update from main').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Take the value of main').click()
  await eyes.look('34-choose-side')
  await dialog.getByRole('button', { name: 'Update from main' }).click()
  await page.getByText('Settings were changed here and on main').waitFor({ state: 'hidden' })
  await expect.poll(() => button('Merge into main').getAttribute('aria-disabled')).toBeNull()
  await button('Merge into main').click()
  await dialog.getByText('2 settings will be changed there').waitFor()
  await dialog.getByRole('button', { name: 'Merge into main' }).click()
  await page.getByText('This branch has nothing that main has not.').waitFor()
  await button('Request merge').waitFor()
  const main = await ada.call('GET', `/platform/auth/${ref}/config`)
  expect(main.body).toMatchObject({ JWT_EXP: 1800, MAILER_OTP_EXP: 900, PASSWORD_MIN_LENGTH: 12 })
})

step('a merge that fails says where, and what it would do is still to be merged', async () => {
  const shop = await branchRef('shop')
  await change(shop, 'taken', 'create table public.taken (id int)')
  await ada.call('POST', `/v1/projects/${ref}/database/query`, {
    query: 'create table public.taken (id int)',
  })
  await page.reload()
  await button('Request merge').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('Taken names')
  await form.getByRole('button', { name: 'Request merge' }).click()
  await form.waitFor({ state: 'hidden' })
  // Who decides about it sees what is known of its migrations.
  const request = page.locator('.card').filter({ hasText: 'Taken names' })
  await request.getByText('Migration check:').waitFor()
  await eyes.look('39-request-check')
  await button('Close request').click()
  await button('Request merge').waitFor()
  await button('Merge into main').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge into main' }).click()
  await page.getByText('The last job on this branch failed').waitFor()
  await page
    .getByText(/Migration \d+ taken failed: .*already exists/)
    .first()
    .waitFor()
  await page.getByText('Migrations failed').waitFor()
  await eyes.look('40-failed')
})

step('a branch is renamed, reset and deleted', async () => {
  await page.goto(`${url}/project/${ref}/branches`)
  const act = async (name: string, deed: string) => {
    await page.getByRole('button', { name: `Actions of ${name}` }).click()
    await page.getByRole('menuitem', { name: deed }).click()
    return page.getByRole('dialog')
  }
  let dialog = await act('shop', 'Edit branch')
  await dialog.getByLabel('Name').fill('store')
  await dialog.getByText(/^Persistent/).click()
  await dialog.getByRole('button', { name: 'Save branch' }).click()
  await row('store').getByText('Persistent').waitFor()
  dialog = await act('store', 'Reset branch')
  await eyes.look('50-reset')
  await dialog.getByRole('button', { name: 'Reset branch' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row('store').getByText('Ready').waitFor({ timeout: 60_000 })
  expect(await tables(await branchRef('store'))).toEqual(['authors', 'books', 'orders'])
  dialog = await act('store', 'Delete branch')
  await dialog.getByRole('textbox').fill('store')
  await dialog.getByRole('button', { name: 'Delete branch' }).click()
  await page.getByText('No branches beside main').waitFor({ timeout: 60_000 })
  expect(eyes.errors).toEqual([])
})

step('Free has none, and says which plan has', async () => {
  const slug = await createOrganization(ada, 'Small', 'tier_free')
  const small = await createProject(ada, slug, 'Small', 'nano')
  await page.goto(`${url}/project/${small.ref}/branches`)
  await page.getByText('Branches are available on the Pro plan and above').waitFor()
  await expect.poll(() => button('Create branch').getAttribute('aria-disabled')).toBe('true')
  await eyes.look('branches-free')
  await page.getByRole('link', { name: 'See plans' }).click()
  await page.waitForURL(`${url}/org/${slug}/billing`)
})
