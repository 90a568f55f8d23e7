import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { root } from '#kit/root'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createProject, reaches, type Account } from '../testing/client.ts'
import { startClient } from '../testing/oauth-client.ts'
import { outOfReach } from '../testing/out-of-reach.ts'
import { enrol, newPerson } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Platform
let page: Page
let eyes: Eyes
let ada: Account
let ref: string
let documents: string

beforeAll(async () => {
  documents = await mkdtemp(join(tmpdir(), 'plinth-documents-'))
  await writeFile(join(documents, 'soc2-type-2-report.pdf'), '%PDF-1.7 report')
  platform = await ownPlatform({ environment: { PLINTH_DOCUMENTS: documents } })
  ada = await newPerson(platform)
  for (const [name, tier] of [
    ['Acme', 'tier_team'],
    ['Beta', 'tier_pro'],
  ])
    await ada.call('POST', '/platform/organizations', { name, kind: 'PERSONAL', tier })
  ref = (await createProject(ada, 'acme', 'Storefront')).ref
  ada = (await enrol(platform, ada)).strong
  ;({ page, eyes } = await openPage(platform, { as: ada }))
  await page.goto(`${platform.url}/org/acme/general`)
  await heading('General')
})
afterAll(() => rm(documents, { recursive: true }))

const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const cell = (name: string | RegExp) => page.getByRole('cell', { name }).first()
const uri = () => page.getByRole('textbox', { name: 'Redirect URI 1' })
const toast = (words: string | RegExp) => page.getByText(words).first().waitFor()
/** A button that cannot be pressed, and the words it has for why. */
const says = (name: string, reason: string) =>
  expect.poll(() => button(name).getAttribute('data-tip')).toBe(reason)
const goTo = (path: string) => page.goto(platform.url + path)

/** As a phone shows it, then back. */
async function narrow(name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide, `${name} is wider than a phone`).toBeLessThanOrEqual(390)
  expect(await outOfReach(page), name).toEqual([])
  await page.screenshot({ path: join(root, `test-output/screenshots/${name}-390.png`) })
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('the settings of an organization, from its name to its end')

step(
  'name, kind and what the assistant may send are changed; the slug is there to copy',
  async () => {
    await eyes.look('60-organization-general')
    await page.getByLabel('Name', { exact: true }).fill('Acme Works')
    await page.getByRole('button', { name: /^Type:/ }).click()
    await page.getByRole('option', { name: 'Company' }).click()
    await page.getByRole('button', { name: /^Company size:/ }).waitFor()
    await button('Save').click()
    await toast('Details saved')
    await page
      .getByRole('button', { name: /Acme Works/ })
      .first()
      .waitFor()
    await page.getByRole('radio', { name: /^Schema\s*Also names/ }).check({ force: true })
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await toast('Assistant setting saved')
    const { body } = await ada.call('GET', '/platform/organizations')
    expect(body).toMatchObject([
      {
        slug: 'acme',
        name: 'Acme Works',
        kind: 'COMPANY',
        opt_in_tags: ['AI_SQL_GENERATOR_OPT_IN'],
      },
      { slug: 'beta' },
    ])
    await says('Delete organization', 'Delete or transfer its projects first')
    await narrow('60-organization-general')
  },
)

step('an owner with a second factor asks everybody for one, and no longer', async () => {
  await goTo('/org/acme/security')
  await heading('Security')
  await page.getByText('You have one.').waitFor()
  await button('Require second factor').click()
  await page.getByRole('dialog').waitFor()
  await eyes.look('62-require-factor')
  await page.getByRole('dialog').getByRole('button', { name: 'Require second factor' }).click()
  await toast('A second factor is required from now on')
  const asked = await ada.call('GET', '/platform/organizations/acme')
  expect(asked.body).toMatchObject({ organization_requires_mfa: true })
  await button('Stop requiring').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop requiring' }).click()
  await toast('A second factor is no longer required')
  expect((await ada.call('GET', '/platform/organizations/acme')).body).toMatchObject({
    organization_requires_mfa: false,
  })
})

step('legal documents: what is supplied is downloaded, the rest says why not', async () => {
  await goTo('/org/acme/documents')
  await page.getByText('SOC 2 Type 2 report').waitFor()
  await eyes.look('63-documents')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download SOC 2 Type 2 report' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('soc2-type-2-report.pdf')
  await says(
    'Download Transfer impact assessment (TIA)',
    'The operator of this platform has not provided this document',
  )
  await goTo('/org/beta/documents')
  await page.getByRole('link', { name: 'See plans' }).first().waitFor()
})

step(
  'the audit log: filters in the address, an entry in full, the chain verified; below Team an offer',
  async () => {
    await goTo('/org/acme/audit')
    await button('Downloaded a document').waitFor()
    await eyes.look('64-audit')
    await page.getByRole('button', { name: /^Action:/ }).click()
    await page.getByRole('option', { name: 'Changed the organization' }).click()
    await expect.poll(() => page.url()).toContain('action=organizations.update')
    await expect.poll(() => button('Downloaded a document').count()).toBe(0)
    await page.reload()
    await button('Changed the organization').last().click()
    await page.getByRole('dialog').getByRole('table').waitFor()
    await eyes.look('65-audit-entry')
    await page.keyboard.press('Escape')
    await button('Verify').click()
    await toast(/entries are as they were written/)
    await button('Clear').click()
    await narrow('64-audit')
    await goTo('/org/beta/audit')
    await page.getByText('The audit log is available on the Team plan').waitFor()
  },
)

step('an app is published, let in, used and thrown out', async () => {
  const client = await startClient(platform.url)
  await goTo('/org/acme/apps')
  await page.getByText('No apps yet').waitFor()
  await button('Publish app').click()
  await page.getByLabel('Name', { exact: true }).fill('Ledger sync')
  await page.getByLabel('Website').fill('https://ledger.example')
  await uri().fill('http://ledger.example/callback')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish app' }).click()
  await page.getByText(/It must start with https/).waitFor()
  await uri().fill(client.redirectUri)
  await page.getByLabel('Read Organizations').check({ force: true })
  await page.getByLabel('Read Projects').check({ force: true })
  await eyes.look('67-publish-app')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish app' }).click()
  await heading('Credentials of Ledger sync')
  const [id = '', secret = ''] = await page
    .getByRole('dialog')
    .locator('.secret .ell')
    .allTextContents()
  expect(secret).toMatch(/^sba_[0-9a-f]{40}$/)
  await button('Done').click()
  await cell(/Ledger sync/).waitFor()

  await page.goto(client.connect(id, secret))
  await heading('Let Ledger sync in?')
  await eyes.look('69-consent')
  await narrow('69-consent')
  await button('Decline').click()
  await heading('Refused: access_denied')
  await page.goto(client.connect(id, secret))
  await button('Authorize').click()
  await heading('Connected')
  expect(client.problems).toEqual([])
  // What was agreed to once is not asked about again, unless the app wants it asked.
  await page.goto(client.connect(id, secret))
  await heading('Connected')
  await page.goto(client.connect(id, secret, { prompt: 'consent' }))
  await heading('Let Ledger sync in?')
  await page.goto(client.connect(id, secret))
  await heading('Connected')
  expect(await client.get('/v1/organizations')).toMatchObject({
    status: 200,
    body: [{ slug: 'acme' }],
  })
  expect(await client.get('/v1/projects')).toMatchObject({ status: 200, body: [{ ref }] })
  expect((await client.get('/platform/organizations/beta')).status).toBe(404)
  expect((await client.get('/platform/profile')).status).toBe(403)

  await goTo('/org/acme/apps')
  await button('Revoke').waitFor()
  await eyes.look('70-apps')
  await goTo('/account/apps')
  await cell(/Ledger sync/).waitFor()
  await button('Revoke').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
  await toast('Ledger sync can no longer act for you')
  expect((await client.get('/v1/organizations')).status).toBe(401)
  await page.goto(client.connect(id, secret))
  await heading('Let Ledger sync in?')
  await page.goto(client.connect('11111111-1111-4111-8111-111111111111', secret))
  await heading('This app is not registered here')
  await client.close()
})

step('a project goes to another organization, which has it from then on', async () => {
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await goTo(`/project/${ref}/settings/general`)
  await button('Transfer project').click()
  await page.getByRole('button', { name: /^To organization:/ }).click()
  await page.getByRole('option', { name: /Beta/ }).click()
  await page.getByText('Before you start').waitFor()
  await eyes.look('72-transfer')
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer project' }).click()
  await toast('Storefront belongs to Beta now')
  await page.getByText(/It moves from Beta/).waitFor()
  await goTo('/org/beta')
  await page.getByRole('link', { name: 'Storefront' }).first().waitFor()
})

step(
  'an organization without projects is deleted by its slug, and nothing was wrong on the way',
  async () => {
    await ada.call('POST', '/platform/organizations', {
      name: 'Gone Soon',
      kind: 'PERSONAL',
      tier: 'tier_free',
    })
    await goTo('/org/gone-soon/general')
    await button('Delete organization').click()
    await page.getByLabel(/to confirm/).fill('gone-soon')
    await eyes.look('73-delete-organization')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete organization' }).click()
    await toast('Gone Soon is deleted')
    await heading('Organizations')
    await expect.poll(() => page.getByText('gone-soon').count()).toBe(0)
    // What the browser itself writes for every refused call; the pages' own errors stay.
    expect(eyes.errors.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
  },
)
