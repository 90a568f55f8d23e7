import { createHmac } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { startReceiver, type Receiver } from '#control-plane/testing/webhook-receiver'
import { logFilePath, logFilesIn } from '#kit/log-files'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization, createProject, type Account } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { asOperator, forgetPlane, losePlane } from '../testing/operator.ts'
import { outOfReach } from '../testing/out-of-reach.ts'
import { newPerson } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

const lost = 'elsewhere.example.com:8001'
let platform: Place
let page: Page
let eyes: Eyes
let ada: Account
let receiver: Receiver

beforeAll(async () => {
  platform = sharedPlatform()
  receiver = await startReceiver()
  atEnd(() => receiver.end())
  ada = await newPerson(platform)
  const slug = await createOrganization(ada, 'Acme')
  await createProject(ada, slug, 'Books')
  ;({ page, eyes } = await openPage(platform, { as: ada }))
})

const menu = () => page.getByRole('button', { name: /^Account of/ })
const entry = () => page.getByRole('menuitem', { name: 'Installation' })
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const card = (name: string) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name }) })

const step = story('an operator looks after an installation')

step('an owner of an organization is shown no way there, and the address says why', async () => {
  await page.goto(`${platform.url}/operator/health`)
  await page.getByRole('heading', { name: 'This page is for operators' }).waitFor()
  await eyes.look('operator-refused')
  await menu().click()
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor()
  expect(await entry().count()).toBe(0)
  await page.keyboard.press('Escape')
})

step('one who was named finds the installation in the account menu, by keyboard', async () => {
  await asOperator(platform, 'PUT', `operators/${ada.email}`)
  await losePlane(platform, lost)
  atEnd(() => forgetPlane(platform, lost))
  await page.goto(`${platform.url}/organizations`)
  await menu().focus()
  await page.keyboard.press('Enter')
  await entry().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/operator/health')
  await heading('Health')
})

step('health names the programs, the disk and the projects', async () => {
  await card('Programs').getByRole('cell', { name: lost, exact: true }).waitFor()
  // A control plane that has just started gives everybody a minute to report.
  await card('Programs').getByText('Not reporting').waitFor({ timeout: 120_000 })
  await card('Programs').getByText('Control plane').first().waitFor()
  await card('Disk')
    .getByText(/free of/)
    .waitFor()
  await card('Disk').getByText('Databases').waitFor()
  await card('Projects').getByText('Healthy', { exact: true }).waitFor()
  await card('Recurring work').getByText('jobs to take up').waitFor()
  await card('Not measured here').getByText('Certificates').waitFor()
  await eyes.look('operator-health')
})

step('a webhook gets a test that is signed with the secret that is shown once', async () => {
  await page.getByRole('link', { name: 'Alerts', exact: true }).click()
  await heading('Alerts')
  const url = page.getByLabel('Webhook URL')
  await url.fill('ftp://example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await url.fill(receiver.url)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Copy it now').waitFor()
  await page.getByRole('button', { name: 'Reveal signing secret' }).click()
  const secret = await page.locator('.secret .grow').textContent()
  expect(secret).toMatch(/^whsec_/)
  await eyes.look('operator-alert-settings')
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('The webhook accepted the test.').waitFor()
  const sent = receiver.received.find(({ body }) => body.includes('alert.test'))
  const { headers, body } = sent ?? { headers: {}, body: '' }
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from((secret ?? '').slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(content).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${mac}`)
  await page.reload()
  await page.getByText('It was shown when it was created.').waitFor()
})

step('what is broken opens an alert, which stands on the page', async () => {
  // The round looks once a minute.
  const row = page.getByRole('row').filter({ hasText: lost })
  await row.waitFor({ timeout: 180_000 })
  await row.getByText('Program not reporting').waitFor()
  await eyes.look('operator-alerts')
  await page.getByRole('link', { name: 'Health', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: lost }).waitFor()
})

step('the logs show what the programs write, and follow it', async () => {
  const folder = join(platform.home, 'platform-logs')
  const write = async (msg: string, level: number) => {
    const line = JSON.stringify({ level, time: Date.now(), program: 'launcher', msg, ref: 'a' })
    await appendFile(logFilePath(folder, logFilesIn(folder).at(-1) ?? 1), `${line}\n`)
  }
  await write('a warning of this journey', 40)
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await heading('Logs')
  await page.getByText('a warning of this journey').waitFor()
  await eyes.look('operator-logs')
  await write('an error of this journey', 50)
  await page.getByRole('button', { name: 'an error of this journey' }).click()
  await page.getByRole('dialog').getByText('"ref"').waitFor()
  await eyes.look('operator-log-entry')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Level: All levels' }).click()
  await page.getByRole('option', { name: 'Errors', exact: true }).click()
  await page.waitForURL('**/operator/logs?level=error')
  await expect.poll(() => page.getByText('a warning of this journey').count()).toBe(0)
  await page.getByLabel('Find in logs').fill('nowhere to be found')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('a warning of this journey').waitFor()
})

step('everything is within reach on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['health', 'logs', 'alerts']) {
    await page.goto(`${platform.url}/operator/${name}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('table').first().waitFor()
    await expect.poll(() => page.locator('.skel').count()).toBe(0)
    expect(await outOfReach(page), name).toEqual([])
    await eyes.look(`operator-phone-${name}`)
  }
  expect(eyes.errors.filter((line) => !line.includes('400'))).toEqual([])
})
