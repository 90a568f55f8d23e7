import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { beforeAll, expect } from 'vitest'
import { root } from '#kit/root'
import { issuerKey, signedBy } from '#kit/testing/issuer'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** How the auth service of a project works, set on its pages and felt by who signs in. */
let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  const sql = `
    create table mine (owner text primary key);
    insert into mine values ('user 7'), ('user 8');
    alter table mine enable row level security;
    create policy own on mine to authenticated using (owner = (select auth.jwt() ->> 'sub'))`
  bench = await openWorkbench({ name: 'Shop', sql })
  ;({ page, eyes } = bench)
})

const card = (title: string) => page.locator('section.card').filter({ hasText: title })
const save = (title: string) => card(title).getByRole('button', { name: 'Save' })
const config = async () =>
  (await bench.ada.call('GET', `/platform/auth/${bench.ref}/config`)).body as Record<
    string,
    unknown
  >

const step = story(
  'how the auth service of a project works, set on its pages and felt by who signs in',
)

step(
  'an address that is none is refused in place; a good one is saved and where links lead',
  async () => {
    await bench.go('auth/url-configuration')
    await page.getByRole('heading', { name: 'URL configuration' }).waitFor()
    const site = page.getByLabel('Site URL')
    await expect.poll(() => site.inputValue()).toBe('http://localhost:3000')
    await expect.poll(() => save('Site URL').isDisabled()).toBe(true)
    await site.fill('shop.example.com')
    await save('Site URL').click()
    await page.getByText('Must be a full address, such as https://example.com').waitFor()
    await site.fill('https://shop.example.com')
    await save('Site URL').click()
    await page.getByText('Site URL saved').first().waitFor()
    expect(await config()).toMatchObject({ SITE_URL: 'https://shop.example.com' })

    const targets = page.getByLabel('Allowed targets')
    await targets.fill('https://*.shop.example.com/**\nshop-app://**')
    await save('Redirect URLs').click()
    await page.getByText('Redirect URLs saved').first().waitFor()
    await eyes.look('auth-config-00-urls')
    await page.reload()
    await expect
      .poll(() => targets.inputValue())
      .toBe('https://*.shop.example.com/**\nshop-app://**')

    const led = async (asked: string) => {
      const query = new URLSearchParams({ token: 'x', type: 'signup', redirect_to: asked })
      const url = `${bench.project.endpoint}/auth/v1/verify?${query}`
      const { headers } = await fetch(url, { redirect: 'manual' })
      return headers.get('location')?.split(/[?#]/)[0]
    }
    await expect
      .poll(() => led('https://a.shop.example.com/in'))
      .toBe('https://a.shop.example.com/in')
    expect(await led('https://evil.example.net/')).toMatch(/^https:\/\/shop\.example\.com\/?$/)
  },
)

step('what was typed can be taken back, and a limit is a number', async () => {
  await page.getByRole('link', { name: 'Rate limits' }).click()
  await page.getByRole('heading', { name: 'Rate limits' }).waitFor()
  const mails = page.getByLabel('Mails', { exact: true })
  await mails.fill('many')
  await save('Messages of the project').click()
  await page.getByText(/^A whole number from 1/).waitFor()
  await card('Messages of the project').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => mails.inputValue()).toBe('30')
  await page.getByLabel('Anonymous sign-ins').fill('7')
  await save('Requests of one IP address').click()
  await page.getByText('Requests of one IP address saved').first().waitFor()
  await eyes.look('auth-config-01-rates')
  expect(await config()).toMatchObject({ RATE_LIMIT_ANONYMOUS_USERS: 7, RATE_LIMIT_EMAIL_SENT: 30 })
})

step('passkeys are switched on, for a domain that is one, and the service says so', async () => {
  await page.getByRole('link', { name: 'Passkeys' }).click()
  await page.getByRole('heading', { name: 'Passkeys', level: 1 }).waitFor()
  await page.getByText('Sign-in with passkeys').click()
  await save('Sign-in with passkeys').click()
  await page.getByText('Passkeys saved').first().waitFor()
  const domain = page.getByLabel('Domain')
  await domain.fill('https://shop.example.com')
  await save('Where keys belong to').click()
  await page.getByText('Must be the name of a server').waitFor()
  await domain.fill('shop.example.com')
  await page.getByLabel('Origins').fill('https://shop.example.com\nhttps://app.shop.example.com')
  // By the keyboard: what was just said can lie over the button.
  await domain.press('Enter')
  await page.getByText('Where keys belong to saved').first().waitFor()
  await eyes.look('auth-config-02-passkeys')
  expect(await config()).toMatchObject({
    PASSKEY_ENABLED: true,
    WEBAUTHN_RP_ID: 'shop.example.com',
    WEBAUTHN_RP_ORIGINS: 'https://shop.example.com,https://app.shop.example.com',
  })
  const settings = () =>
    fetch(`${bench.project.endpoint}/auth/v1/settings`, {
      headers: { apikey: bench.project.anonKey },
    })
  await expect.poll(async () => (await settings()).json()).toMatchObject({ passkeys_enabled: true })
})

step('a page with the public client adds a passkey of the browser and signs in by it', async () => {
  const { endpoint, anonKey } = bench.project
  const { origin } = new URL(endpoint)
  const changes = { WEBAUTHN_RP_ID: 'localhost', WEBAUTHN_RP_ORIGINS: origin }
  const set = await bench.ada.call('PATCH', `/platform/auth/${bench.ref}/config`, changes)
  expect(set.status).toBe(200)
  const asked = async () => {
    const headers = { apikey: anonKey, 'content-type': 'application/json' }
    const url = `${endpoint}/auth/v1/passkeys/authentication/options`
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' })
    return (await answer.json()) as object
  }
  // Asking is limited.
  await expect.poll(asked, { interval: 1000 }).toMatchObject({ options: { rpId: 'localhost' } })

  const app = await bench.context.newPage()
  const devtools = await bench.context.newCDPSession(app)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await app.goto(`${endpoint}/auth/v1/health`)
  await app.addScriptTag({
    path: join(root, 'node_modules/@supabase/supabase-js/dist/umd/supabase.js'),
  })
  const said = await app.evaluate(
    async ([url, key]) => {
      // What the script has put there.
      const { supabase } = window as unknown as { supabase: { createClient: typeof createClient } }
      const auth = { persistSession: false, autoRefreshToken: false }
      const open = () =>
        supabase.createClient(url, key, { auth: { ...auth, experimental: { passkey: true } } })
      const first = open()
      const made = await first.auth.signUp({
        email: 'grace@example.com',
        password: 'correct horse 1',
      })
      const added = await first.auth.registerPasskey()
      const second = open()
      const back = await second.auth.signInWithPasskey()
      const { data } = await second.auth.getUser()
      const problems = [made.error, added.error, back.error].map((error) => error?.message)
      return { problems, email: data.user?.email }
    },
    [endpoint, anonKey] as const,
  )
  expect(said).toEqual({ problems: [undefined, undefined, undefined], email: 'grace@example.com' })
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
  await app.close()
})

step('the OAuth server is switched on and names its addresses', async () => {
  await page.getByRole('link', { name: 'OAuth server' }).click()
  await page.getByRole('heading', { name: 'OAuth server', level: 1 }).waitFor()
  const about = () =>
    fetch(`${bench.project.endpoint}/auth/v1/.well-known/oauth-authorization-server`)
  expect((await about()).status).toBe(404)
  await page.getByText('Let other apps sign in your users').click()
  await page.getByLabel('Path of the consent page').fill('/agree')
  await save('Let other apps sign in your users').click()
  await page.getByText('OAuth server saved').first().waitFor()
  await eyes.look('auth-config-03-oauth-server')
  await expect.poll(async () => (await about()).status).toBe(200)
})

step('an app is registered at the OAuth server; its secret is shown once', async () => {
  const dialog = page.getByRole('dialog')
  const act = async (verb: string) => {
    await page.getByRole('button', { name: /^Actions of / }).click()
    await page.getByRole('menuitem', { name: verb }).click()
  }
  await page.getByText('No apps yet').waitFor()
  await page.getByRole('button', { name: 'Register app' }).first().click()
  const register = dialog.getByRole('button', { name: 'Register app' })
  await register.click()
  await dialog.getByText('Give the app a name').waitFor()
  await dialog.getByLabel('Name').fill('Calendar')
  await dialog.getByLabel('Redirect addresses').fill('http://calendar.example.com')
  await dialog.getByText(/must start with https/).waitFor()
  await dialog.getByLabel('Redirect addresses').fill('https://calendar.example.com/back')
  await eyes.look('auth-config-08-register-app')
  await register.click()
  await dialog.getByText('Copy the secret now').waitFor()
  const first = await dialog.locator('.secret, code, .mono').allInnerTexts()
  await eyes.look('auth-config-09-app-secret')
  await dialog.getByRole('button', { name: 'Done' }).click()

  await act('New client secret')
  await dialog.getByRole('button', { name: 'Generate a new secret' }).click()
  await dialog.getByText('Copy the secret now').waitFor()
  await expect.poll(() => dialog.locator('.secret, code, .mono').allInnerTexts()).not.toEqual(first)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await act('Edit')
  await dialog.getByLabel('Name').fill('Diary')
  await dialog.getByRole('button', { name: 'Save app' }).click()
  await page.getByRole('row').filter({ hasText: 'Diary' }).waitFor()
  await eyes.look('auth-config-10-apps')
  await act('Delete')
  await dialog.getByRole('button', { name: 'Delete app' }).click()
  await page.getByText('No apps yet').waitFor()
})

step('tokens of another issuer are taken from when it is added until it is removed', async () => {
  await page.getByRole('link', { name: 'Third-party auth' }).click()
  await page.getByText('No integrations yet').waitFor()
  const dialog = page.getByRole('dialog')
  const choose = async (service: string) => {
    await page.getByRole('button', { name: 'Add integration' }).first().click()
    await page.getByRole('menuitem', { name: service }).click()
  }
  const add = () => dialog.getByRole('button', { name: 'Add integration' }).click()
  await choose('Auth0')
  await add()
  await dialog.getByText('Enter the Tenant').waitFor()
  await dialog.getByLabel('Tenant').fill('https://shop.eu.auth0.com')
  await add()
  await dialog.getByText('A tenant has letters, digits and hyphens').waitFor()
  await eyes.look('auth-config-04-auth0')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const key = issuerKey('ES256')
  await choose('Other issuer')
  await dialog.getByLabel('Issuer URL').fill('https://id.example.com')
  await dialog.getByText('Entered here').click()
  await dialog.getByLabel('JSON Web Key Set').fill(JSON.stringify({ keys: [key.publicJwk, 1] }))
  await add()
  await dialog.getByText('custom_jwks: key 2: it is no object').waitFor()
  await dialog.getByLabel('JSON Web Key Set').fill(JSON.stringify({ keys: [key.publicJwk] }))
  await eyes.look('auth-config-05-other-issuer')
  await add()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'https://id.example.com' }).waitFor()
  await page.getByText('1 key (ES256)').waitFor()
  await eyes.look('auth-config-06-third-party')

  const claims = { iss: 'https://id.example.com', sub: 'user 7', role: 'authenticated' }
  const client = createClient(bench.project.endpoint, bench.project.anonKey, {
    accessToken: async () => signedBy(key, claims),
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })
  const seen = async () => (await client.from('mine').select()).data
  await expect.poll(seen).toEqual([{ owner: 'user 7' }])

  await page.getByRole('button', { name: 'Remove Other issuer' }).click()
  await eyes.look('auth-config-07-remove-third-party')
  await dialog.getByRole('button', { name: 'Remove integration' }).click()
  await page.getByText('No integrations yet').waitFor()
  await expect.poll(seen).toBeNull()
})

step('the browser complained about nothing but the refusals', () => {
  expect(eyes.errors.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
})
