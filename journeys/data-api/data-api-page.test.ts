import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** What of the database apps reach over HTTP, set on its page and felt at once by who asks. */
let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    newTables: 'private',
    sql: `create schema app; create table app.books (id int primary key);
      grant usage on schema app to anon; grant select on app.books to anon;
      insert into app.books values (1), (2), (3)`,
  })
  ;({ page, eyes } = bench)
})

const save = () => page.getByRole('button', { name: 'Save' }).click()
const saved = () => page.getByText('Data API saved').first().waitFor()
async function books(): Promise<unknown> {
  const keys = await bench.ada.call('GET', `/platform/projects/${bench.ref}/settings`)
  const [anon] = (keys.body as { service_api_keys: { api_key: string }[] }).service_api_keys
  const apikey = anon?.api_key ?? ''
  const headers = { apikey, 'accept-profile': 'app' }
  const response = await fetch(`${bench.project.endpoint}/rest/v1/books`, { headers })
  const body: unknown = await response.json()
  return Array.isArray(body) ? body.length : response.status
}

const step = story('the settings of the data API, felt by who asks it')

step('a schema is reached once it is exposed, and as many rows as are allowed', async () => {
  expect(await books()).toBe(406)
  await bench.go('settings/api')
  await page.getByRole('heading', { name: 'Data API', level: 1 }).waitFor()
  await page.getByText(`${bench.project.endpoint}/rest/v1`).waitFor()
  await page.getByRole('button', { name: 'Exposed schemas', exact: true }).click()
  await page.getByRole('option', { name: 'app' }).click()
  await page.getByLabel('Max rows').fill('none')
  await save()
  await page.getByText('A whole number from 1 to 1000000').waitFor()
  await page.getByLabel('Max rows').fill('2')
  await save()
  await saved()
  await expect.poll(books).toBe(2)
  await page.reload()
  await page.getByRole('button', { name: 'Remove app from exposed schemas' }).waitFor()
  await eyes.look('data-api-00-settings')
})

step(
  'what the server refuses is said at its field, and what is typed can be taken back',
  async () => {
    await page.getByLabel('Pool size').fill('999')
    await save()
    await page.getByText(/^The database takes \d+ connections in all/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByLabel('Pool size').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Exposed schemas', exact: true }).click()
    await page.getByRole('option', { name: 'auth', exact: true }).click()
    await page.getByText('auth belongs to the platform').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  },
)

/** The documentation of a table that SQL has just made. */
async function docsOf(table: string): Promise<void> {
  await bench.sql(`create table if not exists ${table} (id int primary key)`)
  await bench.go('api')
  await page.getByRole('link', { name: table, exact: true }).first().click()
  await page.getByRole('heading', { name: table, level: 1 }).waitFor()
  await page.getByLabel(`Columns of ${table}`).waitFor()
}

step('new tables are private until the owner says otherwise, and pages say so', async () => {
  const note = page.getByText('is not granted to apps')
  await docsOf('drafts')
  await note.waitFor()
  await eyes.look('data-api-01-not-granted')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('tab', { name: 'App Frameworks' }).click()
  await page.getByText('New tables of this project are private').waitFor()
  await bench.go('settings/api')
  await page.getByRole('radio', { name: /^Granted at once/ }).check({ force: true })
  await save()
  await saved()
  await docsOf('shown')
  await expect.poll(() => note.count()).toBe(0)
  await bench.go('settings/api')
  await page.getByText('For tables and views created from now on').waitFor()
  await expect
    .poll(() => page.getByRole('radio', { name: /^Granted at once/ }).isChecked())
    .toBe(true)
})

step('switching it off asks, and then nothing is reached', async () => {
  await page.getByText('Enable the data API').click()
  await save()
  const asking = page.getByRole('dialog', { name: 'Disable the data API?' })
  await asking.getByRole('button', { name: 'Disable' }).click()
  await saved()
  await expect.poll(books).not.toBe(2)
  await page.reload()
  await page.getByLabel('Max rows').waitFor()
  await expect.poll(() => page.getByLabel('Enable the data API').isChecked()).toBe(false)
  expect(eyes.errors.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
})
