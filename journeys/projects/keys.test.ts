import { createClient } from '@supabase/supabase-js'
import { decodeProtectedHeader } from 'jose'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** The keys of a project, made and ended on its pages, and felt at once by the public client. */
let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Shop',
    sql: 'create table notes (id int primary key); insert into notes values (1);',
  })
  ;({ page, eyes } = bench)
})

const clientWith = (key: string) =>
  createClient(bench.project.endpoint, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })
const reads = async (key: string) => {
  const { error, status } = await clientWith(key).from('notes').select()
  return error ? `${status} ${error.message}` : status
}
const card = (title: string) => page.locator('section.card').filter({ hasText: title })
const dialog = () => page.getByRole('dialog')
const inDialog = (verb: string) => dialog().getByRole('button', { name: verb, exact: true })
/** The text in the box of a dialog that shows a new key. */
const shownKey = async () => (await dialog().locator('.secret .ell').textContent()) ?? ''
const closed = () => dialog().waitFor({ state: 'hidden' })

async function newKey(type: 'publishable' | 'secret', name: string): Promise<string> {
  await page.getByRole('button', { name: `New ${type} key` }).click()
  await dialog().getByLabel('Name').fill(name)
  await inDialog('Create key').click()
  await dialog()
    .getByRole('heading', { name: `Your new ${type} key` })
    .waitFor()
  const text = await shownKey()
  await inDialog('Done').click()
  await closed()
  return text
}
async function choose(menu: RegExp, item: string) {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

let secret = ''
let open = ''

const step = story('keys of a project, made, used, rotated and revoked')

step('keys of both kinds are made, and the public client works with them', async () => {
  await bench.go('settings/general')
  await page.getByRole('link', { name: 'API Keys' }).click()
  await page.getByRole('heading', { name: 'API Keys' }).waitFor()
  await card('Publishable keys').getByText('default').waitFor()
  await page.getByRole('button', { name: 'New secret key' }).click()
  await dialog().getByLabel('Name').fill('My server')
  await inDialog('Create key').click()
  await dialog().getByText('Only lower-case letters, digits and underscores').waitFor()
  await inDialog('Cancel').click()
  await closed()
  secret = await newKey('secret', 'my_server')
  open = await newKey('publishable', 'my_page')
  expect([secret, open]).toEqual([
    expect.stringMatching(/^sb_secret_/),
    expect.stringMatching(/^sb_publishable_/),
  ])
  await expect.poll(() => reads(open)).toBe(200)
  expect(await reads(secret)).toBe(200)
  const client = clientWith(open)
  const email = 'eve@example.com'
  const made = await client.auth.signUp({ email, password: 'correct horse 1' })
  expect(made.error).toBeNull()
  const users = await clientWith(secret).auth.admin.listUsers()
  expect(users.data.users.map((user) => user.email)).toEqual([email])
  expect((await client.auth.admin.listUsers()).error?.status).toBe(403)

  const row = card('Secret keys').getByRole('row').filter({ hasText: 'my_server' })
  await expect.poll(() => row.textContent()).not.toContain(secret)
  await row.getByRole('button', { name: 'Reveal the key my_server' }).click()
  await row.getByText(secret).waitFor()
  await eyes.look('keys-00-api-keys')
})

step('a page of a browser cannot use a secret key', async () => {
  const other = await bench.context.newPage()
  await other.goto(`${bench.project.endpoint}/auth/v1/health`)
  const answer = await other.evaluate(
    async ([url, key]) => {
      const response = await fetch(`${url}/rest/v1/notes`, { headers: { apikey: key } })
      const body: unknown = await response.json()
      return { status: response.status, body }
    },
    [bench.project.endpoint, secret] as const,
  )
  await other.close()
  expect(answer).toMatchObject({
    status: 401,
    body: { message: 'Forbidden use of secret API key in browser' },
  })
})

step('requests may come without a key, once somebody says so', async () => {
  const status = async () => (await fetch(`${bench.project.endpoint}/rest/v1/nothing_here`)).status
  expect(await status()).toBe(401)
  await card('Requests need a key')
    .getByRole('button', { name: 'Allow requests without a key' })
    .click()
  await dialog().getByText('Everybody who knows the address').waitFor()
  await eyes.look('b14-no-key-needed')
  await inDialog('Allow requests without a key').click()
  await closed()
  await card('Requests need no key').waitFor()
  await eyes.look('b14-keys-optional')
  await expect.poll(status).toBe(404)
  await card('Requests need no key').getByRole('button', { name: 'Require a key' }).click()
  await inDialog('Require a key').click()
  await card('Requests need a key').waitFor()
  await expect.poll(status).toBe(401)
})

step('a key is renamed, and ended by its name', async () => {
  await choose(/^Actions of my_server/, 'Edit name and description')
  await dialog().getByLabel('Name').fill('old_server')
  await dialog().getByLabel('Description (optional)').fill('Goes in March')
  await inDialog('Save').click()
  await closed()
  await card('Secret keys').getByText('Goes in March').waitFor()
  await choose(/^Actions of old_server/, 'Delete key')
  await expect.poll(() => inDialog('Delete key').isDisabled()).toBe(true)
  await dialog().getByRole('textbox').fill('old_server')
  await eyes.look('keys-01-delete')
  await inDialog('Delete key').click()
  await closed()
  await expect.poll(() => reads(secret)).toBe('401 Invalid API key')
})

step('legacy keys are disabled, and pages show the publishable key in their place', async () => {
  const { anonKey } = bench.project
  expect(await reads(anonKey)).toBe(200)
  await page.getByRole('link', { name: 'Legacy API keys' }).click()
  await page.getByText(anonKey).waitFor()
  await eyes.look('keys-02-legacy')
  await page.getByRole('button', { name: 'Disable legacy keys' }).click()
  await inDialog('Disable legacy keys').click()
  await closed()
  await page.getByText('Legacy API keys are disabled').first().waitFor()
  await expect.poll(() => reads(anonKey)).toBe('401 Legacy API keys are disabled')
  expect(await reads(open)).toBe(200)
  await bench.go('?showConnect=true&connectTab=frameworks')
  await dialog()
    .getByText(/sb_publishable_/)
    .first()
    .waitFor()
})

step('signing keys are rotated and the secret revoked; whoever is signed in stays so', async () => {
  const client = clientWith(open)
  const person = await client.auth.signInWithPassword({
    email: 'eve@example.com',
    password: 'correct horse 1',
  })
  const before = person.data.session?.access_token ?? ''
  expect(decodeProtectedHeader(before).alg).toBe('HS256')

  await bench.go('settings/jwt')
  await page.getByRole('link', { name: 'Legacy JWT secret' }).click()
  await page.getByRole('button', { name: 'Reveal JWT secret' }).waitFor()
  await eyes.look('keys-03-legacy-secret')
  await page.getByRole('link', { name: 'JWT signing keys' }).first().click()
  await page.getByText('Current key').waitFor()
  await page.getByRole('button', { name: 'Create standby key' }).click()
  await dialog().getByText('Import an existing key').click()
  await dialog().getByLabel('Private key as a JWK').fill('no key')
  await inDialog('Create standby key').click()
  await dialog().getByText('Not a JWK: a JSON object is required').waitFor()
  await dialog().getByText('Import an existing key').click()
  await eyes.look('keys-04-new-standby')
  await inDialog('Create standby key').click()
  await closed()
  await page.getByRole('table', { name: 'Signing keys' }).getByText('Standby key').waitFor()
  await page.getByRole('button', { name: 'Rotate keys' }).click()
  await dialog().getByText('Nobody is signed out', { exact: false }).waitFor()
  await eyes.look('keys-05-rotate')
  await inDialog('Rotate keys').click()
  await closed()
  const algorithmNow = async () => {
    const { data } = await client.auth.refreshSession()
    return decodeProtectedHeader(data.session?.access_token ?? before).alg
  }
  await expect.poll(algorithmNow).toBe('ES256')
  const { data } = await client.auth.getSession()
  expect((await client.auth.getUser(before)).error).toBeNull()

  await choose(/^Actions of the key previously used/, 'Revoke key')
  await eyes.look('keys-06-revoke')
  await inDialog('Revoke key').click()
  await closed()
  await expect.poll(async () => (await client.auth.getUser(before)).error?.code).toBe('bad_jwt')
  expect((await client.auth.getUser(data.session?.access_token)).error).toBeNull()
  expect((await client.auth.getClaims()).data?.header.alg).toBe('ES256')
  await page.getByRole('table', { name: 'Signing keys' }).getByText('Revoked').waitFor()
  await eyes.look('keys-07-signing-keys')
  expect(eyes.errors).toEqual([])
})
