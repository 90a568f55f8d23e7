import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOffered } from '#contract/auth-config-offered'
import type { Eyes } from './browser.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

/** The pages that say who may sign in to a project, by what, and for how long. */
let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
})
afterAll(() => bench?.close())

const card = (title: string) =>
  page
    .locator('section.card')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const save = (title: string) => card(title).getByRole('button', { name: 'Save' }).click()
const saved = (title: string) => page.getByText(`${title} saved`).first().waitFor()
const config = async () =>
  (await bench.ada.call('GET', `/platform/auth/${bench.ref}/config`)).body as Record<
    string,
    unknown
  >

test('who may sign up is said the way people ask it, kept, and shown again', async () => {
  await bench.go('auth/providers')
  await page.getByRole('heading', { name: 'Sign in / Providers' }).waitFor()
  expect(await page.getByLabel('Allow new users to sign up').isChecked()).toBe(true)
  await page.getByText('Allow new users to sign up').click()
  await page.getByText('Allow anonymous sign-ins').click()
  await save('User sign-ups')
  await saved('User sign-ups')
  expect(await config()).toMatchObject({
    DISABLE_SIGNUP: true,
    EXTERNAL_ANONYMOUS_USERS_ENABLED: true,
    SECURITY_MANUAL_LINKING_ENABLED: false,
  })
  await page.reload()
  await expect.poll(() => page.getByLabel('Allow new users to sign up').isChecked()).toBe(false)
  await eyes.look('auth-pages-00-providers')
})

test('a provider: what is missing is said at its field, a secret is kept and never shown', async () => {
  await page.getByRole('searchbox', { name: 'Find a provider' }).fill('git')
  expect(await page.locator('.provider-row').allInnerTexts()).toHaveLength(2)
  await page.getByRole('button', { name: /^GitHub/ }).click()
  const panel = page.getByRole('dialog', { name: 'GitHub' })
  await panel.getByText('Enable sign-in with GitHub').click()
  await panel.getByRole('button', { name: 'Save' }).click()
  expect(await panel.getByText(/^Is needed for EXTERNAL_GITHUB_ENABLED/).count()).toBe(0)
  await panel
    .getByText(/^Is needed for EXTERNAL_GITHUB_ENABLED/)
    .nth(1)
    .waitFor()
  await panel.getByLabel('Client ID').fill('shop')
  await panel.getByLabel('Client secret').fill('a secret of the shop')
  expect(await panel.getByText('/auth/v1/callback').innerText()).toBe(
    `${bench.project.endpoint}/auth/v1/callback`,
  )
  await eyes.look('auth-pages-01-provider')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^GitHub\s*Enabled/ }).click()
  const secret = panel.getByLabel('Client secret')
  expect(await secret.inputValue()).toBe('')
  expect(await secret.getAttribute('placeholder')).toContain('Stored')

  const kept = (await config())['EXTERNAL_GITHUB_SECRET']
  await panel.getByLabel('Client ID').fill('another shop')
  await panel.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog', { name: 'Close without saving?' }).getByText('Cancel').click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(await config()).toMatchObject({
    EXTERNAL_GITHUB_CLIENT_ID: 'another shop',
    EXTERNAL_GITHUB_SECRET: kept,
  })
})

test('email: a weak choice is warned of, a wrong one refused, and nobody is locked out by chance', async () => {
  await bench.go('auth/providers?provider=email')
  const panel = page.getByRole('dialog', { name: 'Email' })
  await panel.getByLabel('Email OTP expiration').fill('7200')
  await panel.getByText(/^More than an hour/).waitFor()
  await panel.getByLabel('Minimum password length').fill('5')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('A whole number from 6 to 72').waitFor()
  await eyes.look('auth-pages-02-email')
  await panel.getByLabel('Minimum password length').fill('10')
  await panel.getByText('Enable sign-in with email').click()
  await panel.getByRole('button', { name: 'Save' }).click()
  const asking = page.getByRole('dialog', { name: 'Disable sign-in with email?' })
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await panel.getByText('Enable sign-in with email').click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(await config()).toMatchObject({
    EXTERNAL_EMAIL_ENABLED: true,
    MAILER_OTP_EXP: 7200,
    PASSWORD_MIN_LENGTH: 10,
  })
})

test('phone: the fields of the service that is chosen, and test numbers a line each', async () => {
  await bench.go('auth/providers?provider=phone')
  const panel = page.getByRole('dialog', { name: 'Phone' })
  expect(await panel.getByLabel('Account SID').count()).toBe(0)
  await panel.getByRole('button', { name: /^SMS provider/ }).click()
  await page.getByRole('option', { name: 'Vonage' }).click()
  await panel.getByLabel('API secret').waitFor()
  await panel
    .getByLabel('Test phone numbers and codes')
    .fill('15550001111=123456\n15550002222=654321')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(await config()).toMatchObject({
    SMS_PROVIDER: 'vonage',
    SMS_TEST_OTP: '15550001111=123456,15550002222=654321',
  })
})

test('second factors: taking one away asks, and leaving with changes asks too', async () => {
  await bench.go('auth/mfa')
  const totp = card('App authenticator (TOTP)')
  await totp.locator('label', { hasText: /^Disabled/ }).click()
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Cancel').click()
  await save('App authenticator (TOTP)')
  const asking = page.getByRole('dialog', { name: 'Disable authenticator apps?' })
  await asking.getByRole('button', { name: 'Disable' }).click()
  await saved('App authenticator (TOTP)')
  expect(await config()).toMatchObject({
    MFA_TOTP_VERIFY_ENABLED: false,
    MFA_TOTP_ENROLL_ENABLED: false,
  })
  await totp.locator('label', { hasText: /^Verify enabled/ }).click()
  await save('App authenticator (TOTP)')
  await expect.poll(config).toMatchObject({
    MFA_TOTP_VERIFY_ENABLED: true,
    MFA_TOTP_ENROLL_ENABLED: false,
  })
  await eyes.look('auth-pages-03-mfa')
})

test('sessions and protection: what the service does not offer stays closed, the rest is kept', async () => {
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
  const isClosed = (label: string) => page.getByLabel(label).isDisabled()
  expect(await isClosed('Single session per user')).toBe(!isOffered('SESSIONS_SINGLE_PER_USER'))
  await page.getByLabel('Access token expiry').fill('7200')
  await page.getByText('2\u00a0hours').waitFor()
  await save('Tokens')
  await saved('Tokens')
  expect(await config()).toMatchObject({ JWT_EXP: 7200 })
  await eyes.look('auth-pages-04-sessions')
  await page.getByRole('link', { name: 'Attack protection' }).click()
  await page.getByRole('heading', { name: 'Attack protection' }).waitFor()
  expect(await isClosed('Prevent use of leaked passwords')).toBe(
    !isOffered('PASSWORD_HIBP_ENABLED'),
  )
  await page.getByLabel('Captcha secret').fill('a secret of the captcha')
  await save('Captcha')
  await saved('Captcha')
  expect((await config())['SECURITY_CAPTCHA_SECRET']).toMatch(/^hidden:/)
  await eyes.look('auth-pages-05-protection')
})

test('the browser complained about nothing but the refusals', () => {
  expect(eyes.errors.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
})
