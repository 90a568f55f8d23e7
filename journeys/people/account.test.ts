import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization, signUp } from '../testing/client.ts'
import { password } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Platform
let page: Page
let eyes: Eyes
const email = 'ada@example.com'

beforeAll(async () => {
  // Its mailbox is looked at whole.
  platform = await ownPlatform()
  ;({ page, eyes } = await openPage(platform))
  await createOrganization(await signUp(platform.url, email, password), 'Acme')
})

const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function signIn(secret: string, path = '/sign-in'): Promise<void> {
  await page.goto(platform.url + path)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await press('Sign in')
}

const toasts = () => page.locator('[data-sonner-toast]').count()
/** What stands at the form, and about no field of it. */
const refusal = () => page.locator('form > .alert[role=alert]')

/** The message that a field has below it: the field names it, and is marked as wrong. */
async function wrongAt(label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  const note = page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
  await expect.poll(() => note.getAttribute('role')).toBe('alert')
  return (await note.textContent()) ?? ''
}

/** What the browser itself writes for every refused call; the pages' own errors stay. */
const ownErrors = () => eyes.errors.filter((line) => !line.includes('Failed to load resource'))

const step = story('an account: wrong passwords, ways back after signing in, a forgotten password')

step(
  'a wrong password is told above the button, in the words that an unknown address gets too',
  async () => {
    await signIn('Wr0ng-password!')
    await expect.poll(() => refusal().allTextContents()).toEqual(['Invalid login credentials'])
    const below = await page.getByRole('button', { name: 'Sign in' }).boundingBox()
    expect((await refusal().boundingBox())?.y).toBeLessThan(below?.y ?? 0)
    expect(await toasts()).toBe(0)
    await eyes.look('29-sign-in-refused')
    await page.getByLabel('Email').fill('nobody@example.com')
    // It was about another address.
    await expect.poll(() => refusal().count()).toBe(0)
    await press('Sign in')
    await expect.poll(() => refusal().allTextContents()).toEqual(['Invalid login credentials'])
    expect(page.url()).toContain('/sign-in')
  },
)

step('signing up with an address that has an account is told beside the address', async () => {
  await page.goto(`${platform.url}/sign-up`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press('Create account')
  expect(await wrongAt('Email')).toBe('User already registered')
  await expect.poll(() => refusal().count()).toBe(0)
  expect(await toasts()).toBe(0)
})

step('a server that is not reached is told at each form', async () => {
  const before = eyes.errors.length
  await page.route('**/auth/v1/**', (route) => route.abort())
  const text = 'Unable to reach the server. Please check your network or try again later.'
  for (const [path, button] of [
    ['/forgot-password', 'Send link'],
    ['/sign-in-sso', 'Continue'],
    ['/sign-up', 'Create account'],
    ['/sign-in', 'Sign in'],
  ] as const) {
    await page.goto(platform.url + path)
    await page.getByLabel(/email/i).fill(email)
    const secret = page.getByLabel('Password', { exact: true })
    if ((await secret.count()) > 0) await secret.fill(password)
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect.poll(() => refusal().allTextContents(), { message: path }).toEqual([text])
  }
  await page.unroute('**/auth/v1/**')
  // The client of the auth service writes each of them into the console, too.
  eyes.errors.splice(before)
})

for (const [returnTo = '', place = ''] of [
  ['/org/acme', '/org/acme'],
  ['//evil.example/x', '/organizations'],
  ['https://evil.example', '/organizations'],
  ['/\\evil.example', '/organizations'],
])
  step(`after sign-in returnTo=${returnTo} leads to ${place}`, async () => {
    await signIn(password, `/sign-in?returnTo=${encodeURIComponent(returnTo)}`)
    await expect.poll(() => new URL(page.url()).pathname).toBe(place)
    expect(new URL(page.url()).origin).toBe(platform.url)
    await page.goto(`${platform.url}/logout`)
    await heading('Sign in')
  })

step('unknown organizations and projects lead back to the list, and say so', async () => {
  await signIn(password)
  await heading('Organizations')
  await page.goto(`${platform.url}/org/nowhere`)
  await page.getByText("We couldn't find that organization").first().waitFor()
  expect(page.url()).toContain('error=org_not_found')
  await page.goto(`${platform.url}/project/abcdefghijklmnopqrst`)
  await page.getByText('This project does not exist').first().waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/organizations')
  await page.goto(`${platform.url}/no/such/page`)
  await page.getByRole('main').waitFor()
  await eyes.look('30-not-found')
})

step('signing out clears what the browser kept, and closes every page', async () => {
  await page.goto(`${platform.url}/organizations`)
  await press(/^Account of/)
  await eyes.look('31-account-menu')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading('Sign in')
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => /auth|token/.test(key))),
  ).toEqual([])
  await page.goto(`${platform.url}/organizations`)
  await heading('Sign in')
  expect(page.url()).toContain('returnTo')
})

step(
  'a forgotten password is changed by the mail in the mailbox; the old one is dead',
  async () => {
    await page.goto(`${platform.url}/forgot-password`)
    await page.getByLabel('Email').fill(email)
    await eyes.look('32-forgot-password')
    await press('Send link')
    await page.getByText(/If there is an account/).waitFor()

    const answer = await fetch(`${platform.url}/mailbox`, {
      headers: { accept: 'application/json' },
    })
    expect(await answer.json()).toMatchObject([{ tenant: 'platform', recipient: email }])
    await page.goto(`${platform.url}/mailbox`)
    await heading('Mailbox')
    await eyes.look('33-mailbox')
    await page
      .getByRole('main')
      .getByRole('link', { name: /verify/ })
      .first()
      .click()
    await heading('Choose a new password')
    await eyes.look('34-reset-password')
    await page.getByLabel('New password', { exact: true }).fill('An0ther-secret!')
    await press('Save password')
    await page.getByText('Password changed').first().waitFor()

    await page.goto(`${platform.url}/logout`)
    await heading('Sign in')
    await signIn(password)
    await page.getByText('Invalid login credentials').first().waitFor()
    await signIn('An0ther-secret!')
    await heading('Organizations')
  },
)

step('every theme and the keyboard: command menu, shortcuts, narrow screen', async () => {
  await page.goto(`${platform.url}/organizations`)
  await heading('Organizations')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').waitFor()
  await eyes.look('35-command-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  for (const theme of ['Dark', 'Light', 'Classic dark', 'System']) {
    await press(/^Account of/)
    await page.getByRole('menuitemradio', { name: theme, exact: true }).click()
    const shown = await page.evaluate(() => document.documentElement.dataset['theme'])
    expect(['dark', 'light', 'classic-dark']).toContain(shown)
    await page.keyboard.press('Escape')
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('36-phone')
  expect(ownErrors()).toEqual([])
})
