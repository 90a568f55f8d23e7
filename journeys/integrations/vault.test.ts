import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Treasury' })
  ;({ page, eyes } = bench)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first()
const panel = () => page.getByRole('dialog')
const value = 's3kre3t of the journey'
/** Everything that this page has asked for, and what it keeps. */
const kept = () =>
  page.evaluate(async () => {
    const caches = await window.caches.keys()
    const parts = [localStorage, sessionStorage, caches, history.state, location.href]
    return JSON.stringify(parts) + document.documentElement.outerHTML
  })

const step = story('the vault')

step('the old address leads to the page, which says what Vault is and enables it', async () => {
  await bench.go('settings/vault/secrets')
  await page.getByRole('heading', { name: 'Vault is not enabled yet' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/\/integrations\/vault$/)
  await eyes.look('vault-not-enabled')
  await button('Enable Vault').click()
  await page.getByRole('heading', { name: 'No secrets yet' }).waitFor()
  await eyes.look('vault-empty')
})

step(
  'a secret without a name or a value is refused in its fields; one with both is added by keyboard',
  async () => {
    await button('Add secret').first().click()
    await panel().getByRole('button', { name: 'Add secret', exact: true }).click()
    await panel().getByText('Enter a name').waitFor()
    await panel().getByText('Enter the value of the secret').waitFor()
    await eyes.look('vault-add')
    await panel().getByLabel('Value').fill(value)
    await panel().getByLabel('Description').fill('For the mail service')
    await panel().getByLabel('Name').fill('mail_key')
    await panel().getByLabel('Name').press('Enter')
    await row('mail_key').getByText('For the mail service').waitFor()
    await panel().waitFor({ state: 'hidden' })
    expect(
      await bench.sql(
        `select decrypted_secret from vault.decrypted_secrets where name = 'mail_key'`,
      ),
    ).toEqual([{ decrypted_secret: value }])
    expect(await kept()).not.toContain(value)
  },
)

step('it is revealed one at a time, hidden on demand, and by itself', async () => {
  await bench.sql(`select vault.create_secret('another value', 'other_key')`)
  await page.reload()
  await page.clock.install()
  await button('Reveal mail_key').click()
  await row('mail_key').getByText(value).waitFor()
  await eyes.look('vault-revealed')
  await button('Reveal other_key').click()
  await row('other_key').getByText('another value').waitFor()
  expect(await page.getByText(value).count()).toBe(0)
  await button('Hide other_key').click()
  await expect.poll(() => page.getByText('another value').count()).toBe(0)
  await button('Reveal mail_key').click()
  await row('mail_key').getByText(value).waitFor()
  await page.clock.fastForward(31_000)
  await expect.poll(() => page.getByText(value).count()).toBe(0)
  expect(await kept()).not.toContain(value)
})

step('the list is searched and sorted', async () => {
  await page.getByLabel('Find a secret').fill('mail')
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'other_key' }).count()).toBe(0)
  await page.getByLabel('Find a secret').fill('nothing like it')
  await page.getByRole('heading', { name: 'No secret matches' }).waitFor()
  await page.getByLabel('Find a secret').fill('')
  const names = () => page.getByRole('row').locator('td:first-child .mono').allTextContents()
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect.poll(names).toEqual(['mail_key', 'other_key'])
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect.poll(names).toEqual(['other_key', 'mail_key'])
})

step('its value and its name are changed', async () => {
  await button('Change mail_key').click()
  expect(await panel().getByLabel('New value').inputValue()).toBe('')
  await panel().getByLabel('Name').fill('other_key')
  await panel().getByRole('button', { name: 'Save secret', exact: true }).click()
  await panel().getByText('There is a secret with this name').waitFor()
  await panel().getByLabel('Name').fill('smtp_key')
  await panel().getByLabel('New value').fill('a new value')
  await panel().getByRole('button', { name: 'Save secret', exact: true }).click()
  await row('smtp_key').waitFor()
  expect(
    await bench.sql(`select decrypted_secret from vault.decrypted_secrets where name = 'smtp_key'`),
  ).toEqual([{ decrypted_secret: 'a new value' }])
})

step('the key is rotated, and every secret still opens', async () => {
  const card = page.locator('section.card').filter({ hasText: 'Encryption key' })
  const before = await card.locator('.mono').first().textContent()
  await button('Rotate key').click()
  await eyes.look('vault-rotate')
  await panel().getByRole('button', { name: 'Rotate key', exact: true }).click()
  await expect
    .poll(() => card.locator('.mono').first().textContent(), { timeout: 60_000 })
    .not.toBe(before)
  await card.getByText('1 earlier key is kept for backups').waitFor({ timeout: 60_000 })
  await button('Reveal smtp_key').click()
  await row('smtp_key').getByText('a new value').waitFor()
  await button('Hide smtp_key').click()
})

step('one that another project has sealed says so; narrow, the page has all of it', async () => {
  await bench.sql(`update vault.secrets set secret = translate(encode(overlay(decode(secret, 'base64')
    placing uuid_send(gen_random_uuid()) from 4), 'base64'), e'\\n', '') where name = 'other_key'`)
  await page.reload()
  await row('other_key').getByText('Does not open').waitFor()
  await eyes.look('vault-secrets')
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('vault-secrets-narrow')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
})

step(
  'what uses a secret is listed beside it, with the way there; names are chance or not',
  async () => {
    await bench.sql(`create extension pg_cron;
    create function send_mail() returns text language sql as $f$
      select decrypted_secret from vault.decrypted_secrets where name = 'smtp_key' $f$;
    create table orders (id int, source text default 'smtp_key');
    select cron.schedule('newsletter', '0 8 * * 1', 'select public.send_mail()')`)
    await page.reload()
    await row('other_key').getByText('Nothing found').waitFor()
    await button('smtp_key is used in 3 places').click()
    await panel().getByText('Calls public.send_mail').waitFor()
    await panel().getByText('Contains the name, but does not mention the vault').waitFor()
    await eyes.look('vault-uses')
    await panel().getByRole('link', { name: 'public.send_mail', exact: true }).click()
    await page.getByRole('heading', { name: 'Functions', exact: true }).waitFor()
    await row('send_mail').waitFor()
    await page.goBack()
    await button('smtp_key is used in 3 places').waitFor()
  },
)

step('a new name of a secret in use says that its uses do not follow', async () => {
  await button('Change smtp_key').click()
  await panel().getByLabel('Name').fill('smtp_key_2')
  await panel().getByText('SQL in 3 places names it as it was').waitFor()
  await eyes.look('vault-rename-used')
  await panel().getByRole('button', { name: 'Cancel', exact: true }).click()
})

step('nobody deletes a secret in use unawares, or before its uses are known', async () => {
  let answers = () => {}
  const held = new Promise<void>((resolve) => (answers = resolve))
  const ways = (url: URL) => url.pathname.endsWith('/vault/uses')
  await page.route(ways, async (route) => {
    await held
    await route.continue()
  })
  await button('Delete smtp_key').click()
  await panel().getByText('Looking for what uses this secret').waitFor()
  const deletes = panel().getByRole('button', { name: 'Delete secret', exact: true })
  expect(await deletes.isDisabled()).toBe(true)
  answers()
  await panel().getByText('This secret is used in 3 places').waitFor()
  await panel().getByText('Cron job newsletter').waitFor()
  expect(await deletes.isDisabled()).toBe(false)
  await eyes.look('vault-delete-used')
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('vault-delete-used-narrow')
  await panel().getByRole('button', { name: 'Cancel', exact: true }).click()
  await eyes.look('vault-used-narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.unroute(ways)
})

step('what could not be found out is said, and does not keep anybody from deleting', async () => {
  const ways = (url: URL) => url.pathname.endsWith('/vault/uses')
  await page.route(ways, (route) =>
    route.fulfill({ status: 403, json: { message: 'Not now', code: 'forbidden', requestId: 'r' } }),
  )
  await button('Delete smtp_key').click()
  await panel().getByText('What uses this secret could not be found out').waitFor()
  await panel().getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.unroute(ways)
  await bench.sql(
    `select cron.unschedule('newsletter'); drop function send_mail; drop table orders`,
  )
  eyes.errors.splice(0)
  await page.reload()
  await row('smtp_key').getByText('Nothing found').waitFor()
})

step('deleted it is gone', async () => {
  for (const name of ['other_key', 'smtp_key']) {
    await button(`Delete ${name}`).click()
    await panel().getByRole('button', { name: 'Delete secret', exact: true }).click()
    await expect.poll(() => page.getByRole('row').filter({ hasText: name }).count()).toBe(0)
  }
  await page.getByRole('heading', { name: 'No secrets yet' }).waitFor()
  expect(eyes.errors).toEqual([])
})
