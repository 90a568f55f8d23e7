import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { branchRef } from '../testing/growth/branches.ts'
import type { Eyes } from '../testing/browser.ts'
import type { Account } from '../testing/client.ts'
import { story } from '../testing/story.ts'
import { openWorkbench } from '../testing/workbench.ts'

let page: Page
let eyes: Eyes
let ada: Account
let url: string
let ref: string

async function sql(of: string, query: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await ada.call('POST', `/v1/projects/${of}/database/query`, { query })
  expect(status, JSON.stringify(body)).toBe(201)
  return Object.values(body) as Record<string, unknown>[]
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = (name: string) => page.locator('tbody tr').filter({ hasText: name })

beforeAll(async () => {
  const bench = await openWorkbench({ name: 'Books', newTables: 'private' })
  ;({ ada, ref, page, eyes } = bench)
  url = bench.platform.url
  await sql(
    ref,
    `create table public.readers (id int primary key, email text not null, age int);
     insert into public.readers select n, 'reader-' || n || '@private.example', n from generate_series(1, 9) n`,
  )
})

const step = story('a branch gets the data of main, but for what is masked')

step('columns are masked by a list, and what does not fit is said before', async () => {
  await page.goto(`${url}/project/${ref}/branches`)
  await page.getByText('No masked columns').waitFor()
  await eyes.look('10-no-masks')
  await button('Add column').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Column' }).fill('readers.email')
  await page.keyboard.press('Enter')
  await dialog.getByText('Write it as schema.table.column').waitFor()
  await dialog.getByRole('textbox', { name: 'Column' }).fill('public.readers.email')
  await dialog.getByText(/^Null/).click()
  await dialog.getByRole('button', { name: 'Add column' }).click()
  await dialog.getByText('public.readers.email cannot be null. Choose another value').waitFor()
  await eyes.look('11-mask-refused')
  expect(eyes.errors.splice(0).every((line) => line.includes('status of 400'))).toBe(true)
  await dialog.getByText('Made-up email').click()
  await dialog.getByRole('button', { name: 'Add column' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row('public.readers.email').getByText('Made-up email').waitFor()
  await eyes.look('12-masks')
})

step('branches are paused after hours that the project chooses', async () => {
  await page.getByLabel('After').fill('0')
  await page.getByText('Enter a number from 1 to 720').waitFor()
  await page.getByLabel('After').fill('8')
  const form = page.locator('form').filter({ has: page.getByLabel('After') })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The pausing of branches is saved').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('After').inputValue()).toBe('8')
})

step(
  'a branch with data has the rows of main, and made-up values in the masked column',
  async () => {
    await button('Create branch').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('real')
    await dialog.getByText('Data of main').click()
    await dialog.getByText('1 column is masked.').waitFor()
    await eyes.look('20-branch-form')
    await dialog.getByRole('button', { name: 'Create branch' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await row('real').getByText('Ready').waitFor({ timeout: 120_000 })
    await row('real').getByText('With data').waitFor()
    await eyes.look('21-branches')
    const real = await branchRef(ada, ref, 'real')
    expect(
      await sql(real, 'select id, email from public.readers where id < 3 order by id'),
    ).toEqual([
      { id: 1, email: 'user-1@example.com' },
      { id: 2, email: 'user-2@example.com' },
    ])
    await row('real').getByRole('link', { name: 'Compare' }).click()
    await page.getByText('Masked: public.readers.email').waitFor()
    await page.getByText('This branch has nothing that main has not.').waitFor()
    await eyes.look('22-log')
  },
)

step('a list that no longer fits stops the next branch, and says why', async () => {
  await sql(ref, 'alter table public.readers rename column email to mail')
  await page.goto(`${url}/project/${ref}/branches`)
  await button('Create branch').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('stopped')
  await dialog.getByText('Data of main').click()
  await dialog.getByRole('button', { name: 'Create branch' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row('stopped').getByText('Failed to start').waitFor({ timeout: 120_000 })
  await row('stopped').getByRole('link', { name: 'Compare' }).click()
  await page.getByText('public.readers.email does not exist').first().waitFor()
  await eyes.look('30-stopped')
})

step('a column is taken from the list', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}/project/${ref}/branches`)
  await row('public.readers.email').waitFor()
  await page.getByRole('heading', { name: 'Pausing' }).scrollIntoViewIfNeeded()
  await eyes.look('40-narrow')
  await button('Stop masking public.readers.email').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop masking' }).click()
  await page.getByText('No masked columns').waitFor()
  expect(eyes.errors).toEqual([])
})
