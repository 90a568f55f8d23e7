import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { breakPage } from '../testing/broken-page.ts'
import { openContext, openPage, pageIn } from '../testing/browser.ts'
import { createProject, type Account } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

let platform: Platform
let ada: Account
let folder: string

/** What looks like markup is text, and is shown as text. */
const content = {
  app_title: 'Library <b>',
  testimonials: [
    {
      text: 'It holds up our <i>whole</i> library.',
      url: 'https://example.com/ada',
      handle: '@ada',
      img_url: 'https://images.example.com/ada.png',
    },
  ],
  terms_url: 'https://example.com/terms',
  privacy_url: '/docs/security',
  row_level_security_guide: 'https://example.com/rls',
  example_projects: [
    { title: 'Todo list', description: 'Lists that people share', url: 'https://example.com/todo' },
  ],
  client_libraries: [
    {
      language: 'Elixir',
      officialSupport: false,
      docsUrl: 'https://example.com/elixir',
      gitUrl: 'https://example.com/elixir.git',
    },
  ],
  cloud_providers: ['AWS', 'AWS_K8S', 'AWS_NIMBUS', 'FLY'],
  aws_nimbus_label: 'Our cloud',
  ssl_certificate_url: 'https://example.com/{env}/ca.crt',
  logs_default_query: 'select id from auth_logs',
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-content-'))
  const file = join(folder, 'content.json')
  await writeFile(file, JSON.stringify(content))
  platform = await ownPlatform({
    environment: { PLINTH_CUSTOM_CONTENT: file, PLINTH_ENVIRONMENT: 'staging' },
  })
  ada = await newPerson(platform)
  await ada.call('POST', '/platform/organizations', {
    name: 'Acme',
    kind: 'PERSONAL',
    tier: 'tier_pro',
  })
})
afterAll(() => rm(folder, { recursive: true }))

test('before the sign-in: its name, what people say of it, and what one agrees to', async () => {
  const { page, eyes } = await pageIn(await openContext(platform))
  // The title is there before any script, for whoever only reads the page.
  const html = await (await fetch(`${platform.url}/sign-up`)).text()
  expect(html).toContain('<title>Library &lt;b&gt;</title>')
  const asked = page.waitForRequest(/images\.example\.com/)
  await page.goto(`${platform.url}/sign-up`)
  await expect.poll(() => page.title()).toBe('Create an account · Library <b>')
  await page.getByRole('link', { name: 'Library <b>' }).waitFor()
  const quote = page.getByRole('complementary', { name: 'Testimonial' })
  await quote.getByText('It holds up our <i>whole</i> library.').waitFor()
  await expect
    .poll(() => quote.getByRole('link', { name: '@ada' }).getAttribute('href'))
    .toBe('https://example.com/ada')
  // The browser asks nobody but this platform for the picture, and shows none where that has not got it.
  expect((await asked).url()).toContain('/_next/image?url=https%3A%2F%2Fimages.example.com')
  await expect.poll(() => quote.locator('img').count()).toBe(0)
  const terms = page.getByText('By creating an account, you agree to the')
  await expect
    .poll(() => terms.innerText())
    .toBe('By creating an account, you agree to the terms of service and the privacy policy.')
  await eyes.look('custom-content-00-sign-up')
})

test('a new project begins with the provider of this environment, and another has other regions', async () => {
  const { page, eyes } = await openPage(platform, { as: ada })
  await page.goto(`${platform.url}/new/acme`)
  const provider = page.getByRole('button', { name: /^Cloud provider/ })
  await expect.poll(() => provider.innerText()).toContain('AWS Revamped')
  await provider.click()
  await expect
    .poll(() => page.getByRole('option').allInnerTexts())
    .toEqual(['AWS', 'AWS Revamped', 'Our cloud', 'Fly.io'])
  await page.getByRole('option', { name: 'Fly.io' }).click()
  await expect
    .poll(() => page.getByRole('button', { name: /^Region/ }).innerText())
    .toContain('Singapore')
  await eyes.look('custom-content-01-new-project')
})

test('the pages of a project lead to what the operator names', async () => {
  const { ref } = await createProject(ada, 'acme', 'Storefront')
  const { page, eyes } = await openPage(platform, { as: ada })
  await page.goto(`${platform.url}/project/${ref}`)
  const example = page.getByRole('link', { name: 'Todo list' })
  await example.scrollIntoViewIfNeeded()
  await expect.poll(() => example.getAttribute('href')).toBe('https://example.com/todo')
  await page.getByText('Elixir', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Kotlin', { exact: true }).count()).toBe(0)
  await eyes.look('custom-content-02-home')
  await page.goto(`${platform.url}/project/${ref}/database/settings`)
  expect(
    await page.getByRole('link', { name: 'Download the certificate' }).getAttribute('href'),
  ).toBe('https://example.com/staging/ca.crt')
  await page.goto(`${platform.url}/project/${ref}/auth/policies`)
  await expect
    .poll(() => page.getByRole('link', { name: 'Guide' }).getAttribute('href'))
    .toBe('https://example.com/rls')
  await page.goto(`${platform.url}/project/${ref}/logs/explorer`)
  await page.locator('.view-lines').getByText('auth_logs').waitFor()
})

test('a page that crashes leads back to the dashboard, as this is no production', async () => {
  const { page } = await openPage(platform, { as: ada })
  await page.goto(`${platform.url}/organizations`)
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
  await breakPage(page)
  await page.getByRole('link', { name: 'Acme' }).first().click()
  await page.getByRole('heading', { name: 'Sorry! An unexpected error occurred.' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Reload dashboard' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Return to dashboard' }).click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
})
