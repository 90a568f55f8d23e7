import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { LogDrain } from '#contract/observability/log-drain-shapes'
import { eventsOf, startReceiver } from '#data-plane/testing/log-drains/receiver'
import { join } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { atEnd } from '../testing/ends.ts'
import { asOperator } from '../testing/operator.ts'
import { outOfReach } from '../testing/out-of-reach.ts'
import { newPerson } from '../testing/people.ts'
import { receiverAddress } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** Drains of logs: added, changed without showing a secret, failing, switched off, and deleted. */
let bench: Workbench
let page: Page
let eyes: Eyes
const canary = 'canary-8c21d7'

beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop', tier: 'tier_pro' })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const panel = () => page.getByRole('dialog').first()
const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const onTier = (tier: string) =>
  asOperator(bench.platform, 'PUT', `billing/organizations/${bench.slug}`, { tier })
const drains = async (): Promise<LogDrain[]> => {
  const path = `/platform/projects/${bench.ref}/analytics/log-drains`
  // What the contract says of the list.
  return Object.values((await bench.ada.call('GET', path)).body) as LogDrain[]
}
async function act(name: string, item: string): Promise<void> {
  await button(`Actions of ${name}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}
async function open(): Promise<void> {
  await bench.go('settings/log-drains')
  await page.getByRole('heading', { name: 'Log drains', exact: true, level: 1 }).waitFor()
}

const step = story('log drains')

step('below Team the page says which plan has them', async () => {
  await open()
  await page.getByText('Log drains are available on the Team plan', { exact: true }).waitFor()
  await expect.poll(() => button('Add log drain').getAttribute('aria-disabled')).toBe('true')
  await eyes.look('log-drains-01-plan')
  expect(await page.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe(
    `/org/${bench.slug}/billing`,
  )
  await onTier('tier_team')
})

step('a webhook is added, by the keys alone', async () => {
  await open()
  await page.getByText('No log drains yet').waitFor()
  await page.getByText('$60.00 per drain per month').waitFor()
  await eyes.look('log-drains-02-empty')
  await button('Add log drain').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Webhook' }).waitFor()
  await page.keyboard.press('ArrowDown')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused).toBe('Webhook')
  await page.keyboard.press('Enter')
  await panel().getByText('$60.00 a month').waitFor()
  await button('Add log drain').last().click()
  await panel().getByText('Give the log drain a name').waitFor()
  await panel().getByText('Enter the URL').waitFor()
  await panel().getByLabel('Name', { exact: true }).focus()
  await page.keyboard.insertText('Archive')
  await panel().getByLabel('URL', { exact: true }).fill('ftp://logs.example.com')
  await button('Add header').click()
  await panel().getByLabel('Name of header 1').fill('X-Key')
  await panel().getByLabel('Value of header 1').fill(canary)
  await button('Add log drain').last().click()
  await panel().getByText('It must be an address that starts with https://').waitFor()
  await eyes.look('log-drains-03-panel')
  await panel().getByLabel('URL', { exact: true }).fill('https://logs.example.com/in')
  await page.keyboard.press('Enter')
  await panel().waitFor({ state: 'hidden' })
  await row('Archive').getByText('Waiting').waitFor()
  await row('Archive').getByText('Webhook').waitFor()
  await eyes.look('log-drains-04-list')
})

step(
  'changing it keeps the secret, which is never shown; another address asks for it anew',
  async () => {
    await act('Archive', 'Edit log drain')
    expect(await panel().getByLabel('Value of header 1').inputValue()).toBe('')
    expect(await page.content()).not.toContain(canary)
    await panel().getByLabel('URL', { exact: true }).fill('https://evil.example.com/in')
    await button('Save log drain').click()
    await panel().getByText('X-Key: Enter it again: the address has changed').waitFor()
    await panel().getByLabel('URL', { exact: true }).fill('https://logs.example.com/other')
    await panel().getByLabel('Description').fill('For the auditors')
    await button('Save log drain').click()
    await panel().waitFor({ state: 'hidden' })
    await row('Archive').getByText('For the auditors').waitFor()
    expect((await drains())[0]?.config).toMatchObject({
      url: 'https://logs.example.com/other',
      headers: { 'X-Key': '' },
    })
  },
)

step(
  'a test entry is sent before anything is saved, and the answer is shown as it is',
  async () => {
    const receiver = await startReceiver(receiverAddress)
    atEnd(() => receiver.close())
    await button('Add log drain').first().click()
    await page.getByRole('menuitem', { name: 'Webhook' }).click()
    await panel().getByLabel('Name', { exact: true }).fill('Collector')
    const url = panel().getByLabel('URL', { exact: true })
    await url.fill('http://logs.example.com/in')
    await button('Send a test entry').click()
    await panel().getByText('The address must start with https://', { exact: true }).waitFor()
    await url.fill('http://127.0.0.1:1/in')
    await button('Send a test entry').click()
    await panel().getByText('127.0.0.1 is not a public address', { exact: true }).waitFor()
    await eyes.look('log-drains-05-refused')

    await url.fill(`${receiver.url}/in`)
    receiver.answers((_, response) => response.writeHead(403).end('No <i>such</i> tenant'))
    await button('Send a test entry').click()
    await panel().getByText('The destination refused the test entry with status 403').waitFor()
    await panel().getByText('403 No <i>such</i> tenant').waitFor()
    await eyes.look('log-drains-05-test-refused')
    receiver.answers()
    await button('Send a test entry').click()
    await panel().getByText('The destination accepted the test entry with status 200').waitFor()
    await eyes.look('log-drains-05-test-accepted')
    expect(receiver.received.map(({ method, url: at }) => [method, at])).toEqual([
      ['POST', '/in'],
      ['POST', '/in'],
    ])
    const last = receiver.received.at(-1)
    expect(last && eventsOf(last)).toMatchObject([{ source: 'log_drain_test' }])
    await receiver.close()
    await button('Send a test entry').click()
    await panel().getByText('The destination could not be reached').waitFor()
    await eyes.look('log-drains-05-test-unreachable')
    await panel().getByRole('button', { name: 'Cancel' }).click()
    expect(await drains()).toHaveLength(1)
  },
)

step('one that fails says since when, and why', async () => {
  const [drain] = await drains()
  const since = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const report = {
    token: drain?.token,
    start: randomUUID(),
    month: new Date().toISOString().slice(0, 7),
    delivered_until: since,
    last_success_at: since,
    failing_since: since,
    last_error: '503 Service Unavailable: <b>down</b> for maintenance',
    next_attempt_at: new Date(Date.now() + 60_000).toISOString(),
    events: 1234,
    bytes: 5_000_000,
    lost: 7,
  }
  await asOperator(bench.platform, 'POST', 'log-drains', { reports: [report] })
  await page.reload()
  await page.getByText('Archive delivers nothing').waitFor()
  await page.getByText('503 Service Unavailable: <b>down</b> for maintenance').waitFor()
  await row('Archive').getByText('Failing').waitFor()
  await row('Archive').getByText('1,234 entries').waitFor()
  await row('Archive')
    .getByText(/, 7 lost/)
    .waitFor()
  await eyes.look('log-drains-05-failing')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await outOfReach(page)).toEqual([])
  await eyes.look('log-drains-06-phone')
  await page.setViewportSize({ width: 1280, height: 800 })
})

step('switched off it is off; on again is asked, since it costs', async () => {
  await act('Archive', 'Switch off')
  await row('Archive').getByText('Off', { exact: true }).waitFor()
  expect(await page.getByText('Archive delivers nothing').count()).toBe(0)
  await act('Archive', 'Switch on')
  await panel().getByText('It is charged for the time in which it is switched on').waitFor()
  await panel().getByRole('button', { name: 'Switch on' }).click()
  await row('Archive').getByText('Sending').waitFor()
})

step('who may only look sees the list, and why nothing can be changed', async () => {
  const guest = await newPerson(bench.platform)
  await join(bench.platform, bench.slug, bench.ada, guest, 'Read-only')
  const reader = await openPage(bench.platform, { as: guest })
  await reader.page.goto(`${bench.platform.url}/project/${bench.ref}/settings/log-drains`)
  await reader.page.getByRole('row').filter({ hasText: 'Archive' }).waitFor()
  await expect
    .poll(() =>
      reader.page.getByRole('button', { name: 'Add log drain' }).getAttribute('aria-disabled'),
    )
    .toBe('true')
  await reader.page.context().close()
})

step('after a downgrade it is kept and sends nothing, and can be deleted', async () => {
  await onTier('tier_pro')
  await page.reload()
  await page.getByText('The Pro plan has no log drains').waitFor()
  await row('Archive').getByText('Not sending').waitFor()
  await eyes.look('log-drains-07-downgrade')
  await act('Archive', 'Delete log drain')
  await panel().getByRole('button', { name: 'Delete log drain' }).click()
  await page.getByText('Log drains are available on the Team plan', { exact: true }).waitFor()
  expect(await drains()).toEqual([])
  await onTier('tier_team')
})

step(
  'the audit log of the organization has drains of its own, found by the command menu',
  async () => {
    await page.goto(`${bench.platform.url}/org/${bench.slug}`)
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder('Find a page, a thing or an action').fill('audit log drains')
    await page
      .getByRole('option', { name: /audit log drains/i })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Audit log drains', exact: true, level: 1 }).waitFor()
    await page.getByText('Entries of the audit log are not charged').waitFor()
    await button('Add log drain').first().click()
    await page.getByRole('menuitem', { name: 'Datadog' }).click()
    await panel().getByLabel('Name', { exact: true }).fill('SIEM')
    await panel().getByLabel('API key', { exact: true }).fill(canary)
    await button('Add log drain').last().click()
    await row('SIEM').getByText('Datadog').waitFor()
    await act('SIEM', 'Edit log drain')
    await panel().getByText('It is set. Leave this empty to keep it.').waitFor()
    await eyes.look('log-drains-08-audit')
    await panel().getByRole('button', { name: 'Cancel' }).click()
    // The refusals of the server that were meant.
    expect(eyes.errors.filter((error) => !/status of 400/.test(error))).toEqual([])
  },
)
