import { join } from 'node:path'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { root } from '#kit/root'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization } from '../testing/client.ts'
import { asOperator } from '../testing/operator.ts'
import { newPerson, password } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
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
const toast = () => page.getByRole('complementary', { name: 'Privacy' })
const dialog = () => page.getByRole('dialog')
const go = (path: string) => page.goto(platform.url + path)
const cookies = async () => (await context.cookies()).map((cookie) => cookie.name)
const stored = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)
const actions = () =>
  sent
    .filter((request) => request.url().endsWith('/event'))
    .map(
      (request) =>
        request.postDataJSON() as { action: string; custom_properties: object; groups: object },
    )

const operator = (method: 'PUT' | 'DELETE', path: string, body?: object) =>
  asOperator(platform, method, path, body)

async function photograph(name: string) {
  await page.screenshot({ path: join(root, `test-output/screenshots/${name}.png`) })
}

const step = story('the question about data, its answers, and what is sent after them')

step('the question about data stays until it is answered, and nothing is sent before', async () => {
  await go('/sign-in')
  await toast().waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(700, 300)
  await expect.poll(() => toast().isVisible()).toBe(true)
  await eyes.look('70-consent')

  await page.route('**/platform/consent/categories', (route) => route.abort())
  await button('Privacy settings').click()
  await heading('Unable to Load Privacy Settings')
  await eyes.look('71-privacy-unavailable')
  await page.unroute('**/platform/consent/categories')
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await heading('Privacy settings')
  await expect.poll(() => page.getByRole('switch', { name: 'Essential' }).isDisabled()).toBe(true)
  await eyes.look('72-privacy-settings')
  await dialog().getByRole('button', { name: 'Cancel' }).click()

  // Whoever leaves right after the answer is not asked again.
  await button('Opt out').click()
  await go('/sign-in')
  await heading('Sign in')
  await expect.poll(() => toast().count()).toBe(0)
  expect(sent).toEqual([])
  expect(await cookies()).not.toContain('plinth_telemetry')
})

step('what was said before signing in goes along, and can be changed', async () => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(/^Sign in/).click()
  await heading('Organizations')
  await expect.poll(() => stored('plinth.consent')).toContain('"of":"person"')
  expect(await stored('plinth.reporting-id')).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  expect(sent).toEqual([])

  await button(/^Account of/).click()
  await page.getByRole('menuitem', { name: 'Privacy settings' }).click()
  for (const name of ['Product use', 'Error reports'])
    await dialog().locator('.choice', { hasText: name }).click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(cookies).toContain('plinth_telemetry')
  await expect
    .poll(() => sent.map((one) => new URL(one.url()).pathname))
    .toContain('/platform/telemetry/identify')
  await page.getByRole('link', { name: 'Acme' }).first().click()
  await expect
    .poll(() => sent.filter((one) => one.url().endsWith('/page')).length)
    .toBeGreaterThan(0)
  expect(sent.every((one) => one.headers()['version'] === '2')).toBe(true)
})

step('who comes back is not asked again, at the sign-in page or after it', async () => {
  // The server's word about the person comes when they have left: as it does where it is slow.
  let answer: (value: undefined) => void = () => undefined
  const left = new Promise<undefined>((resolve) => (answer = resolve))
  const consent = '**/platform/profile/consent'
  await page.route(consent, async (route) => {
    await left
    await route.fulfill({ status: 401, json: { message: 'Sign in to do this' } })
  })
  const asked = page.waitForRequest(consent)
  await go('/organizations')
  await heading('Organizations')
  await asked
  await button(/^Account of/).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading('Sign in')
  await expect.poll(() => stored('plinth.consent')).toBe('{"decisions":{},"of":"left"}')
  const answered = page.waitForResponse(consent)
  answer(undefined)
  await (await answered).finished()
  await page.unroute(consent)
  // Of the yes nothing is left, and nothing is sent: that is no question to ask again.
  await expect.poll(() => stored('plinth.consent')).toBe('{"decisions":{},"of":"left"}')
  await expect.poll(cookies).not.toContain('plinth_telemetry')
  const before = sent.length
  await go('/sign-in')
  await page.getByLabel('Email').fill(email)
  await expect.poll(() => toast().count()).toBe(0)
  expect(sent.length).toBe(before)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(/^Sign in/).click()
  await heading('Organizations')
  await expect.poll(() => stored('plinth.consent')).toContain('"of":"person"')
  await expect.poll(cookies).toContain('plinth_telemetry')
  await expect.poll(() => toast().count()).toBe(0)
})

step('somebody else in this browser is asked for themself', async () => {
  const bob = await newPerson(platform, 'bob')
  await go('/logout')
  await heading('Sign in')
  await page.getByLabel('Email').fill(bob.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(/^Sign in/).click()
  await heading('Organizations')
  await toast().waitFor()
  expect(await cookies()).not.toContain('plinth_telemetry')
  await go('/logout')
  await heading('Sign in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(/^Sign in/).click()
  await heading('Organizations')
  await expect.poll(cookies).toContain('plinth_telemetry')
})

step('an event that cannot be sent is told in the console, and hurts nothing', async () => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  await page.route('**/platform/telemetry/page', (route) => route.abort())
  await go('/organizations')
  await expect
    .poll(() => lines.find((line) => line.includes('Failed to send Telemetry event')))
    .toContain('Unable to reach the server')
  await page.unroute('**/platform/telemetry/page')
})

step(
  'what this version has is offered; what is released by flags can be tried and is remembered',
  async () => {
    await go('/organizations')
    await heading('Organizations')
    await button(/^Account of/).click()
    await page.getByRole('menuitem', { name: 'Feature previews' }).click()
    await dialog().getByRole('button', { name: 'Project API documentation' }).waitFor()
    await eyes.look('73-previews-of-this-version')
    await page.goBack()
    await dialog().waitFor({ state: 'hidden' })

    for (const flag of [
      'unifiedLogsPreview',
      'branchingPreview',
      'advisorRulesPreview',
      'storagePreview',
    ])
      await operator('PUT', `flags/${flag}`, { on: true })
    await go('/organizations?featurePreviewModal=supabase-ui-advisor-rules')
    await heading('Disable Advisor rules')
    const list = page.getByRole('navigation', { name: 'Feature previews' })
    await expect
      .poll(() => list.getByRole('button').allTextContents())
      .toEqual([
        'New Logs interface',
        'Branching via dashboard',
        'Disable Advisor rules',
        'New Storage interface',
        'Directly edit database entities',
        'Project API documentation',
        // What was there before it could be switched off is on until somebody does.
        'Column-level privileges(enabled)',
      ])
    await expect.poll(() => dialog().getByRole('link', { name: 'Give feedback' }).count()).toBe(0)
    const box = await dialog().boundingBox()
    expect(box?.height).toBe(550)
    expect((await dialog().locator('.split-list').boundingBox())?.width).toBe(280)

    await list.getByRole('button', { name: 'New Storage interface' }).click()
    await heading('New Storage interface')
    expect(page.url()).toContain('featurePreviewModal=new-storage-ui')
    expect(await stored('new-storage-ui')).toBeNull()
    await button('Enable feature').click()
    expect(await stored('new-storage-ui')).toBe('true')
    await list.getByRole('button', { name: 'New Storage interface (enabled)' }).waitFor()
    await expect
      .poll(() => actions().at(-1))
      .toEqual({
        ...actions().at(-1),
        action: 'feature_preview_enabled',
        custom_properties: { feature: 'new-storage-ui' },
        groups: { project: 'Unknown', organization: 'Unknown' },
      })
    await eyes.look('74-previews')
    await go(`/org/${slug}?featurePreviewModal=new-storage-ui`)
    await button('Disable feature').click()
    expect(await stored('new-storage-ui')).toBe('false')
    await expect
      .poll(() => actions().at(-1))
      .toMatchObject({
        action: 'feature_preview_disabled',
        groups: { project: 'Unknown', organization: slug },
      })

    await list.getByRole('button', { name: 'New Logs interface' }).click()
    await expect.poll(() => button('Enable feature').getAttribute('aria-disabled')).toBe('true')
    await dialog().getByText('For organizations on Team or above').first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await photograph('75-previews-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    expect(page.url()).not.toContain('featurePreviewModal')
  },
)

step('an answer that cannot be saved is asked for again', async () => {
  const eve = await newPerson(platform, 'eve')
  await go('/logout')
  await heading('Sign in')
  await page.evaluate(() => localStorage.removeItem('plinth.consent'))
  await page.getByLabel('Email').fill(eve.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(/^Sign in/).click()
  await heading('Organizations')
  await page.route('**/platform/profile/consent', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await toast().waitFor()
  await button('Accept').click()
  await page.getByText('Your choice could not be saved').first().waitFor()
  await toast().waitFor()
  expect(await stored('plinth.consent')).toBeNull()
  await page.unroute('**/platform/profile/consent')
  await button('Accept').click()
  await toast().waitFor({ state: 'hidden' })
  await expect.poll(() => stored('plinth.consent')).toContain('"of":"person"')
})
