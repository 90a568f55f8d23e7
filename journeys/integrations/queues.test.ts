import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Post office' })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first()
const dialog = () => page.getByRole('dialog')
const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()

async function chooseState(label: string): Promise<void> {
  await button(/^State:/).click()
  await page.getByRole('option', { name: label, exact: true }).click()
}

/** By the keyboard: the list moves while messages come and go. */
async function select(id: number): Promise<void> {
  const box = page.getByLabel(`Select message ${id}`, { exact: true })
  await box.press('Space')
  await expect.poll(() => box.isChecked()).toBe(true)
}

async function narrow(name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(name)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('messages that wait for a worker')

step(
  'before they are enabled the page says what they are, and one click enables them',
  async () => {
    await bench.go('integrations/queues')
    await page.getByRole('heading', { name: 'Queues are not enabled yet' }).waitFor()
    await eyes.look('queues-not-enabled')
    await button('Enable Queues').click()
    await page.getByRole('heading', { name: 'No queues yet' }).waitFor()
    await eyes.look('queues-empty')
  },
)

step('a name that cannot be is refused in its field; queues are made, by keyboard', async () => {
  await button('Create queue').first().click()
  const name = dialog().getByLabel('Name')
  await confirm('Create queue')
  await dialog().getByText('Enter a name').waitFor()
  await name.fill("a'; drop table users")
  await dialog().getByText("A name cannot contain $ ; -- or '").waitFor()
  await eyes.look('queues-create')
  await name.fill('emails')
  await name.press('Enter')
  await row('emails').waitFor()
  await dialog().waitFor({ state: 'hidden' })
  for (const other of ['Dead "letters"', 'thumbnails']) {
    await button('Create queue').click()
    await dialog().getByLabel('Name').fill(other)
    await dialog().getByLabel('Name').press('Enter')
    await row(other).waitFor()
    await dialog().waitFor({ state: 'hidden' })
  }
  expect(
    await bench.sql(`select relrowsecurity as rls from pg_class where relname = 'q_emails'`),
  ).toEqual([{ rls: true }])
})

step('what is sent is counted, with how much a minute brings', async () => {
  await bench.sql(
    `select pgmq.send_batch('emails', array(select jsonb_build_object('to', 'reader' || n || '@example.com') from generate_series(1, 120) n))`,
  )
  await row('emails').getByText('120', { exact: true }).waitFor({ timeout: 60_000 })
  await expect
    .poll(() => row('thumbnails').getByRole('cell').nth(4).innerText(), { timeout: 60_000 })
    .toBe('0')
  await eyes.look('queues-list')
  await narrow('queues-list-narrow')
})

step('a message is sent with headers and a delay', async () => {
  await page.getByRole('link', { name: 'emails', exact: true }).click()
  await button('Send message').click()
  await dialog().getByLabel('Message').fill('{"to": }')
  await confirm('Send message')
  await dialog()
    .getByText(/^This is not JSON/)
    .waitFor()
  await dialog()
    .getByLabel('Message')
    .fill('{"to": "ada@example.com", "big": 12345678901234567890}')
  await dialog().getByLabel('Headers').fill('{"trace": "abc"}')
  await dialog().getByLabel('Delay').fill('3600')
  await eyes.look('queue-send')
  await confirm('Send message')
  await dialog().waitFor({ state: 'hidden' })
  await chooseState('Scheduled')
  await button('Show message 121').click()
  await dialog().getByText('12345678901234567890').waitFor()
  await dialog().getByText('"abc"').waitFor()
  await eyes.look('queue-message')
  await page.keyboard.press('Escape')
})

step('messages are looked at page by page, and no worker notices', async () => {
  await chooseState('All in the queue')
  await button('Show message 50').waitFor()
  expect(await button('Show message 51').count()).toBe(0)
  await button('Show newer').click()
  await button('Show message 100').waitFor()
  await button(/^Order:/).click()
  await page.getByRole('option', { name: 'Newest first' }).click()
  await button('Show message 121').waitFor()
  await eyes.look('queue-messages')
  await narrow('queue-messages-narrow')
  expect(await bench.sql('select sum(read_ct)::int as reads from pgmq.q_emails')).toEqual([
    { reads: 0 },
  ])
})

step('some are postponed, archived, moved and deleted', async () => {
  for (const id of [120, 119]) await select(id)
  await button('Postpone').click()
  await dialog().getByLabel('Invisible for').fill('soon')
  await dialog().getByText('Enter a whole number of seconds').waitFor()
  await dialog().getByLabel('Invisible for').fill('600')
  await confirm('Postpone')
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(() => row('reader120@').getByText('Scheduled').count()).toBe(1)
  await select(118)
  await button('Archive').click()
  await button('Show message 118').waitFor({ state: 'detached' })
  await select(117)
  await button('Move').click()
  await dialog()
    .getByRole('button', { name: /^Queue:/ })
    .click()
  await page.getByRole('option', { name: 'Dead "letters"' }).click()
  await eyes.look('queue-move')
  await confirm('Move')
  await dialog().waitFor({ state: 'hidden' })
  await button('Show message 117').waitFor({ state: 'detached' })
  await select(116)
  await button('Delete').click()
  await confirm('Delete')
  await dialog().waitFor({ state: 'hidden' })
  await button('Show message 116').waitFor({ state: 'detached' })
  expect(await bench.sql(`select message->>'to' as "to" from pgmq."q_dead ""letters"""`)).toEqual([
    { to: 'reader117@example.com' },
  ])
})

step('an archived message is sent again', async () => {
  await chooseState('Archived')
  await button('Show message 118').click()
  await dialog().getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('heading', { name: 'No archived messages' }).waitFor()
  await chooseState('All in the queue')
  await row('reader118@').waitFor()
  await button('Show message 122').waitFor()
})

step('a tick is a grant, and a queue that is open to everyone says so', async () => {
  await page.getByRole('tab', { name: 'Settings' }).click()
  const tick = page.getByLabel('anon may insert on the queue')
  await tick.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => tick.isChecked()).toBe(true)
  const may = `select has_table_privilege('anon', 'pgmq.q_emails', 'insert') as may`
  expect(await bench.sql(may)).toEqual([{ may: true }])
  await button('Disable').click()
  await page.getByText('Anyone with a key can reach every message').waitFor()
  await eyes.look('queue-settings')
  await narrow('queue-settings-narrow')
  await button('Enable').click()
  await page.getByText('Anyone with a key can reach every message').waitFor({ state: 'detached' })
  await tick.press('Space')
  await expect.poll(() => bench.sql(may)).toEqual([{ may: false }])
  await page.getByRole('link', { name: 'Edit policies' }).click()
  await page.getByText('q_emails').first().waitFor()
})

step('a queue is purged; one is dropped when its name is typed', async () => {
  await bench.go('integrations/queues')
  await button('Purge emails').click()
  await confirm('Purge queue')
  await row('emails').getByText('0', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Dead "letters"' }).click()
  await button('Drop').click()
  await eyes.look('queue-drop')
  expect(await dialog().getByRole('button', { name: 'Drop queue' }).isDisabled()).toBe(true)
  await dialog().getByRole('textbox').fill('Dead "letters"')
  await confirm('Drop queue')
  await row('emails').waitFor()
  await expect.poll(() => row('letters').count()).toBe(0)
})

step('queues are exposed to the data API, and taken away from it', async () => {
  await button('Expose queues').click()
  await button('Stop exposing').waitFor()
  await eyes.look('queues-exposed')
  const functions = `select count(*)::int as functions from pg_proc where pronamespace = to_regnamespace('pgmq_public')`
  expect(await bench.sql(functions)).toEqual([{ functions: 6 }])
  const config = `/platform/projects/${bench.ref}/config/postgrest`
  const exposed = async () => (await bench.ada.call('GET', config)).body as { db_schema: string }
  expect((await exposed()).db_schema).toContain('pgmq_public')
  await button('Stop exposing').click()
  await confirm('Stop exposing')
  await button('Expose queues').waitFor()
  expect((await exposed()).db_schema).not.toContain('pgmq_public')
  expect(await bench.sql(functions)).toEqual([{ functions: 0 }])
  expect(eyes.errors).toEqual([])
})
