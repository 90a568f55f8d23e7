import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { root } from '#kit/root'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization } from '../testing/client.ts'
import { asOperator } from '../testing/operator.ts'
import { newPerson } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Platform
let page: Page
let eyes: Eyes
let email: string
/** Of Acme. */
let slug: string

beforeAll(async () => {
  // What people who help have got is counted.
  platform = await ownPlatform()
  const ada = await newPerson(platform)
  email = ada.email
  slug = await createOrganization(ada, 'Acme')
  await createOrganization(ada, 'Umbrella')
  ;({ page, eyes } = await openPage(platform, { as: ada }))
})

const go = (path: string) => page.goto(platform.url + path)
const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()

/** What the people who help have got, newest first. */
async function mails(): Promise<{ subject: string; text: string }[]> {
  const answer = await fetch(`${platform.url}/platform/mailbox?recipient=support@localhost`)
  // What the endpoint answers with, by its contract.
  return (await answer.json()) as { subject: string; text: string }[]
}

const step = story('asking for help, feedback and the inbox')

step(
  'a link fills the form in; what is missing is said beside it and nothing is sent',
  async () => {
    await go(
      '/support/new?category=dashboard_bug&sid=report-1&subject=It%20broke&message=Path%3A%20%2F',
    )
    await heading('Ask for help')
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('It broke')
    await expect.poll(() => page.getByLabel('What happened?').inputValue()).toBe('Path: /')
    await page.getByText('A fault in the dashboard').first().waitFor()
    await page.getByLabel('Subject').fill('It')
    await page.getByLabel('What happened?').fill('   ')
    await button('Send request').click()
    await page.getByText('A subject has 3 to 200 characters').waitFor()
    await page.getByText('Say what it is about').waitFor()
    await eyes.look('85-support-refused')
    expect(await mails()).toEqual([])
  },
)

step('files are checked, can be taken away again, and travel with the request', async () => {
  const files = page.locator('input[type=file]')
  await files.setInputFiles({
    name: 'picture.png',
    mimeType: 'image/png',
    buffer: Buffer.from('7f454c4602010100', 'hex'),
  })
  await page.getByText(/^picture\.png:/).waitFor()
  // The browser tells of the refusal in its console.
  expect(eyes.errors.splice(0)).toEqual([expect.stringContaining('400')])
  await files.setInputFiles({
    name: 'large.txt',
    mimeType: 'text/plain',
    buffer: Buffer.alloc(2 * 1024 * 1024 + 1, 'a'),
  })
  await page.getByText('large.txt is larger than 2 MB').waitFor()
  await files.setInputFiles(
    ['one.txt', 'two.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(`what ${name} says`),
    })),
  )
  await button('Remove two.txt').click()
  await page.getByText('two.txt').waitFor({ state: 'detached' })
  await page.getByText('one.txt').waitFor()
  await page.getByLabel('Subject').fill('It broke')
  await page.getByLabel('What happened?').fill('I pressed the <b>button</b>.')
  await eyes.look('86-support')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: join(root, 'test-output/screenshots/86-support-phone.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await button('Send request').click()
  await heading('Request sent')
  await page.getByText(`We will reply by email to ${email}.`).waitFor()
  await eyes.look('87-support-sent')
  await expect.poll(async () => (await mails()).length).toBe(1)
  const [mail] = await mails()
  expect(mail?.subject).toContain('It broke')
  expect(mail?.text).toContain('I pressed the <b>button</b>.')
  expect(mail?.text).toContain('report-1')
  expect(mail?.text).toContain('one.txt')
  await button('Send another').click()
  await heading('Ask for help')
})

step('feedback is kept while its panel is closed, sent once, and can be cleared', async () => {
  await go(`/org/${slug}`)
  await button('Feedback').click()
  const field = page.getByLabel('What would make Plinth better for you?')
  await field.fill('More colours')
  await eyes.look('88-feedback')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await button('Feedback').click()
  await expect.poll(() => field.inputValue()).toBe('More colours')
  await button('Clear').click()
  await expect.poll(() => field.inputValue()).toBe('')
  await field.fill('Fewer colours')
  await button('Send feedback').click()
  await page.getByText('Feedback sent. Thank you!').waitFor()
  await expect.poll(async () => (await mails()).length).toBe(2)
  expect((await mails())[0]?.text).toContain('Fewer colours')
})

step(
  'what befalls an organization is told by the bell, put away, brought back and deleted',
  async () => {
    await asOperator(platform, 'PUT', `billing/organizations/${slug}`, {
      restriction_status: 'grace_period',
    })
    await go('/organizations')
    await button('Notifications, 1 new').click()
    const inbox = page.getByRole('region', { name: 'Notifications' })
    await inbox.getByRole('link', { name: 'Open billing' }).waitFor()
    await eyes.look('89-notifications')
    await inbox.getByRole('button', { name: /^Archive: / }).click()
    await inbox.getByText('Nothing new').waitFor()
    await inbox.getByRole('tab', { name: 'Archived' }).click()
    await inbox.getByRole('button', { name: /^Back to the inbox: / }).click()
    await inbox.getByText('Nothing archived').waitFor()
    await inbox.getByRole('tab', { name: 'Inbox' }).click()
    await inbox.getByRole('button', { name: 'Archive all' }).click()
    await inbox.getByText('Nothing new').waitFor()
    await inbox.getByRole('tab', { name: 'Archived' }).click()
    await inbox.getByRole('button', { name: 'Delete all' }).click()
    await inbox.getByText('Nothing archived').waitFor()
    await page.keyboard.press('Escape')
    await inbox.waitFor({ state: 'detached' })
    expect(eyes.errors).toEqual([])
  },
)
