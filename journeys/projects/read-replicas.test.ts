import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { withClient } from '#kit/postgres/client'
import type { Eyes } from '../testing/browser.ts'
import { createOrganization, createProject, databasePassword } from '../testing/client.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** A project whose reads become too many gets a copy that takes them. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    size: 'micro',
    clipboard: true,
    sql: "create table public.orders (what text); insert into public.orders values ('tea')",
  })
  ;({ page, eyes } = bench)
})

const within = { timeout: 60_000, interval: 100 }
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog').last()
const list = () => page.getByRole('table', { name: 'Read replicas' })
const row = () => list().locator('tbody tr')
const look = async (name: string) => {
  await eyes.look(name)
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(`${name}-narrow`)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}
const copied = () => page.evaluate(() => navigator.clipboard.readText())
const ask = (uri: string, query: string) =>
  withClient({ connectionString: uri }, async (client) => (await client.query(query)).rows)
async function act(deed: string) {
  await row()
    .getByRole('button', { name: /^Actions of/ })
    .click()
  await page.getByRole('menuitem', { name: deed }).click()
}

const step = story('reads go to a replica')

step('a small project says what it lacks', async () => {
  await bench.go('database/replication')
  await page.getByText('No read replica').waitFor()
  await page.getByText('Read replicas need Small compute or larger').first().waitFor()
  expect(await button('Deploy replica').getAttribute('aria-disabled')).toBe('true')
  await look('replicas-00-too-small')
  const path = `/platform/projects/${bench.ref}/billing/addons`
  const small = { addon_type: 'compute_instance', addon_variant: 'ci_small' }
  expect((await bench.ada.call('POST', path, small)).status).toBe(201)
  await expect
    .poll(async () => {
      const { body } = await bench.ada.call('GET', `/platform/projects/${bench.ref}`)
      return `${String(body['status'])} ${String(body['infra_compute_size'])}`
    }, within)
    .toBe('ACTIVE_HEALTHY small')
})

step('a replica is deployed by keyboard, and says how far behind it is', async () => {
  await bench.go('database/replication')
  await page.getByText(/\$0\.0206 an hour/).waitFor()
  await button('Deploy replica').focus()
  await page.keyboard.press('Enter')
  await dialog().getByText('The database is copied while it runs').waitFor()
  await look('replicas-01-deploy')
  await dialog().getByRole('button', { name: 'Deploy replica' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await row().getByText('Streaming').waitFor({ timeout: 60_000 })
  await row().getByText('0 B').waitFor()
  await look('replicas-02-streaming')
})

step('Connect names it, and it is read there and not written', async () => {
  await page.goto(`${page.url()}?showConnect=true`)
  await dialog().getByLabel('Database password').fill(databasePassword)
  await dialog()
    .getByRole('button', { name: /^Source/ })
    .click()
  await page.getByRole('option', { name: /^Read replica/ }).click()
  await page.getByText('A read replica takes reads alone').waitFor()
  await look('replicas-03-connect')
  await dialog().getByRole('button', { name: 'Copy URI' }).click()
  const uri = await copied()
  expect(new URL(uri).username).toMatch(new RegExp(`^postgres\\.${bench.ref}-rr-[a-z]{5}$`))
  await bench.sql("insert into public.orders values ('cake')")
  const orders = 'select what from public.orders order by 1'
  await expect.poll(() => ask(uri, orders), within).toEqual([{ what: 'cake' }, { what: 'tea' }])
  expect(await ask(uri, 'select pg_is_in_recovery() as copy')).toEqual([{ copy: true }])
  await expect(ask(uri, 'delete from public.orders')).rejects.toMatchObject({ code: '25006' })
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

step('a query of the SQL editor runs there, until the primary is chosen again', async () => {
  await bench.go('sql/new')
  const editor = page.getByRole('textbox', { name: /^SQL/ })
  await editor.waitFor()
  // The cell as the grid tells it to assistive technology; the drawn one has no text.
  const first = () => page.locator('#glide-cell-1-0').textContent()
  const write = async (sql: string) => {
    await editor.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(sql)
    await page.keyboard.press('ControlOrMeta+Enter')
  }
  const choose = async (name: RegExp) => {
    await page.getByRole('button', { name: /^Source: / }).click()
    await page.getByRole('menuitemradio', { name }).click()
  }
  await choose(/^Read replica/)
  await write("select case when pg_is_in_recovery() then 'on a replica' else 'on the primary' end")
  await expect.poll(first, within).toBe('on a replica')
  await page.getByRole('button', { name: /^Source: Replica/ }).focus()
  await eyes.look('replicas-06-sql')
  await write("insert into public.orders values ('never')")
  await page
    .getByText(/cannot execute INSERT in a read-only transaction/)
    .first()
    .waitFor()
  await choose(/^Primary/)
  await write("select case when pg_is_in_recovery() then 'on a replica' else 'on the primary' end")
  await expect.poll(first, within).toBe('on the primary')
  await bench.go('database/replication')
})

step('it becomes the primary, with all that was written', async () => {
  await act('Promote to primary')
  await dialog().getByText('No acknowledged write is lost').waitFor()
  await look('replicas-07-promote')
  await dialog().getByRole('button', { name: 'Promote to primary' }).click()
  await dialog().waitFor({ state: 'hidden' })
  const path = `/platform/projects/${bench.ref}`
  await expect
    .poll(async () => {
      const { body } = await bench.ada.call('GET', `${path}/read-replicas`)
      return `${String((await bench.ada.call('GET', path)).body['status'])} ${JSON.stringify(body['replicas'])}`
    }, within)
    .toBe('ACTIVE_HEALTHY []')
  expect(await bench.sql('select count(*)::int as n from public.orders')).toMatchObject([{ n: 2 }])
  await bench.go('database/replication')
  await page.getByText('No read replica').waitFor()
  expect((await bench.ada.call('POST', `${path}/read-replicas`)).status).toBe(201)
  await row().getByText('Streaming').waitFor({ timeout: 60_000 })
})

step('it is restarted and dropped', async () => {
  await act('Restart replica')
  await dialog().getByRole('button', { name: 'Restart replica' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await row().getByText('Streaming').waitFor({ timeout: 60_000 })
  await act('Drop replica')
  await dialog().getByText('No data is lost').waitFor()
  await look('replicas-04-drop')
  await dialog().getByRole('button', { name: 'Drop replica' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await page.getByText('No read replica').waitFor({ timeout: 60_000 })
})

step('what cannot be loaded can be tried again', async () => {
  await page.route('**/read-replicas', (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).first().waitFor({ timeout: 60_000 })
  await look('replicas-05-error')
  await page.unroute('**/read-replicas')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText('No read replica').waitFor()
  // The browser says itself which requests were broken off.
  eyes.errors.length = 0
})

step('on Free it leads to the plans', async () => {
  const { ada, platform } = bench
  const slug = await createOrganization(ada, 'Small', 'tier_free')
  const { ref } = await createProject(ada, slug, 'Small', 'nano')
  await page.goto(`${platform.url}/project/${ref}/database/replication`)
  await page.getByText('Read replicas are available on the Pro plan').first().waitFor()
  await eyes.look('replicas-free')
  await page.getByRole('link', { name: 'See plans' }).click()
  await page.waitForURL(`${platform.url}/org/${slug}/billing`)
})
