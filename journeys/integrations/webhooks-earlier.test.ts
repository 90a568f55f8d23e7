import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { root } from '#kit/root'
import { join as joinOrganization } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { newPerson } from '../testing/people.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** Webhooks that an earlier version enabled are brought up to date by a button, and no call that waits is lost. */
let bench: Workbench
let page: Page
let eyes: Eyes

const code = `Deno.serve(async (request) => new Response((await request.json()).record.item))`

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_team',
    sql: 'create table orders (id int primary key, item text)',
  })
  ;({ page, eyes } = bench)
  const functions = `/platform/projects/${bench.ref}/functions/hear/versions`
  const files = [{ path: 'index.ts', content: code }]
  expect((await bench.ada.call('POST', functions, { files })).status).toBe(201)
  const enabled = await bench.ada.call('POST', `/platform/database/${bench.ref}/hook-enable`)
  expect(enabled.status).toBe(201)
  await bench.sql('drop schema supabase_functions cascade')
  await bench.sql('drop extension pg_net')
  await bench.sql(await readFile(join(root, 'kit/testing/webhooks-before.sql'), 'utf8'))
  const { endpoint, serviceKey } = bench.project
  const headers = JSON.stringify({ Authorization: `Bearer ${serviceKey}` })
  await bench.sql(`create trigger of_before after insert on orders for each row
    execute function supabase_functions.http_request('${endpoint}/functions/v1/hear', 'POST', '${headers}', '{}', '5000')`)
})

const open = async (on: Page) => {
  await on.goto(`${bench.platform.url}/project/${bench.ref}/integrations/webhooks`)
  await on.getByText('Webhooks of this database are of an earlier version').waitFor()
}
const update = (on: Page) => on.getByRole('button', { name: 'Update webhooks' })
const step = story('webhooks of an earlier version')

step(
  'who may only read sees that they are of an earlier version, and cannot update them',
  async () => {
    const rita = await newPerson(bench.platform, 'rita')
    await joinOrganization(bench.platform, bench.slug, bench.ada, rita, 'Read-only')
    const reader = await openPage(bench.platform, { as: rita })
    await open(reader.page)
    await expect.poll(() => update(reader.page).getAttribute('aria-disabled')).toBe('true')
    expect(reader.eyes.errors).toEqual([])
  },
)

step(
  'the button brings them up to date: what waited is called, and what comes is listed',
  async () => {
    await open(page)
    await page.getByRole('cell', { name: 'of_before', exact: true }).waitFor()
    await eyes.look('webhooks-13-earlier')
    await page.setViewportSize({ width: 390, height: 844 })
    await eyes.look('webhooks-13-earlier-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await bench.sql(`insert into orders values (1, 'mint')`)
    await update(page).click()
    await page.getByText('Webhooks are up to date').waitFor()
    await update(page).waitFor({ state: 'hidden' })
    const answers = () => bench.sql('select content from net._http_response')
    await expect.poll(answers, { timeout: 60_000 }).toEqual([{ content: 'mint' }])
    await bench.sql(`insert into orders values (2, 'sage')`)
    await page.getByRole('button', { name: 'Actions for of_before' }).click()
    await page.getByRole('menuitem', { name: 'Calls' }).click()
    const panel = page.getByRole('dialog').first()
    const delivered = async () => {
      await panel.getByRole('button', { name: 'Refresh' }).click()
      return panel.getByText('Delivered', { exact: true }).count()
    }
    // One is the filter above the list.
    await expect.poll(delivered, { timeout: 60_000, interval: 500 }).toBe(2)
    await eyes.look('webhooks-14-updated')
    expect(eyes.errors).toEqual([])
  },
)
