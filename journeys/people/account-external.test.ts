import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { startGithub, type TestGithub } from '#data-plane/testing/auth/external-github'
import { startOidcProvider, type TestProvider } from '#data-plane/testing/auth/oidc'
import { openPage, type Eyes } from '../testing/browser.ts'
import { atEnd } from '../testing/ends.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'
import { freePort } from '#kit/testing/free-port'

let platform: Platform
let oidc: TestProvider
let github: TestGithub
let page: Page
let eyes: Eyes
const email = 'ada@example.com'

beforeAll(async () => {
  const ports = { port: await freePort(), projectPort: await freePort() }
  const url = `http://localhost:${ports.port}`
  oidc = await startOidcProvider([`${url}/auth/v1/callback`])
  atEnd(() => oidc.close())
  github = await startGithub()
  atEnd(() => github.close())
  const client = { client_id: 'client', client_secret: 'client secret of the test' }
  platform = await ownPlatform({
    ports,
    environment: {
      PLINTH_GITHUB_CLIENT_ID: 'gh',
      PLINTH_GITHUB_CLIENT_SECRET: 'github secret of the test',
      PLINTH_GITHUB_URL: github.url,
      PLINTH_OIDC_PROVIDERS: JSON.stringify([
        { name: 'acme', label: 'Acme ID', issuer: oidc.issuer, ...client },
      ]),
    },
  })
  ;({ page, eyes } = await openPage(platform))
})

const heading = (name: string) => page.getByRole('heading', { name }).first().waitFor()
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const row = (text: string) => page.locator('.set-row', { hasText: text })
const ownErrors = () => eyes.errors.filter((line) => !line.includes('Failed to load resource'))

const step = story('an account by other places: GitHub, OpenID Connect, linking and parting')

step('every way that is switched on has its button', async () => {
  await page.goto(`${platform.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor()
  await page.getByRole('button', { name: 'Continue with Acme ID' }).waitFor()
  await eyes.look('60-sign-in-ways')
})

step('an address that GitHub has not verified is told what to do', async () => {
  const emails = [{ email, primary: true, verified: false }]
  github.account = { id: 7, login: 'ada', name: 'Ada', emails }
  await press('Continue with GitHub')
  // At the buttons that it came from.
  await expect
    .poll(() => page.locator('.ways [role=alert]').allTextContents())
    .toEqual([
      'Please verify your email on GitHub first, then reach out to us at support@localhost to log into the dashboard.',
    ])
  await expect.poll(() => page.url()).toBe(`${platform.url}/sign-in`)
})

step('a domain that belongs to no organization is told beside the address', async () => {
  await press('Continue with single sign-on')
  await heading('Single sign-on')
  await page.getByLabel('Work email').fill('ada@nowhere.example')
  await eyes.look('61-sign-in-sso')
  await press('Continue')
  const address = page.getByLabel('Work email')
  await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
  const note = page.locator(`[id="${await address.getAttribute('aria-describedby')}"]`)
  await expect.poll(() => note.textContent()).toBe('No SSO provider assigned for this domain')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
})

step('signing in at an OpenID provider makes an account and comes back to the page', async () => {
  oidc.account = { sub: 'ada-1', email, email_verified: true, name: 'Ada' }
  await page.goto(`${platform.url}/sign-in?returnTo=/account/me`)
  await press('Continue with Acme ID')
  await heading('Profile')
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/account/me')
  await row('Acme ID').getByText(email).waitFor()
  // The only way to sign in cannot go.
  const unlink = row('Acme ID').getByRole('button', { name: 'Unlink Acme ID' })
  await expect.poll(() => unlink.getAttribute('aria-disabled')).toBe('true')
  // The code was for this tab, and what it came with is not kept.
  const kept = await page.evaluate(() => Object.keys(sessionStorage).join())
  expect(kept).not.toContain('plinth.external')
})

step('GitHub is linked in a window of its own, and unlinked', async () => {
  const emails = [{ email: 'ada@users.example', primary: true, verified: true }]
  github.account = { id: 8, login: 'countess', name: 'Ada', emails }
  const opened = page.waitForEvent('popup')
  await press('Link GitHub')
  const popup = await opened
  await said('GitHub is linked')
  await expect.poll(() => popup.isClosed()).toBe(true)
  await row('GitHub').getByText('countess').waitFor()
  await eyes.look('62-linked-github')
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain(
    'plinth.authorization-state',
  )
  await press('Unlink GitHub')
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink GitHub' }).click()
  await said('GitHub is unlinked')
  await page.getByRole('button', { name: 'Link GitHub' }).waitFor()
})

step('an answer that nobody here asked for is not taken', async () => {
  const other = await page.context().newPage()
  await other.goto(`${platform.url}/authorized?state=${'x'.repeat(32)}&code=abc`)
  await other.getByRole('heading', { name: 'This sign-in was not started here' }).waitFor()
  await other.close()
})

step('the way one came in last is marked, also after signing out', async () => {
  await page.goto(`${platform.url}/logout`)
  await heading('Sign in')
  await page.getByRole('button', { name: 'Continue with Acme ID Last used' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('63-sign-in-phone')
  expect(ownErrors()).toEqual([])
})
