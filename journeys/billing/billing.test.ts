import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { invoicesOf } from '../testing/billing-client.ts'
import { root } from '#kit/root'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization, type Account } from '../testing/client.ts'
import { asOperator } from '../testing/operator.ts'
import { newPerson, password } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Place
let page: Page
let eyes: Eyes
let ada: Account
/** Of Acme. */
let slug: string
const patient = { timeout: 60_000 }

beforeAll(async () => {
  platform = sharedPlatform()
  ada = await newPerson(platform)
  slug = await createOrganization(ada, 'Acme', 'tier_free')
  ;({ page, eyes } = await openPage(platform, { reducedMotion: 'reduce' }))
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

const tierOf = async (of: string) =>
  (await ada.call('GET', `/platform/organizations/${of}/billing/subscription`)).body['tier']

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

const step = story('an organization pays: prices, plans, invoices, credit')

step('the price list is open to everybody and leads to a new project on the plan', async () => {
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
  await expect
    .poll(() => sections.allTextContents())
    .toEqual([
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
  await expect.poll(() => bandwidth.getByRole('button', { name: 'Billed by use' }).count()).toBe(1)
  const pausing = page.getByRole('row', { name: /^Pausing/ })
  await expect.poll(() => pausing.getByRole('button', { name: 'Billed by use' }).count()).toBe(0)
  await eyes.look('80-pricing')
  await page.mouse.wheel(0, 1600)
  await photograph('81-pricing-rows')
  await phone('82-pricing-phone')
  await page.getByRole('article', { name: 'Pro plan' }).getByRole('link').click()
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button('Sign in').click()
  await heading('New organization')
  await expect.poll(() => page.getByRole('radio', { name: /^Pro/ }).isChecked()).toBe(true)
  expect(new URL(page.url()).search).toBe('?plan=pro')
  for (const label of ['Free - $0/month', 'Pro - $25/month', 'Team - $599/month'])
    await saying(label)
  await saying(/Enterprise - custom/)
})

step('the price list leads to the contact form for Enterprise', async () => {
  await go('/pricing')
  await page.getByRole('article', { name: 'Enterprise plan' }).getByRole('link').click()
  await heading(/help/i)
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toContain('Enterprise')
})

step('who wants a project on Pro in a Free organization changes the plan first', async () => {
  await go(`/new/${slug}?plan=pro`)
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
  expect(await tierOf(slug)).toBe('tier_free')
})

step('an upgrade is made at once, with its invoice; the spend cap is switched', async () => {
  await go(`/org/${slug}/billing`)
  await button('Upgrade to Pro').click()
  await panel('Change to Pro').getByRole('button', { name: 'Upgrade to Pro' }).click()
  await saying('The organization is on Pro now')
  await saying(/Acme is on Pro/)
  expect(await invoicesOf(ada, slug)).toMatchObject([
    { status: 'open', reason: 'subscription_start', total: 2500 },
  ])
  const cap = part('cost').locator('label')
  await expect.poll(() => part('cost').getByRole('switch').isChecked()).toBe(true)
  await cap.click()
  await saying('Spend cap is off')
  expect(await tierOf(slug)).toBe('tier_payg')
  await cap.click()
  await saying('Spend cap is on')
  expect(await tierOf(slug)).toBe('tier_pro')
  await eyes.look('86-billing-pro')
})

step('the page begins with what it costs, and ends with the comparison of plans', async () => {
  await load(`/org/${slug}/billing`)
  const order = ['upcoming', 'cost', 'payment', 'invoices', 'credits', 'email', 'address', 'plan']
  const links = page.getByRole('navigation', { name: 'Billing' }).getByRole('link')
  const anchors = () => links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  await expect.poll(anchors, patient).toEqual(order.map((id) => `#${id}`))
  await part('plan').waitFor()
  const parts = page.locator('.billing [id]')
  const ids = await parts.evaluateAll((all) => all.map(({ id }) => id))
  expect(ids.filter((id) => order.includes(id))).toEqual(order)
  await part('upcoming').getByText('Pro plan').first().waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Change plan' }).click()
  await inSight('plan')
})

step('the address, the tax number and the recipients are checked and kept', async () => {
  await load(`/org/${slug}/billing#address`)
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
  await saying('nobody is not an email address')
  await recipients.getByLabel('More recipients').fill('books@example.com\nchief@example.com')
  await recipients.getByRole('button', { name: 'Save' }).click()
  await saying('Billing email saved')
  const { body } = await ada.call('GET', `/platform/organizations/${slug}/customer`)
  expect(body).toMatchObject({
    additional_emails: ['books@example.com', 'chief@example.com'],
    address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
  })
})

step('credit is there when its invoice is paid; the invoice can be had as a PDF', async () => {
  const credits = part('credits')
  await credits.getByLabel('Amount in US dollars').fill('1')
  await credits.getByRole('button', { name: 'Top up' }).click()
  await saying('Between $5.00 and $1,000,000.00')
  await credits.getByLabel('Amount in US dollars').fill('100')
  await credits.getByRole('button', { name: 'Top up' }).click()
  await saying(/the credit is added when it is paid/)
  for (const { id } of await invoicesOf(ada, slug))
    await asOperator(platform, 'POST', `billing/invoices/${id}/paid`)
  await load(`/org/${slug}/billing#invoices`)
  await inSight('invoices')
  await expect.poll(() => part('invoices').getByText('paid', { exact: true }).count()).toBe(2)
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

step('a downgrade waits for the end of the period, and can be taken back', async () => {
  await load(`/org/${slug}/billing#plan`)
  await button('Move to Free').click()
  const leaving = panel('Change to Free')
  await leaving.getByText(/^Takes effect on/).waitFor()
  await leaving.getByText('Missing feature').click()
  await leaving.getByLabel('Anything else?').fill('We only wanted to look around')
  await photograph('89-downgrade')
  await leaving.getByRole('button', { name: 'Move to Free' }).click()
  await saying('The move to Free is planned')
  await saying(/This organization moves to Free on/)
  expect(await tierOf(slug)).toBe('tier_pro')
  await eyes.look('90-planned')
  await button('Stay on Pro').click()
  await saying('The organization stays on Pro')
  await page.getByText(/This organization moves to Free on/).waitFor({ state: 'hidden' })
  await phone('91-billing-phone')
  expect(eyes.errors).toEqual([])
})
