import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** The pages that say who may sign in to a project, by what, and for how long. */
let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
})

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

const step = story('sign-in ways, mails, hooks and limits of a project')

step('who may sign up is said the way people ask it, kept, and shown again', async () => {
  await bench.go('auth/providers')
  await page.getByRole('heading', { name: 'Sign in / Providers' }).waitFor()
  await expect.poll(() => page.getByLabel('Allow new users to sign up').isChecked()).toBe(true)
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

step(
  'a provider: what is missing is said at its field, a secret is kept and never shown',
  async () => {
    await page.getByRole('searchbox', { name: 'Find a provider' }).fill('git')
    await expect.poll(() => page.locator('.provider-row').allInnerTexts()).toHaveLength(2)
    await page.getByRole('button', { name: /^GitHub/ }).click()
    const panel = page.getByRole('dialog', { name: 'GitHub' })
    await panel.getByText('Enable sign-in with GitHub').click()
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel
      .getByText(/^Is needed for EXTERNAL_GITHUB_ENABLED/)
      .nth(1)
      .waitFor()
    await panel.getByLabel('Client ID').fill('shop')
    await panel.getByLabel('Client secret').fill('a secret of the shop')
    await expect
      .poll(() => panel.getByText('/auth/v1/callback').innerText())
      .toBe(`${bench.project.endpoint}/auth/v1/callback`)
    await eyes.look('auth-pages-01-provider')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^GitHub\s*Enabled/ }).click()
    const secret = panel.getByLabel('Client secret')
    await expect.poll(() => secret.inputValue()).toBe('')
    await expect.poll(() => secret.getAttribute('placeholder')).toContain('Stored')

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
  },
)

step(
  'email: a weak choice is warned of, a wrong one refused, and nobody is locked out by chance',
  async () => {
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
  },
)

step('phone: the fields of the service that is chosen, and test numbers a line each', async () => {
  await bench.go('auth/providers?provider=phone')
  const panel = page.getByRole('dialog', { name: 'Phone' })
  await expect.poll(() => panel.getByLabel('Account SID').count()).toBe(0)
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

step('second factors: taking one away asks, and leaving with changes asks too', async () => {
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

step('codes by text message say what they cost before they are switched on', async () => {
  // The step before chose a service without an account; here messages are kept where people see them.
  const { status } = await bench.ada.call('PATCH', `/platform/auth/${bench.ref}/config`, {
    SMS_PROVIDER: '',
  })
  expect(status).toBe(200)
  await bench.go('auth/mfa')
  await card('SMS')
    .locator('label', { hasText: /^Enabled/ })
    .click()
  await save('SMS')
  const asking = page.getByRole('dialog', { name: 'Enable text message codes?' })
  await asking.getByText(/\$75\.00 a month for the first project/).waitFor()
  await eyes.look('auth-pages-03-phone-price')
  await asking.getByRole('button', { name: 'Cancel' }).click()
  expect(await config()).toMatchObject({ MFA_PHONE_VERIFY_ENABLED: false })
  await save('SMS')
  await asking.getByRole('button', { name: 'Enable' }).click()
  await saved('SMS')
  expect(await config()).toMatchObject({ MFA_PHONE_VERIFY_ENABLED: true })
  const { body } = await bench.ada.call('GET', `/v1/projects/${bench.ref}/billing/addons`)
  expect(JSON.stringify(body['selected_addons'])).toContain('Advanced MFA by phone')
})

step(
  'sessions and protection: what the plan does not have stays closed, the rest is kept',
  async () => {
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
    const isClosed = (label: string) => page.getByLabel(label).isDisabled()
    expect(await isClosed('Single session per user')).toBe(false)
    const rotates = page.getByLabel(/^Detect and revoke/)
    await expect.poll(() => rotates.isChecked()).toBe(true)
    await page.getByLabel('Access token expiry').fill('7200')
    await page.getByText('2\u00a0hours').waitFor()
    await save('Tokens')
    await saved('Tokens')
    expect(await config()).toMatchObject({ JWT_EXP: 7200, REFRESH_TOKEN_ROTATION_ENABLED: true })
    await expect.poll(() => rotates.isChecked()).toBe(true)
    await eyes.look('auth-pages-04-sessions')
    await page.getByRole('link', { name: 'Attack protection' }).click()
    await page.getByRole('heading', { name: 'Attack protection' }).waitFor()
    expect(await isClosed('Prevent use of leaked passwords')).toBe(false)
    await page.getByLabel('Captcha secret').fill('a secret of the captcha')
    await save('Captcha')
    await saved('Captcha')
    expect((await config())['SECURITY_CAPTCHA_SECRET']).toMatch(/^hidden:/)
    await eyes.look('auth-pages-05-protection')
    await page.getByRole('link', { name: 'Performance' }).click()
    await page.getByLabel('Request duration').fill('20')
    await save('Requests')
    await saved('Requests')
    await page.getByLabel('Database connections').fill('0')
    await save('Connections')
    await page.getByText('A whole number from 1 to 1000').waitFor()
    await page.getByLabel('Database connections').fill('')
    expect(await config()).toMatchObject({ API_MAX_REQUEST_DURATION: 20, DB_MAX_POOL_SIZE: null })
    await eyes.look('auth-pages-05-performance')
  },
)

step('a hook: a function of the database, with the rights that it needs', async () => {
  await bench.sql(`create schema "My app";
    create function "My app".add_claims(event jsonb) returns jsonb language sql as 'select event';
    create function "My app".other(a int) returns int language sql as 'select 1'`)
  await bench.go('auth/hooks')
  await page.getByRole('button', { name: /^Customize Access Token/ }).click()
  const panel = page.getByRole('dialog', { name: /^Customize Access Token/ })
  await panel.getByRole('button', { name: 'Schema: public' }).click()
  await page.getByRole('option', { name: 'My app' }).click()
  await panel.getByRole('button', { name: /^Function/ }).click()
  await expect.poll(() => page.getByRole('option').allInnerTexts()).toHaveLength(1)
  await page.getByRole('option', { name: /add_claims/ }).click()
  await panel
    .getByText('grant execute on function "My app".add_claims(event jsonb) to supabase_auth_admin;')
    .waitFor()
  await eyes.look('auth-pages-06-hook')
  await panel
    .getByRole('radio', { name: 'HTTPS' })
    .or(panel.getByRole('button', { name: 'HTTPS' }))
    .click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Generate a secret, or enter one').waitFor()
  await panel.getByLabel('URL').fill('https://hooks.example.com/claims')
  await panel.getByRole('button', { name: 'Generate secret' }).click()
  await expect
    .poll(() => panel.getByLabel('Secret', { exact: true }).inputValue())
    .toMatch(/^v1,whsec_/)
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(await config()).toMatchObject({
    HOOK_CUSTOM_ACCESS_TOKEN_URI: 'https://hooks.example.com/claims',
    HOOK_CUSTOM_ACCESS_TOKEN_SECRETS: expect.stringMatching(/^hidden:/) as unknown,
    HOOK_CUSTOM_ACCESS_TOKEN_ENABLED: true,
  })
  await eyes.look('auth-pages-07-hooks')
  await page.getByRole('button', { name: /^Customize Access Token/ }).click()
  await panel.getByRole('button', { name: 'Delete hook' }).click()
  await page
    .getByRole('dialog', { name: /^Delete/ })
    .getByRole('button', { name: 'Delete hook' })
    .click()
  await expect.poll(async () => (await config())['HOOK_CUSTOM_ACCESS_TOKEN_URI']).toBe('')
  await page
    .getByText(/deleted$/)
    .first()
    .waitFor()
})

step('a mail: written, tried out, seen, and taken back', async () => {
  await page.getByRole('link', { name: 'Email templates' }).click()
  await page.getByRole('link', { name: /^Reset Password/ }).click()
  await page.getByText('Nothing in it looks like spam.').waitFor()
  const subject = page.getByLabel('Subject')
  await subject.fill('RESET IT NOW!!')
  await page.getByText('The subject shouts').waitFor()
  await page.locator('.monaco-editor').first().waitFor()
  await page.getByRole('button', { name: '{{ .Email }}' }).click()
  await eyes.look('auth-pages-08-template')
  await subject.fill('Choose another password')
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText(`The local mailbox took the mail to ${bench.ada.email}`).first().waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.frameLocator('iframe').getByText('ada@example.com').first().waitFor()
  await eyes.look('auth-pages-09-preview')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Reset Password saved').first().waitFor()
  expect((await config())['MAILER_SUBJECTS_RECOVERY']).toBe('Choose another password')
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => subject.inputValue()).toBe('Reset your password')
})

step(
  'a mail server: what is missing is said, its refusal word for word, and it can be taken away',
  async () => {
    await page.getByRole('link', { name: 'SMTP settings' }).click()
    await page.getByText('Emails are sent by the platform').waitFor()
    await page.getByText('Enable custom SMTP').click()
    await save('Mail server')
    await page.getByText('Required', { exact: true }).nth(3).waitFor()
    await page.getByLabel('Sender email address').fill('shop@example.com')
    await page.getByLabel('Sender name').fill('Shop')
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByLabel('Port').fill('25')
    await page.getByText(/^Many networks/).waitFor()
    await page.getByLabel('Username').fill('shop')
    await page.getByLabel('Password', { exact: true }).fill('a password of the shop')
    await save('Mail server')
    await saved('SMTP settings')
    await page.getByRole('button', { name: 'Send test mail' }).click()
    await page.getByText('Your mail server rejected the email').waitFor()
    await eyes.look('auth-pages-10-smtp')
    await page.getByText('Enable custom SMTP').click()
    await save('Mail server')
    await saved('SMTP settings')
    await expect
      .poll(config)
      .toMatchObject({ SMTP_HOST: '', SMTP_PASS: '', SMTP_USER: '', SMTP_ADMIN_EMAIL: '' })
  },
)

step('on a phone nothing is wider than the screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const below of ['providers', 'mfa', 'hooks', 'templates/invite', 'smtp']) {
    await bench.go(`auth/${below}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.screenshot({
      path: `test-output/screenshots/auth-pages-phone-${below.replace('/', '-')}.png`,
    })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide, below).toBeLessThanOrEqual(390)
  }
})

step('the browser complained about nothing but the refusals', () => {
  expect(eyes.errors.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
})
