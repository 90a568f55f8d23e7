import { createClient, type RealtimeChannel } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
const clients: { removeAllChannels: () => unknown }[] = []

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Chat',
    sql: `create table notes (id int primary key, text text);
      alter table notes enable row level security;
      create policy "all" on notes for select to anon, authenticated using (id < 100);
      grant select on notes to anon, authenticated, service_role`,
  })
  ;({ page, eyes } = bench)
})
afterAll(async () => {
  for (const client of clients) await client.removeAllChannels()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const messages = () => page.getByRole('region', { name: 'Messages' })
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })

/** Somebody else in the channel, with the public client. */
async function somebody(name: string): Promise<{ channel: RealtimeChannel; heard: unknown[] }> {
  const { endpoint, anonKey: key } = bench.project
  const client = createClient(endpoint, key, {
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
  })
  clients.push(client)
  const heard: unknown[] = []
  const channel = client.channel('room', { config: { presence: { key: name } } })
  channel
    .on('broadcast', { event: '*' }, ({ payload }) => heard.push(payload))
    .on('presence', { event: 'sync' }, () => undefined)
    .on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, ({ new: row }) =>
      heard.push(row),
    )
  await new Promise<void>((resolve, reject) =>
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve()
      else if (error) reject(error)
    }),
  )
  return { channel, heard }
}

const step = story('the inspector of realtime, its tables, policies and settings')

step(
  'a table is published after its SQL was seen, and settings are refused and saved',
  async () => {
    await bench.go('realtime/tables')
    await heading('Tables').waitFor()
    await page.getByRole('switch', { name: 'notes is published' }).press('Space')
    await page.getByLabel('SQL', { exact: true }).getByText('alter publication').waitFor()
    await button('Change publication').click()
    await page.getByText('notes is published', { exact: true }).last().waitFor()
    await eyes.look('realtime-01-tables')
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await heading('Realtime settings').waitFor()
    await page.getByLabel('Max joins per second').fill('5001')
    await button('Save').click()
    await page.getByText('A whole number from 1 to 5000').waitFor()
    await page.getByLabel('Max joins per second').fill('90')
    await page.getByLabel('Connection pool size').fill('20')
    await page.getByText("More than half of the database's connections").waitFor()
    await eyes.look('realtime-02-settings')
    await page.getByLabel('Connection pool size').fill('5')
    await button('Save').click()
    await page.getByText('Realtime settings saved').waitFor()
  },
)

step('three clients chat beside the inspector: broadcast, presence and changes', async () => {
  const people = await Promise.all(['ada', 'bob', 'eve'].map(somebody))
  await bench.go('realtime/inspector')
  await button('Start listening').click()
  await page.getByText('A channel needs a name').waitFor()
  await page.getByLabel('Channel', { exact: true }).fill('room')
  await page.getByLabel('Database changes').check({ force: true })
  await page.getByLabel('Table', { exact: true }).fill('notes')
  await page.getByRole('button', { name: /^Join as/ }).click()
  await page.getByRole('button', { name: /^anon/ }).click()
  await button('Start listening').click()
  await page.getByText('Listening', { exact: true }).waitFor()
  await messages().getByText('Subscribed to PostgreSQL').waitFor()
  for (const [i, { channel }] of people.entries()) {
    await channel.track({ at: i })
    await channel.send({ type: 'broadcast', event: `hello-${i}`, payload: { i } })
  }
  for (const i of [0, 1, 2]) await messages().getByText(`hello-${i}`, { exact: true }).waitFor()
  await page.getByText('3 online').waitFor()
  await button('Join presence').click()
  await page.getByText('4 online').waitFor()
  await bench.sql("insert into notes values (1, 'seen'), (100, 'hidden')")
  await messages().getByText('INSERT public.notes').waitFor()
  await button('Send broadcast').click()
  await page.getByText('Broadcast sent').waitFor()
  for (const { heard } of people) {
    await expect.poll(() => heard).toContainEqual({ text: 'Hello' })
    await expect.poll(() => heard).toContainEqual({ id: 1, text: 'seen' })
    expect(JSON.stringify(heard)).not.toContain('hidden')
  }
  await eyes.look('realtime-03-inspector')
  await messages().getByText('INSERT public.notes').click()
  await page.getByRole('dialog').getByText('"seen"').waitFor()
  await eyes.look('realtime-04-message')
  await button('Close').click()
  await button('Pause').click()
  await people[0]?.channel.send({ type: 'broadcast', event: 'later', payload: {} })
  await messages().getByText('Paused. 1 came since.').waitFor()
  await button('Resume').click()
  await messages().getByText('later', { exact: true }).waitFor()
  await page.getByLabel('Find in messages').fill('hello-1')
  await messages().getByText('hello-0', { exact: true }).waitFor({ state: 'detached' })
  await button('Stop listening').click()
  await page.getByText('Not listening').waitFor()
})

step('a private channel needs a policy, which a template begins', async () => {
  await page.getByLabel('Private channel').check({ force: true })
  await button('Start listening').click()
  await page.getByText('No policy of realtime.messages lets this role read the channel.').waitFor()
  await page.getByRole('link', { name: 'Policies', exact: true }).click()
  await page.getByText('No policies: only servers with the secret key').waitFor()
  await button('New policy').click()
  await page.getByRole('button', { name: /^Everybody reads channels of one kind/ }).click()
  await eyes.look('realtime-05-policy')
  await button('Review SQL').click()
  await button('Create policy').click()
  await page.getByText('Everybody reads news is created').waitFor()
  await bench.go('realtime/inspector')
  // The first join comes with the token already: the key alone could not read this channel.
  await page.getByLabel('Channel', { exact: true }).fill('secret')
  await page.getByLabel('Private channel').check({ force: true })
  await button('Start listening').click()
  await page.getByText('Listening', { exact: true }).waitFor()
  await button('Stop listening').click()
  await page.getByLabel('Channel', { exact: true }).fill('news:today')
  await page.getByLabel('Private channel').check({ force: true })
  await page.getByRole('button', { name: /^Join as/ }).click()
  await page.getByRole('button', { name: /^anon/ }).click()
  await button('Start listening').click()
  await page.getByText('Listening', { exact: true }).waitFor()
})

step('a phone shows it all', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('realtime-06-phone')
  const wide = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await wide()).toBe(0)
  await bench.go('realtime/settings')
  await heading('Realtime settings').waitFor()
  expect(await wide()).toBe(0)
  expect(eyes.errors).toEqual([])
})
