import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { libraries } from '../../dashboard/features/projects/project-home/libraries.ts'
import { violationsOn } from '../testing/axe.ts'
import { openPage, pageIn } from '../testing/browser.ts'
import { createOrganization } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'

let platform: Place

beforeAll(() => {
  platform = sharedPlatform()
})

/** What the page links to below /docs, without what stands behind `#`. */
const linksOf = (html: string) =>
  [...html.matchAll(/\bhref="(\/docs\/[^"#]*)/g)].map(([, path = '']) => path)

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

test('every link within the documents leads somewhere', async () => {
  const seen = new Set(['/docs/'])
  for (const path of seen) {
    const response = await fetch(platform.url + path)
    expect(response.status, path).toBe(200)
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
    for (const link of isPage ? linksOf(await response.text()) : []) seen.add(link)
  }
  expect(seen.size).toBeGreaterThan(60)
})

test('what the home of a project links to are sections of a page', async () => {
  const html = await (await fetch(`${platform.url}/docs/client-libraries`)).text()
  for (const { language, docsUrl } of libraries) {
    expect(html, language).toContain(`id="${docsUrl.split('#')[1]}"`)
  }
})

test('help leads to the documents, which can be searched', async () => {
  const ada = await newPerson(platform)
  const slug = await createOrganization(ada, 'Acme')
  const { context, page } = await openPage(platform, { as: ada })
  await page.goto(`${platform.url}/org/${slug}`)
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  const opening = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Documentation' }).click()
  const shown = await opening
  await heading(shown, 'Plinth documentation')
  expect(new URL(shown.url()).pathname).toBe('/docs/')

  const { page: documents, eyes } = await pageIn(context)
  await documents.goto(`${platform.url}/docs/`)
  await documents
    .getByRole('button', { name: /^Search/ })
    .first()
    .click()
  await documents.getByRole('searchbox').fill('PLINTH_TRUSTED_PROXIES')
  await documents.getByRole('option').first().waitFor()
  await documents
    .getByRole('option', { name: /Settings/ })
    .first()
    .click()
  await heading(documents, 'Settings')
  expect(
    await documents.getByRole('row', { name: /^PLINTH_TRUSTED_PROXIES / }).count(),
  ).toBeGreaterThan(0)

  await documents.getByRole('link', { name: 'Deploy on a server' }).first().click()
  await heading(documents, 'Deploy on a server')
  await documents.goto(`${platform.url}/docs/deploy`)
  await heading(documents, 'Deploy on a server')
  // The policy of the dashboard holds here as well, and nothing on these pages goes against it.
  expect(eyes.errors).toEqual([])
  const missing = await documents.goto(`${platform.url}/docs/none`)
  expect(missing?.status()).toBe(404)
  await documents.getByText('PAGE NOT FOUND').waitFor()
})

test.each(['dark', 'light'] as const)('the documents in %s', async (colorScheme) => {
  const { page, eyes } = await openPage(platform, { colorScheme, reducedMotion: 'reduce' })
  await page.goto(`${platform.url}/docs/settings`)
  await heading(page, 'Settings')
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
  expect(await isDark()).toBe(colorScheme === 'dark')
  expect(await violationsOn(page)).toEqual([])
  expect(eyes.errors).toEqual([])
})
