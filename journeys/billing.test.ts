import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoicesOf, operatorOf } from './testing/billing-client.ts'
import { root } from '#kit/root'
import { openBrowser, watch, type Eyes } from './testing/browser.ts'
import { signUp, type Person } from './testing/client.ts'
import { startPlatform, type Platform } from './testing/platform.ts'

let platform: Platform
let browser: Browser
let page: Page
let eyes: Eyes
let ada: Person
const email = 'ada@example.com'
const password = 'Str0ng-enough!'
const token = randomBytes(32).toString('hex')
const operator: ReturnType<typeof operatorOf> = (...said) => operatorOf(platform, token)(...said)
const patient = { timeout: 20_000 }

beforeAll(async () => {
  platform = await startPlatform({ environment: { PLINTH_INTERNAL_TOKEN: token } })
  browser = await openBrowser()
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  eyes = watch(page)
  ada = await signUp(platform.url, email, password)
  await ada.call('POST', '/platform/organizations', {
    name: 'Acme',
    kind: 'PERSONAL',
    tier: 'tier_free',
  })
})
afterAll(async () => {
  await browser?.close()
  await platform?.dispose()
})

const go = (path: string) => page.goto(platform.url + path)
/** Loads the page anew; to an anchor of the page that is open the browser would only scroll. */
async function load(path: string): Promise<void> {
  await page.goto('about:blank')
  await go(path)
}
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const panel = (name: string) => page.getByRole('dialog', { name })
const part = (id: string) => page.locator(`#${id}`)
const saying = (text: string | RegExp) => page.getByText(text).first().waitFor()

const tierOf = async (slug: string) =>
  (await ada.call('GET', `/platform/organizations/${slug}/billing/subscription`)).body['tier']

/** A picture only: what axe has looked at is looked at once. */
const photograph = (name: string) =>
  page.screenshot({ path: join(root, `test-output/screenshots/${name}.png`) })

async function phone(name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await photograph(name)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}
const place = (id: string) => part(id).evaluate((shown) => shown.getBoundingClientRect().top)
const inSight = (id: string) => expect.poll(() => place(id), patient).toBeLessThan(600)

test('the price list is open to everybody and leads to a new project on the plan', async () => {
  await go('/pricing')
  await heading('Plans and prices')
  const hrefs: Record<string, string | null> = {}
  for (const card of await page.getByRole('article').all()) {
    const name = await card.getByRole('heading').first().textContent()
    hrefs[name?.trim() ?? ''] = await card.getByRole('link').getAttribute('href')
  }
  expect(hrefs).toEqual({
    Free: '/new?plan=free',
    'Pro Most Popular': '/new?plan=pro',
    Team: '/new?plan=team',
    Enterprise: expect.stringMatching(/^\/support\/new\?category=sales/i),
  })
  const sections = page.locator('th[scope="rowgroup"]')
  expect(await sections.allTextContents()).toEqual([
    'Database',
    'Auth',
    'Storage',
    'Edge Functions',
    'Realtime',
    'Dashboard',
    'Platform Security and Compliance',
    'Support',
  ])
  const bandwidth = page.getByRole('row', { name: /^Bandwidth/ })
  expect(await bandwidth.getByRole('button', { name: 'Billed by use' }).count()).toBe(1)
  const pausing = page.getByRole('row', { name: /^Pausing/ })
  expect(await pausing.getByRole('button', { name: 'Billed by use' }).count()).toBe(0)
  await eyes.look('80-pricing')
  await page.mouse.wheel(0, 1600)
  await photograph('81-pricing-rows')
  await phone('82-pricing-phone')
  await page.getByRole('article', { name: 'Pro plan' }).getByRole('link').click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button('Sign in').click()
  await heading('New organization')
  expect(await page.getByRole('radio', { name: /^Pro/ }).isChecked()).toBe(true)
  expect(new URL(page.url()).search).toBe('?plan=pro')
  for (const label of ['Free - $0/month', 'Pro - $25/month', 'Team - $599/month'])
    await saying(label)
  await saying(/Enterprise - custom/)
})

test('the price list leads to the contact form for Enterprise', async () => {
  await go('/pricing')
  await page.getByRole('article', { name: 'Enterprise plan' }).getByRole('link').click()
  await heading(/help/i)
  expect(await page.getByLabel('Subject').inputValue()).toContain('Enterprise')
})

test('who wants a project on Pro in a Free organization changes the plan first', async () => {
  await go('/new/acme?plan=pro')
  await saying('Acme is on the Free plan')
  await photograph('83-plan-first')
  await page.getByRole('link', { name: 'Change to Pro' }).click()
  await panel('Change to Pro').getByText('Due now').waitFor()
  await panel('Change to Pro').getByText('$25.00').first().waitFor()
  await panel('Change to Pro').getByText('Automatic backups').waitFor()
  await eyes.look('84-upgrade')
  await panel('Change to Pro').getByRole('button', { name: 'Cancel' }).click()
  await panel('Change to Pro').waitFor({ state: 'hidden' })
  expect(new URL(page.url()).search).toBe('')
  await photograph('85-billing-free')
  expect(await tierOf('acme')).toBe('tier_free')
})

test('an upgrade is made at once, with its invoice; the spend cap is switched', async () => {
  await go('/org/acme/billing')
  await button('Upgrade to Pro').click()
  await panel('Change to Pro').getByRole('button', { name: 'Upgrade to Pro' }).click()
  await saying('The organization is on Pro now')
  await saying(/Acme is on Pro/)
  expect(await invoicesOf(ada, 'acme')).toMatchObject([
    { status: 'open', reason: 'subscription_start', total: 2500 },
  ])
  const cap = part('cost').locator('label')
  expect(await part('cost').getByRole('switch').isChecked()).toBe(true)
  await cap.click()
  await saying('Spend cap is off')
  expect(await tierOf('acme')).toBe('tier_payg')
  await cap.click()
  await saying('Spend cap is on')
  expect(await tierOf('acme')).toBe('tier_pro')
  await eyes.look('86-billing-pro')
})

test('the address, the tax number and the recipients are checked and kept', async () => {
  await load('/org/acme/billing#address')
  await inSight('address')
  const address = part('address')
  await address.getByLabel('Address', { exact: true }).fill('Unter den Linden 1')
  await address.getByRole('button', { name: 'Save' }).click()
  await saying('The city is missing')
  await saying('The country is missing')
  await address.getByLabel('Postal code').fill('10117')
  await address.getByLabel('City').fill('Berlin')
  await address.getByRole('button', { name: /^Country/ }).click()
  await page.getByPlaceholder('Search').fill('Germ')
  await page.getByRole('option', { name: 'Germany' }).click()
  await address.getByRole('button', { name: 'Save' }).click()
  await saying('Billing address saved')

  await address.getByRole('button', { name: /^Kind/ }).click()
  await page.getByPlaceholder('Search').fill('DE')
  await page.getByRole('option', { name: /DE VAT/ }).click()
  await address.getByLabel('Number', { exact: true }).fill('12')
  await address.getByRole('button', { name: 'Add tax number' }).click()
  await saying(/It looks like/)
  await address.getByLabel('Number', { exact: true }).fill('DE123456789')
  await address.getByRole('button', { name: 'Add tax number' }).click()
  await address.getByText('DE123456789').waitFor()
  await photograph('87-address')

  const recipients = part('email')
  await recipients.getByLabel('More recipients').fill('books@example.com\nnobody')
  await recipients.getByRole('button', { name: 'Save' }).click()
  await saying('nobody is no e-mail address')
  await recipients.getByLabel('More recipients').fill('books@example.com\nchief@example.com')
  await recipients.getByRole('button', { name: 'Save' }).click()
  await saying('Billing e-mail saved')
  const { body } = await ada.call('GET', '/platform/organizations/acme/customer')
  expect(body).toMatchObject({
    additional_emails: ['books@example.com', 'chief@example.com'],
    address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
  })
})

test('credit is there when its invoice is paid; the invoice can be had as a PDF', async () => {
  const credits = part('credits')
  await credits.getByLabel('Amount in US dollars').fill('1')
  await credits.getByRole('button', { name: 'Top up' }).click()
  await saying('Between $5.00 and $1,000,000.00')
  await credits.getByLabel('Amount in US dollars').fill('100')
  await credits.getByRole('button', { name: 'Top up' }).click()
  await saying(/the credit is there when it is paid/)
  for (const { id } of await invoicesOf(ada, 'acme')) await operator('POST', `invoices/${id}/paid`)
  await load('/org/acme/billing#invoices')
  await inSight('invoices')
  expect(await part('invoices').getByText('paid', { exact: true }).count()).toBe(2)
  await part('credits').getByText('$100.00').waitFor()
  // The Pro plan of the next period, paid by the credit.
  await part('upcoming')
    .getByRole('row', { name: /^Credits .*\$25\.00/ })
    .waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    part('invoices')
      .getByRole('button', { name: /^Download invoice/ })
      .first()
      .click(),
  ])
  expect(readFileSync(await download.path(), 'latin1').slice(0, 5)).toBe('%PDF-')
  await photograph('88-invoices')
})

test('a downgrade waits for the end of the period, and can be taken back', async () => {
  await load('/org/acme/billing#plan')
  await button('Move to Free').click()
  const leaving = panel('Change to Free')
  await leaving.getByText(/^Takes effect on/).waitFor()
  await leaving.getByText('Missing feature').click()
  await leaving.getByLabel('Anything else?').fill('We only wanted to look around')
  await photograph('89-downgrade')
  await leaving.getByRole('button', { name: 'Move to Free' }).click()
  await saying('The move to Free is planned')
  await saying(/This organization moves to Free on/)
  expect(await tierOf('acme')).toBe('tier_pro')
  await eyes.look('90-planned')
  await button('Stay on Pro').click()
  await saying('The organization stays on Pro')
  await page.getByText(/This organization moves to Free on/).waitFor({ state: 'hidden' })
  await phone('91-billing-phone')
  expect(eyes.errors).toEqual([])
})
