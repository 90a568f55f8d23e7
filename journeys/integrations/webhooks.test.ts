import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import { join } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { newPerson } from '../testing/people.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** A webhook from being enabled to its deletion: it calls an edge function, and what it may not call it says. */
let bench: Workbench
let page: Page
let eyes: Eyes
/** Who may read and not change. */
let reader: { page: Page; eyes: Eyes }

/** Answers in words what it was told; without a token of the project nobody reaches it. */
const code = `Deno.serve(async (request) => {
  const body = request.method === 'POST' ? await request.json() : {}
  const of = new URL(request.url).searchParams.get('of')
  return new Response([request.method, body.type, body.table, body.record?.item, of].join(' '))
})`

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    tier: 'tier_team',
    sql: `create table orders (id int primary key, item text);
      create view open_orders as select * from orders`,
  })
  ;({ page, eyes } = bench)
  const deployed = await bench.ada.call(
    'POST',
    `/platform/projects/${bench.ref}/functions/hear/versions`,
    { files: [{ path: 'index.ts', content: code }] },
  )
  expect(deployed.status).toBe(201)
})

const open = async (on = page) => {
  await on.goto(`${bench.platform.url}/project/${bench.ref}/integrations/webhooks`)
  await on.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
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
const menu = async (of: string, item: string, on = page) => {
  await on.getByRole('button', { name: `Actions for ${of}` }).click()
  await on.getByRole('menuitem', { name: item }).click()
}
const calls = (on = page) =>
  on
    .getByRole('dialog')
    .first()
    .getByRole('row')
    .filter({ has: on.getByRole('button') })
/** What the newest call came to, once it says this. */
async function comesTo(wanted: RegExp): Promise<void> {
  const newest = async () => {
    await panel().getByRole('button', { name: 'Refresh' }).click()
    const shown = calls().nth(0)
    return (await shown.count()) === 0 ? '' : shown.innerText()
  }
  await expect.poll(newest, { timeout: 60_000, interval: 500 }).toMatch(wanted)
}
const openNewest = () => calls().first().getByRole('button').click()
const rows = () =>
  createClient(bench.project.endpoint, bench.project.serviceKey, {
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
  }).from('orders')

const step = story('a webhook from being enabled to its deletion')

step('webhooks are enabled by those who may', async () => {
  const rita = await newPerson(bench.platform, 'rita')
  await join(bench.platform, bench.slug, bench.ada, rita, 'Read-only')
  reader = await openPage(bench.platform, { as: rita })
  await open(reader.page)
  const denied = reader.page.getByRole('button', { name: 'Enable webhooks' })
  await expect.poll(() => denied.getAttribute('aria-disabled')).toBe('true')
  await open()
  await page.getByText('Webhooks are not enabled yet').waitFor()
  await eyes.look('webhooks-00-not-enabled')
  await button('Enable webhooks').click()
  await page.getByText('No webhooks yet').waitFor()
  await eyes.look('webhooks-01-none')
})

step('one that calls an edge function is made, and a new row calls it', async () => {
  await button('Create webhook').first().click()
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await panel().getByText('Choose a table').waitFor()
  await panel().getByText('Give an address').waitFor()
  await eyes.look('webhooks-02-refused')
  await panel()
    .getByRole('button', { name: /^Table:/ })
    .click()
  await page.getByRole('option', { name: 'orders' }).first().waitFor()
  // A view has no rows of its own that a trigger fires after.
  await expect.poll(() => page.getByRole('option', { name: 'open_orders' }).count()).toBe(0)
  await page.getByRole('option', { name: 'orders' }).first().click()
  await expect
    .poll(() => panel().getByLabel('Name', { exact: true }).inputValue())
    .toBe('orders_webhook')
  await panel().getByRole('button', { name: 'Edge function', exact: true }).click()
  await choose('Edge function', 'hear')
  await panel().getByText('This function requires a token').waitFor()
  await eyes.look('webhooks-03-token')
  await panel().getByRole('button', { name: 'Send the service key' }).click()
  await panel().getByText('This function requires a token').waitFor({ state: 'hidden' })
  await panel().getByRole('button', { name: 'Add parameter' }).click()
  await panel().getByLabel('Name of parameter 1').fill('of')
  await panel().getByLabel('Value of parameter 1').fill('the shop')
  await eyes.look('webhooks-04-new')
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await review().getByText('This SQL contains a key').waitFor()
  await eyes.look('webhooks-05-review')
  await confirm('Create webhook')
  await page.getByRole('cell', { name: 'INSERT', exact: true }).waitFor()
  await page.getByRole('link', { name: 'hear', exact: true }).waitFor()
  await eyes.look('webhooks-06-list')
  expect(
    await bench.sql('select name from supabase_migrations.schema_migrations order by version'),
  ).toEqual([{ name: 'create_trigger_orders_webhook' }])

  await menu('orders_webhook', 'Calls')
  await panel().getByText('No calls yet').waitFor()
  expect((await rows().insert({ id: 1, item: 'tea' })).error).toBeNull()
  await comesTo(/Delivered[^]*200/)
  await eyes.look('webhooks-07-calls')
  await openNewest()
  await panel().getByText('Response', { exact: true }).click()
  await panel().getByText('POST INSERT orders tea the shop').waitFor()
  await panel().getByText('webhook-id', { exact: true }).waitFor()
  // The key that it sends is not shown.
  await expect
    .poll(() => panel().getByLabel('Headers of the request', { exact: true }).innerText())
    .toMatch(/Authorization: •+/)
  await eyes.look('webhooks-07-call')
  await panel().getByRole('button', { name: 'All calls' }).click()
  await page.keyboard.press('Escape')
})

step('a private address is not called, and the calls say so', async () => {
  await button('Create webhook').first().click()
  await choose('Table', 'orders')
  await expect
    .poll(() => panel().getByLabel('Name', { exact: true }).inputValue())
    .toBe('orders_webhook_2')
  await panel().getByLabel('Name', { exact: true }).fill('inward')
  await panel().getByText('INSERT', { exact: true }).click()
  await panel().getByText('UPDATE', { exact: true }).click()
  await panel().getByLabel('URL').fill('http://10.0.0.1/')
  await panel().getByText('Anyone on the network path can read').waitFor()
  await panel().getByLabel('URL').fill('https://10.0.0.1/')
  await panel().getByText('Addresses of private networks are refused').waitFor()
  await panel().getByLabel('Timeout').fill('50')
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await panel().getByText('A number of milliseconds from 1000 to 10000').waitFor()
  await panel().getByLabel('Timeout').fill('2000')
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await confirm('Create webhook')
  expect((await rows().update({ item: 'green tea' }).eq('id', 1)).error).toBeNull()
  await menu('inward', 'Calls')
  await comesTo(/Dead letter[^]*10\.0\.0\.1 is not a public address/)
  // The other one waits for new rows only.
  await expect.poll(() => calls().count()).toBe(1)
  await eyes.look('webhooks-08-refused-call')
  await page.keyboard.press('Escape')
})

step('it is edited, and calls as it says now', async () => {
  await menu('inward', 'Edit')
  await panel().getByText('INSERT', { exact: true }).waitFor()
  await expect
    .poll(() => panel().getByRole('button', { name: 'Review SQL' }).isDisabled())
    .toBe(true)
  await panel().getByRole('button', { name: 'Edge function', exact: true }).click()
  await choose('Edge function', 'hear')
  await choose('Method', /^GET/)
  await panel().getByRole('button', { name: 'Send the service key' }).click()
  await panel().getByLabel('Name of header 1').waitFor()
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await confirm('Save webhook')
  expect((await rows().update({ item: 'mate' }).eq('id', 1)).error).toBeNull()
  await menu('inward', 'Calls')
  await comesTo(/Delivered[^]*200/)
  await expect.poll(() => calls().count()).toBe(2)
  await panel().getByRole('button', { name: 'Dead letters', exact: true }).click()
  await expect.poll(() => calls().count()).toBe(1)
  await panel().getByRole('button', { name: 'Replay', exact: true }).click()
  // What would be replayed is counted first.
  await review().getByText('1 call matches.').waitFor()
  await review().getByRole('button', { name: 'Both', exact: true }).click()
  await review().getByText('2 calls match.').waitFor()
  await review().getByLabel('Requested from').fill('2020-01-02T00:00:00')
  await review().getByLabel('Requested until').fill('2020-01-01T00:00:00')
  await review().getByText('The end must be after the beginning').waitFor()
  const verb = review().getByRole('button', { name: /^Replay/ })
  await expect.poll(() => verb.isDisabled()).toBe(true)
  await review().getByLabel('Requested until').fill('2020-01-03T00:00:00')
  await review().getByText('No call matches.').waitFor()
  await expect.poll(() => verb.isDisabled()).toBe(true)
  await review().getByLabel('Requested until').fill('')
  await review().getByRole('button', { name: 'Dead letters', exact: true }).click()
  await review().getByText('1 call matches.').waitFor()
  await eyes.look('webhooks-08-replay')
  await review().getByRole('button', { name: 'Replay 1 call', exact: true }).click()
  await page.getByText('1 call is made again').waitFor()
  // The address of the dead letter is still the private one.
  const again = () =>
    bench.sql(
      `select attempts, state from supabase_functions.deliveries where hook_name = 'inward' order by id limit 1`,
    )
  await expect.poll(again).toEqual([{ attempts: 2, state: 'dead' }])
  await page.keyboard.press('Escape')
})

step('its delivery is set: retries, order and a signing secret that is shown once', async () => {
  await menu('orders_webhook', 'Delivery settings')
  await panel().getByText('Calls are not signed').waitFor()
  await panel()
    .getByLabel('Payload')
    .getByText('"green tea"')
    .or(panel().getByText('"mate"'))
    .first()
    .waitFor()
  await choose('Retries', /^5 attempts/)
  await choose('Order', /^By key/)
  await panel().getByLabel('First wait').fill('0')
  await panel().getByLabel('Key', { exact: true }).fill('nowhere')
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await panel().getByText('Enter seconds from 1 to 3600').waitFor()
  await panel().getByText('The table has no column nowhere').waitFor()
  await panel().getByLabel('First wait').fill('30')
  await panel().getByLabel('Key', { exact: true }).fill('id')
  await panel().getByRole('button', { name: 'Create signing secret' }).click()
  await panel().getByText('Copy the secret now').waitFor()
  await eyes.look('webhooks-08-settings')
  await panel().getByRole('button', { name: 'Rotate secret' }).click()
  await review().getByText('For 24 hours').waitFor()
  await review().getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog', { name: 'Rotate the signing secret' }).waitFor({ state: 'hidden' })
  // Nothing of the settings was saved with it.
  expect(
    await bench.sql(
      `select max_attempts from supabase_functions.hook_settings where hook_name = 'orders_webhook'`,
    ),
  ).toEqual([{ max_attempts: 1 }])
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await review().getByText('insert into supabase_functions.hook_settings').first().waitFor()
  await eyes.look('webhooks-08-settings-sql')
  await confirm('Save settings')
  await page.getByText('Delivery settings saved').waitFor()
  expect(
    await bench.sql(
      'select name from supabase_migrations.schema_migrations order by version desc limit 1',
    ),
  ).toEqual([{ name: 'change_delivery_orders_webhook' }])
  expect(
    await bench.sql(`select max_attempts, first_wait, order_by, secret_id is not null as signed
      from supabase_functions.hook_settings where hook_name = 'orders_webhook'`),
  ).toEqual([{ max_attempts: 5, first_wait: 30, order_by: ['id'], signed: true }])
})

step(
  'paused its calls wait, older calls are a page further, and resumed they are made',
  async () => {
    await menu('orders_webhook', 'Pause')
    await page.getByText('Paused', { exact: true }).waitFor()
    await bench.sql(`insert into orders select id, 'tea' from generate_series(2, 52) as id`)
    await menu('orders_webhook', 'Calls')
    await expect.poll(() => calls().count()).toBe(50)
    await expect.poll(() => calls().getByText('Waiting').count()).toBe(50)
    await eyes.look('webhooks-08-waiting')
    await panel().getByRole('button', { name: 'Show older' }).click()
    await expect.poll(() => calls().count()).toBe(52)
    await panel().getByRole('button', { name: 'Show older' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await menu('orders_webhook', 'Resume')
    await menu('orders_webhook', 'Calls')
    // Those that wait are looked at again without being asked for.
    await expect
      .poll(() => calls().getByText('Delivered').count(), { timeout: 60_000 })
      .toBeGreaterThanOrEqual(50)
    await panel().getByRole('button', { name: 'Test call' }).click()
    await page.getByText('The test call is on its way').waitFor()
    await page.keyboard.press('Escape')
  },
)

step('the address of before leads here', async () => {
  await page.goto(`${bench.platform.url}/project/${bench.ref}/database/hooks`)
  await page.waitForURL('**/integrations/webhooks')
  await page.getByRole('cell', { name: 'inward', exact: true }).waitFor()
})

step(
  'one that was written by hand is read as far as it goes, and keeps what the form does not show',
  async () => {
    await bench.sql(`create trigger by_hand after update of item on orders for each row when (new.id > 99)
    execute function supabase_functions.http_request('https://example.com/in', 'GET', '[', 'null', '1000')`)
    await open()
    await page.getByTitle('https://example.com/in').waitFor()
    await menu('by_hand', 'Edit')
    await panel().getByText('Cannot read its headers').waitFor()
    await panel().getByText('an update of item, and for (new.id > 99)').waitFor()
    await eyes.look('webhooks-09-by-hand')
    await panel().getByLabel('Name', { exact: true }).fill('orders_webhook')
    await panel().getByRole('button', { name: 'Review SQL' }).click()
    await panel().getByText('The table has a trigger of this name already').waitFor()
    await panel().getByLabel('Name', { exact: true }).fill('by_form')
    await panel().getByText('Calls that it made as by_hand').waitFor()
    await choose('Enabled', /^Disabled/)
    await panel().getByRole('button', { name: 'Review SQL' }).click()
    await confirm('Save webhook')
    await page.getByText('Disabled', { exact: true }).waitFor()
    const written = await bench.sql(
      `select tgenabled, pg_get_triggerdef(oid) as is from pg_trigger where tgname = 'by_form'`,
    )
    expect(written).toEqual([
      {
        tgenabled: 'D',
        is: expect.stringMatching(
          /AFTER UPDATE OF item ON public\.orders FOR EACH ROW WHEN \(\(new\.id > 99\)\) EXECUTE FUNCTION supabase_functions\.http_request\('https:\/\/example\.com\/in', 'GET', '{}', '{}', '1000'\)/,
        ),
      },
    ])
    await bench.sql('drop trigger by_form on orders')
  },
)

step('who may only read sees webhooks and calls and changes none', async () => {
  await open(reader.page)
  await reader.page.getByRole('cell', { name: 'inward', exact: true }).waitFor()
  const create = reader.page.getByRole('button', { name: 'Create webhook' }).first()
  await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true')
  await reader.page.getByRole('button', { name: 'Actions for inward' }).click()
  for (const name of ['Edit', 'Delete', 'Pause']) {
    const item = reader.page.getByRole('menuitem', { name })
    await expect.poll(() => item.getAttribute('aria-disabled'), { message: name }).toBe('true')
  }
  await reader.page.getByRole('menuitem', { name: 'Calls' }).click()
  await reader.page.getByRole('dialog').getByText('200').waitFor()
  const replay = reader.page.getByRole('button', { name: 'Test call' })
  await expect.poll(() => replay.getAttribute('aria-disabled')).toBe('true')
  expect(reader.eyes.errors).toEqual([])
})

step('it is deleted and calls no more; the page fits a phone', async () => {
  await menu('inward', 'Delete')
  await review()
    .getByText(/drop trigger/)
    .first()
    .waitFor()
  await confirm('Delete webhook')
  await page.getByRole('cell', { name: 'inward', exact: true }).waitFor({ state: 'hidden' })
  expect(
    await bench.sql(`select tgname from pg_trigger where tgrelid = 'orders'::regclass`),
  ).toEqual([{ tgname: 'orders_webhook' }])
  await page.setViewportSize({ width: 390, height: 844 })
  await open()
  await page.getByRole('cell', { name: 'orders', exact: true }).waitFor()
  await eyes.look('webhooks-10-phone')
  await button('Create webhook').click()
  await panel().getByLabel('URL').waitFor()
  await eyes.look('webhooks-11-phone-panel')
  await panel().getByRole('button', { name: 'Cancel' }).click()
  await menu('orders_webhook', 'Calls')
  await calls().first().waitFor()
  await eyes.look('webhooks-12-phone-calls')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(eyes.errors).toEqual([])
})
