import { join } from 'node:path'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { root } from '#kit/root'
import { breakPage } from '../testing/broken-page.ts'
import { openContext, openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization } from '../testing/client.ts'
import { asOperator } from '../testing/operator.ts'
import { newPerson, password } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { shiftsOf, watchShifts } from '../testing/shifts.ts'
import { story } from '../testing/story.ts'

let platform: Platform
let context: BrowserContext
let page: Page
let eyes: Eyes
/** What the browser has sent to the telemetry endpoints. */
const sent: Request[] = []
let email: string
/** Of Acme. */
let slug: string

beforeAll(async () => {
  // What its operator says is said to everybody on it.
  platform = await ownPlatform()
  const ada = await newPerson(platform)
  email = ada.email
  slug = await createOrganization(ada, 'Acme')
  const options = { reducedMotion: 'reduce', asksForConsent: true } as const
  ;({ context, page, eyes } = await openPage(platform, options))
  page.on('request', (request) => {
    if (request.url().includes('/platform/telemetry/') && request.method() === 'POST')
      sent.push(request)
  })
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const go = (path: string) => page.goto(platform.url + path)
const stored = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)

const operator = (method: 'PUT' | 'DELETE', path: string, body?: object) =>
  asOperator(platform, method, path, body)

async function photograph(name: string) {
  await page.screenshot({ path: join(root, `test-output/screenshots/${name}.png`) })
}

async function signIn() {
  await go('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(/^Sign in/).click()
  await heading('Organizations')
}

const step = story('the frame around all pages: banners, menus, clock, leaving')

step(
  'what the operator says stands above every page; a notice that was read does not come back',
  async () => {
    await operator('PUT', 'banners/incident', { link: 'https://status.example.com' })
    await operator('PUT', 'banners/notice', {
      text: 'The dashboard is away for a few minutes at 04:00 UTC.',
    })
    await go('/sign-in')
    await page.getByText('We are currently investigating a technical issue').waitFor()
    await page.getByRole('heading', { name: 'Sign in' }).first().waitFor()
    await expect.poll(() => page.getByText('The dashboard is away').count()).toBe(0)
    await button('Accept').click()
    await signIn()
    await page.getByText('We are currently investigating a technical issue').waitFor()
    const notice = page.getByText('The dashboard is away for a few minutes')
    await notice.waitFor()
    await eyes.look('76-banners')
    await page.evaluate(() => (document.documentElement.dataset['theme'] = 'classic-dark'))
    await photograph('76-banners-classic-dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await photograph('77-banners-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await button('Dismiss').click()
    await notice.waitFor({ state: 'hidden' })
    expect(await stored('plinth.notice.dashboard-outage-2025-05-16')).toBe('true')
    await go('/organizations')
    await page.getByText('We are currently investigating a technical issue').waitFor()
    await expect.poll(() => notice.count()).toBe(0)
    // Banners are there with the first picture: nothing is pushed down by one.
    const fresh = await openContext(platform, { storageState: await context.storageState() })
    await watchShifts(fresh)
    const other = await fresh.newPage()
    await other.goto(`${platform.url}/organizations`)
    await other.getByText('We are currently investigating a technical issue').waitFor()
    await other.getByRole('heading', { name: 'Organizations' }).waitFor()
    expect(await shiftsOf(other)).toEqual([])
    await fresh.close()
    await operator('DELETE', 'banners/incident')
    await go('/logout')
    await heading('Sign in')
    expect(await stored('plinth.notice.dashboard-outage-2025-05-16')).toBe('true')
    await signIn()
  },
)

step('the command menu finds a page, and closes when another one is shown', async () => {
  await go('/organizations')
  await heading('Organizations')
  await page.goto(`${platform.url}/account/me`)
  await heading('Profile')
  await page.keyboard.press('ControlOrMeta+k')
  const menu = page.getByRole('dialog', { name: 'Command menu' })
  await menu.waitFor()
  await eyes.look('77-command-menu')
  await page.goBack()
  await heading('Organizations')
  await menu.waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+k')
  await menu
    .getByPlaceholder('Find a page, a thing or an action')
    .fill('nothing is called like this')
  await menu.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
})

step('who may pay is told what is owed; others are not', async () => {
  const organization = `billing/organizations/${slug}`
  await operator('PUT', organization, { restriction_status: 'restricted' })
  await go(`/org/${slug}`)
  await page.getByText('Services Restricted').waitFor()
  await page.getByText('Missing Billing Information').waitFor()
  await eyes.look('76-billing-banners')
  const links = page.locator('.banners').getByRole('link', { name: 'View Details' })
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    `/org/${slug}/billing`,
    `/org/${slug}/billing#address`,
  ])
  await operator('PUT', organization, { restriction_status: null })
})

step(
  'a clock that is more than two minutes off is told, and looked at every 30 minutes',
  async () => {
    // A context of its own: the clock is set for all pages of one.
    const { page: other } = await openPage(platform, { storageState: await context.storageState() })
    let asked = 0
    other.on('request', (request) => {
      if (request.url().endsWith('/api/get-utc-time')) asked += 1
    })
    await other.clock.install({ time: Date.now() + 3 * 60_000 })
    await other.goto(`${platform.url}/organizations`)
    await other.getByText("Your computer's clock appears to be inaccurate.").waitFor()
    expect(asked).toBe(1)
    await other.clock.fastForward('29:00')
    expect(asked).toBe(1)
    await other.clock.fastForward('01:30')
    await expect.poll(() => asked).toBe(2)
    await other.getByRole('button', { name: 'More information' }).click()
    await other.getByText(/3 minutes ahead of the server/).waitFor()
    await other.context().close()
  },
)

step('a page that was changed from outside says so, reports it, and leads on', async () => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  await go('/organizations')
  await heading('Organizations')
  await breakPage(page)
  await page.getByRole('link', { name: 'Acme' }).first().click()
  await heading('Sorry! An unexpected error occurred.')
  await page.getByText('A translation tool or a browser extension may be the cause').waitFor()
  await button('Refresh').waitFor()
  await button('Copy error').waitFor()
  await button('Reload dashboard').waitFor()
  await eyes.look('78-error-screen')
  await page.setViewportSize({ width: 390, height: 844 })
  await photograph('79-error-screen-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  const support = new URL(
    String(await page.getByRole('link', { name: 'Contact support' }).getAttribute('href')),
    platform.url,
  )
  expect(support.pathname).toBe('/support/new')
  const query = Object.fromEntries(support.searchParams)
  expect(query).toMatchObject({ category: 'dashboard_bug', subject: expect.any(String) })
  expect(query['message']).toMatch(/removeChild[\s\S]*Path: \//)
  expect(lines.some((line) => line.includes(`Error report ${query['sid']}`))).toBe(true)
  await expect
    .poll(() =>
      sent.filter((one) => one.url().endsWith('/error-report')).map((one) => one.postDataJSON()),
    )
    .toMatchObject([{ report_id: query['sid'], user: await stored('plinth.reporting-id') }])
  await expect
    .poll(() => page.getByRole('link', { name: 'Still stuck?' }).getAttribute('href'))
    .toContain('/support/new?')

  await page.evaluate(() => sessionStorage.setItem('kept', 'no'))
  await button('Clear and reload').click()
  await heading('Sign in')
  const kept = await page.evaluate(() => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
  ])
  // What the page itself stores anew is about the page.
  expect(kept.filter((name) => !name.startsWith('tsr-'))).toEqual([])
  eyes.errors.length = 0
})

step('after a deploy the old parts are gone, and a reload is offered', async () => {
  // Parts that were fetched ahead would still be there.
  await page.route('**/route-parts.json', (route) => route.fulfill({ status: 404, body: '' }))
  await signIn()
  const had = new Set(
    await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
  )
  await page.route('**/assets/*.js', (route) =>
    had.has(route.request().url()) ? route.continue() : route.fulfill({ status: 404, body: '' }),
  )
  // The router loads the page anew once by itself; a banner may say why already before.
  const loadedAnew = page.waitForEvent('load')
  await page.getByRole('link', { name: 'New organization' }).first().click()
  await loadedAnew
  await page.getByText('A new version of the dashboard is available').first().waitFor()
  await eyes.look('80-new-version')
  await page.unroute('**/assets/*.js')
  await page.unroute('**/route-parts.json')
  await button('Reload').click()
  await heading(/organization/i)
  eyes.errors.length = 0
})

step('an address that nothing has leads back', async () => {
  await go('/no/such/page')
  await heading('There is nothing at this address')
  await eyes.look('81-not-found')
  await page.getByRole('link', { name: 'Head back' }).click()
  await heading('Organizations')
  expect(eyes.errors.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})

step('addresses of programs, and who takes no page, get JSON', async () => {
  const ask = (path: string, accept?: string) =>
    fetch(platform.url + path, { headers: accept === undefined ? {} : { accept } })
  const nothing = [
    '/v1/nothing',
    '/v2/projects',
    '/platform/nothing',
    '/auth/v1/nothing',
    '/rest/v1/books',
    '/storage/v1/bucket',
    '/functions/v1/hello',
    '/graphql/v1',
    '/realtime/v1',
    '/pg/tables',
    '/.well-known/nothing',
  ]
  for (const path of nothing) {
    const answer = await ask(path)
    expect(answer.status, path).toBe(404)
    expect(await answer.json(), path).toMatchObject({ code: 'not_found' })
  }
  expect(await (await ask('/somewhere', 'application/json')).json()).toMatchObject({
    code: 'not_found',
  })
  for (const accept of [undefined, '*/*', 'text/html,application/xhtml+xml'])
    expect((await ask('/organizations', accept)).headers.get('content-type')).toMatch(/^text\/html/)
})
