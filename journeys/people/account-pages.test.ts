import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { accessTokenPattern } from '#contract/people/access-tokens'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization } from '../testing/client.ts'
import { outOfReach } from '../testing/out-of-reach.ts'
import { addressOf, codeAt, newPerson, password } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Place
let page: Page
let eyes: Eyes
let email: string
/** Of Acme. */
let slug: string
const newEmail = addressOf('ada.lovelace')
/** What the pages give out, for the tests after. */
let token = ''
let secret = ''

beforeAll(async () => {
  platform = sharedPlatform()
  const ada = await newPerson(platform)
  email = ada.email
  slug = await createOrganization(ada, 'Acme', 'tier_free')
  ;({ page, eyes } = await openPage(platform))
})

const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const dialog = () => page.getByRole('dialog')
const visit = async (path: string, title: string) => {
  await page.goto(platform.url + path)
  await heading(title)
}

async function signIn(): Promise<void> {
  await page.goto(`${platform.url}/sign-in?returnTo=/account/me`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(/^Sign in/)
}

/** The code that the app shows now, or in the half minute after: each works once. */
const codeOf = (halfMinutes = 0) => codeAt(secret, halfMinutes)

async function askForAddress(address: string): Promise<void> {
  await press('Change email')
  await page.getByLabel('New email').fill(address)
  await press('Send confirmation')
  await said(/^Waiting for/)
}

const withToken = (path: string, method = 'GET') =>
  fetch(platform.url + path, { method, headers: { authorization: `Bearer ${token}` } })

const step = story('the pages of an account, from the profile to its end')

step('the profile takes a name, which the frame shows', async () => {
  await signIn()
  await heading('Profile')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await press('Save')
  await said('Profile saved')
  await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor()
  await said('Organizations that only you own')
  await eyes.look('40-account-profile')
  await page.reload()
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ada')
})

step(
  'an access token is shown once, works on /v1 and /platform, and is dead when revoked',
  async () => {
    await visit('/account/tokens', 'Access tokens')
    await said('No access tokens yet')
    await press('New access token')
    await press('Create token')
    await said('Enter a name')
    await page.getByLabel('Name').fill('laptop')
    await press('Create token')
    await heading('Your new access token')
    token = (await dialog().locator('.in.secret .grow').textContent()) ?? ''
    expect(token).toMatch(accessTokenPattern)
    await eyes.look('43-account-token-shown')
    await press('Done')
    await page.getByRole('cell', { name: /^laptop/ }).waitFor()
    await expect.poll(() => page.getByText(token).count()).toBe(0)

    expect(await (await withToken('/v1/organizations')).json()).toMatchObject([{ id: slug }])
    expect(await (await withToken('/platform/profile')).json()).toMatchObject({ first_name: 'Ada' })
    await press('New access token')
    await page.getByLabel('Name').fill('old script')
    await press('Create token')
    await heading('Your new access token')
    const other = (await dialog().locator('.in.secret .grow').textContent()) ?? ''
    await press('Done')
    await eyes.look('44-account-tokens')
    await press('Revoke old script')
    await press('Revoke token')
    await said('old script is revoked')
    const refused = await fetch(`${platform.url}/v1/organizations`, {
      headers: { authorization: `Bearer ${other}` },
    })
    expect(refused.status).toBe(401)
    expect((await withToken('/v1/organizations')).status).toBe(200)
  },
)

step('a change of the address waits for both mails and then reaches the profile', async () => {
  await visit('/account/me', 'Profile')
  await askForAddress(newEmail)
  await eyes.look('45-account-pending-email')

  const mails = (await (
    await fetch(`${platform.url}/mailbox`, { headers: { accept: 'application/json' } })
  ).json()) as { recipient: string; body_text?: string; text?: string }[]
  for (const recipient of [email, newEmail]) {
    const mail = mails.find((each) => each.recipient === recipient)
    const link = /https?:\/\/\S+\/verify\S+/.exec(JSON.stringify(mail))?.[0].split(/["\\]/)[0]
    const answer = await fetch((link ?? '').replaceAll('&amp;', '&'), { redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).not.toContain('error')
  }
  await page.reload()
  await page.locator('.set-row').getByText(newEmail, { exact: true }).waitFor()
  await expect.poll(() => page.getByText(/^Waiting for/).count()).toBe(0)
  email = newEmail
  const profile = (await (await withToken('/platform/profile')).json()) as object
  expect(profile).toMatchObject({ primary_email: newEmail })
})

step('a second factor is added by its code, and asked for at the next sign-in', async () => {
  await visit('/account/security', 'Security')
  await said('No second factor yet')
  await press('Add app')
  await press('Continue')
  await heading('Scan the code')
  secret = (await dialog().locator('.in.secret .grow').textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await press('Verify')
  await page
    .getByText(/invalid|code/i)
    .first()
    .waitFor()
  await eyes.look('46-account-scan')
  await page.getByLabel('Code', { exact: true }).fill(codeOf())
  await press('Verify')
  await said('Two-factor authentication is on for this app')
  await said('Add a second app')
  await eyes.look('47-account-security')

  await page.goto(`${platform.url}/logout`)
  await heading('Sign in')
  await said('Last used')
  await signIn()
  await heading('Two-factor authentication')
  expect(new URL(page.url()).search).toBe('?returnTo=/account/me')
  await eyes.look('49-sign-in-mfa')
  // Half signed in: every page leads here, and the server answers nothing.
  await page.goto(`${platform.url}/organizations`)
  await heading('Two-factor authentication')
  const code = page.getByLabel('Code')
  await code.fill('000000')
  await press('Verify')
  await page.getByRole('alert').getByText('Invalid TOTP code entered').waitFor()
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
  // The next one can be typed at once.
  await expect.poll(() => code.inputValue()).toBe('')
  await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true)
  await code.fill(codeOf(1))
  await press('Verify')
  await heading('Organizations')
})

let codes: string[]

step('recovery codes are shown once, and one lets in who has lost the app', async () => {
  await visit('/account/security', 'Security')
  await said('No recovery codes yet')
  await press('Generate codes')
  await heading('Your recovery codes')
  codes = await dialog().getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  await eyes.look('54-recovery-codes')
  const saved = page.waitForEvent('download')
  await dialog().getByRole('button', { name: 'Download' }).click()
  const file = await (await saved).createReadStream()
  expect(await text(file)).toContain(codes.join('\n'))
  await dialog().getByRole('button', { name: 'Done' }).click()
  await said('10 of 10 codes left')

  await page.goto(`${platform.url}/logout`)
  await heading('Sign in')
  await signIn()
  await heading('Two-factor authentication')
  await press('Use a recovery code')
  const field = page.getByLabel('Recovery code')
  await field.fill('123456')
  await press('Verify')
  await said('A recovery code has 10 letters and digits')
  await field.fill('aaaaa-aaaaa')
  await press('Verify')
  await page.getByRole('alert').getByText('Invalid recovery code entered').waitFor()
  await eyes.look('55-sign-in-recovery')
  await field.fill(codes[0] ?? '')
  await press('Verify')
  await heading('Profile')
  await visit('/account/security', 'Security')
  await said('9 of 10 codes left')
  await said(/last used just now/)
})

step('new codes take the place of the old ones', async () => {
  await press('Generate new codes')
  await dialog().getByRole('button', { name: 'Generate new codes' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes', exact: true }).waitFor()
  const fresh = await dialog().getByRole('listitem').allTextContents()
  expect(fresh.filter((code) => codes.includes(code))).toEqual([])
  codes = fresh
  await dialog().getByRole('button', { name: 'Done' }).click()
  await said('10 of 10 codes left')
})

step('sessions are listed, and one that is ended is refused at once', async () => {
  const answer = await fetch(`${platform.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'thief/1.0' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token: stolen } = (await answer.json()) as { access_token: string }
  const asThief = () =>
    fetch(`${platform.url}/platform/profile`, { headers: { authorization: `Bearer ${stolen}` } })
  // The password alone is half of what it takes.
  expect((await asThief()).status).toBe(403)
  await visit('/account/security', 'Security')
  const sessions = page.locator('.set-row', { hasText: 'active ' })
  const current = sessions.filter({ has: page.getByText('Current', { exact: true }) })
  await expect.poll(() => current.locator('p').textContent()).toMatch(/active now$/)
  const stolenRow = sessions.filter({ hasText: 'thief' }).locator('p')
  await expect.poll(() => stolenRow.textContent()).not.toMatch(/active now$/)
  await press('End the session on thief')
  await said('Session ended')
  expect((await asThief()).status).toBe(401)
  await page.getByText('thief').waitFor({ state: 'detached' })
})

step('a lost app is removed by a recovery code, and the codes go with the last app', async () => {
  await press('Remove Authenticator app')
  await dialog()
    .getByRole('button', { name: /^Confirm with/ })
    .click()
  await page.getByRole('option', { name: 'A recovery code' }).click()
  await dialog()
    .getByLabel('Code', { exact: true })
    .fill(codes[3] ?? '')
  await dialog().getByRole('button', { name: 'Remove app' }).click()
  await said('Authenticator app is removed')
  await said('No second factor yet')
  await expect.poll(() => page.getByText('Recovery codes').count()).toBe(0)
})

step('preferences count at once: theme, rail, shortcuts', async () => {
  await visit('/account/preferences', 'Preferences')
  await eyes.look('50-account-preferences')
  for (const [label, theme] of [
    ['Classic dark', 'classic-dark'],
    ['Light', 'light'],
    ['Dark', 'dark'],
  ] as const) {
    await page.getByRole('radio', { name: label, exact: false }).first().check({ force: true })
    const shown = () => page.evaluate(() => document.documentElement.dataset['theme'])
    if (label !== 'Dark') await expect.poll(shown).toBe(theme)
  }
  await page.getByRole('radio', { name: /Stays open/ }).check({ force: true })
  const hotkey = page.locator('label.switch', { hasText: 'Command menu' })
  await hotkey.click()
  await expect.poll(() => hotkey.getByRole('switch').isChecked()).toBe(false)
  await page.reload()
  await expect.poll(() => page.getByRole('radio', { name: /Stays open/ }).isChecked()).toBe(true)
  await page.keyboard.press('ControlOrMeta+k')
  await expect.poll(() => dialog().count()).toBe(0)
  await hotkey.click()
  await page.keyboard.press('ControlOrMeta+k')
  await dialog().waitFor()
  await page.keyboard.press('Escape')
})

step('the own audit log lists what was done, finds, and shows the details', async () => {
  await visit('/account/audit', 'Audit log')
  await page.getByRole('button', { name: 'Created an access token' }).first().waitFor()
  await eyes.look('51-account-audit')
  await page.getByRole('searchbox', { name: 'Find an action' }).fill('accessTokens.remove')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(page.url()).toContain('find=accessTokens.remove')
  await press('Deleted an access token')
  await dialog().getByRole('table', { name: 'What changed' }).getByText('old script').waitFor()
  await eyes.look('52-account-audit-entry')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['me', 'preferences', 'security', 'tokens', 'audit']) {
    await page.goto(`${platform.url}/account/${name}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('.skel').count()).toBe(0)
    if (name !== 'preferences' && name !== 'security') await eyes.look(`53-account-${name}`)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide, name).toBeLessThanOrEqual(390)
    expect(await outOfReach(page), name).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('an account ends when nothing depends on it alone; then nobody can sign in', async () => {
  await visit('/account/me', 'Profile')
  const end = page.getByRole('button', { name: 'Delete account' })
  await expect.poll(() => end.getAttribute('aria-disabled')).toBe('true')
  expect((await withToken(`/platform/organizations/${slug}`, 'DELETE')).status).toBe(200)
  await page.reload()
  await end.click()
  await dialog().getByRole('textbox').fill(email)
  await dialog().getByRole('button', { name: 'Delete account' }).click()
  await heading('Sign in')
  expect((await withToken('/v1/organizations')).status).toBe(401)
  await signIn()
  await said('Invalid login credentials')
})

step(
  'somebody new gets a profile with the first page, and can take a change of address back',
  async () => {
    const bob = addressOf('bob')
    await visit('/sign-up?returnTo=/account/me', 'Create an account')
    await page.getByLabel('Email').fill(bob)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press('Create account')
    await heading('Profile')
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(bob.split('@')[0])
    await askForAddress(addressOf('robert'))
    await press('Cancel change')
    await said('Your email address was not changed')
    await page.getByText(/^Waiting for/).waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.set-row').getByText(bob, { exact: true }).waitFor()
    await expect.poll(() => page.getByText(/^Waiting for/).count()).toBe(0)
  },
)

step(
  'a session that was ended elsewhere leads to the sign-in page, and nothing of it is kept',
  async () => {
    await page.evaluate(async () => {
      const kept = JSON.parse(localStorage.getItem('plinth.session') ?? '{}') as {
        access_token: string
      }
      const headers = { authorization: `Bearer ${kept.access_token}` }
      await fetch('/auth/v1/logout', { method: 'POST', headers })
    })
    await page.goto(`${platform.url}/account/me`)
    await heading('Sign in')
    const kept = await page.evaluate(() => Object.keys(localStorage).join())
    expect(kept).not.toContain('plinth.session')
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
    const own = eyes.errors.filter((line) => !line.includes('Failed to load resource'))
    expect(own).toEqual([])
  },
)
