import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { features, type Feature } from '#contract/features'
import { openContext, pageIn } from '../testing/browser.ts'
import { join } from '../testing/billing-client.ts'
import { createOrganization } from '../testing/client.ts'
import {
  partsOfAccount,
  partsOfOrganization,
  partsOfProject,
  partsOfSignIn,
  type Group,
} from '../testing/hideable-parts.ts'
import { newPerson } from '../testing/people.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/**
 * Every name of `disabled_features` that hides something hides it, and nothing else. The names of one page are told apart
 * as bits tell numbers apart: each load switches some of them off, and over all loads a part must be gone in those of its
 * own number.
 */
let bench: Workbench
/** What the browser is told to be off: the server's own answer with these names in it. */
let off: readonly string[] = []

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Orders project',
    tier: 'tier_pro',
    sql: 'create table orders (id int primary key)',
  })
  // A project can be transferred by who is in two.
  await createOrganization(bench.ada, 'Other')
  const made = await bench.ada.call(
    'POST',
    `/platform/projects/${bench.ref}/functions/hello/versions`,
    {
      files: [{ path: 'index.ts', content: "Deno.serve(() => new Response('hi'))" }],
    },
  )
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
  await tell(bench.page, '**/platform/profile')
  await tell(bench.page, '**/platform/status')
})

/** That the server's own answer has its names is held over HTTP (switched-off.db.test). */
const tell = (page: Page, address: string) =>
  page.route(address, async (route) => {
    const response = await route.fetch()
    // What both endpoints answer with has the list, and the status what an operator may have put in the place of our words.
    const body = (await response.json()) as { content?: object }
    const content = body.content && { ...body.content, ...operators }
    await route.fulfill({
      response,
      json: { ...body, disabled_features: off, ...(content ? { content } : {}) },
    })
  })
/** Parts that are there only where an operator has something to show. */
const operators = {
  terms_url: '/docs/',
  example_projects: [{ title: 'Todo list', description: 'A list', url: '/docs/quickstart' }],
}

/** The numbers of a group's names, from one: with some bit of each it is off. */
const bitsOf = (group: Group) => Math.ceil(Math.log2(Object.keys(group.parts).length + 1))

async function holds(page: Page, origin: string, group: Group): Promise<void> {
  const parts = Object.entries(group.parts)
  for (let bit = -1; bit < bitsOf(group); bit++) {
    const isOff = (number: number) => bit >= 0 && ((number >> bit) & 1) === 1
    off = parts.filter((_, at) => isOff(at + 1)).map(([name]) => name)
    await page.goto(origin + group.at)
    await group.ready(page).first().waitFor()
    await group.open?.(page)
    const shown = async () => {
      const found = await Promise.all(parts.map(async ([, part]) => (await part(page).count()) > 0))
      return parts.filter((_, at) => found[at]).map(([name]) => name)
    }
    const on = parts.map(([name]) => name).filter((name) => !off.includes(name))
    await expect.poll(shown, { message: group.at }).toEqual(on)
  }
}

test.each([
  ['a project', () => partsOfProject(bench.ref)],
  ['an organization', () => partsOfOrganization(bench.slug)],
  ['an account', () => partsOfAccount],
])('each name hides its own part of %s', async (_, groups) => {
  for (const group of groups()) await holds(bench.page, bench.platform.url, group)
})

test('before the sign-in too', async () => {
  const context = await openContext(bench.platform)
  const { page } = await pageIn(context)
  await tell(page, '**/platform/status')
  for (const group of partsOfSignIn) await holds(page, bench.platform.url, group)
  off = ['dashboard_auth:sign_up']
  await page.goto(`${bench.platform.url}/sign-up`)
  await page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor()
})

test('a page that is hidden says so at its address', async () => {
  const { page, platform, ref, slug, eyes } = bench
  for (const [name, at] of [
    ['project_auth:all', `/project/${ref}/auth/users`],
    ['database:roles', `/project/${ref}/database/roles`],
    ['billing:all', `/org/${slug}/billing`],
    ['projects:create', `/new/${slug}`],
  ] as const) {
    off = [name]
    await page.goto(platform.url + at)
    await page.getByRole('heading', { name: 'This page is turned off' }).waitFor()
  }
  await eyes.look('disabled-features-00-page')
})

test('what is chosen already stays, and one whose action is off says why', async () => {
  const { ada, page, platform, slug } = bench
  const bob = await newPerson(platform, 'bob')
  await join(platform, slug, ada, bob)
  off = [
    'ai:opt_in_level_disabled',
    'organizations:delete',
    'organization_members:delete',
    'profile:update',
  ]
  await page.goto(`${platform.url}/org/${slug}/general`)
  await page.getByRole('radio', { name: /^Nothing/ }).waitFor()
  const tags = ['AI_SQL_GENERATOR_OPT_IN']
  expect(
    (await ada.call('PATCH', `/platform/organizations/${slug}`, { opt_in_tags: tags })).status,
  ).toBe(200)
  await page.reload()
  await page.getByRole('radio', { name: /^Schema and logs/ }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: /^Nothing/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Delete organization' }).hover()
  await page.getByText('Deleting organizations is switched off here').waitFor()
  await page.goto(`${platform.url}/org/${slug}/team`)
  await page.getByRole('button', { name: `Actions for ${bob.email}` }).click()
  await page.getByRole('menuitem', { name: 'Remove member' }).hover()
  await page.getByText('Removing members is switched off here').first().waitFor()
  await page.goto(`${platform.url}/account/me`)
  await page.getByLabel('First name').fill('Ada')
  await page.getByRole('button', { name: 'Save' }).hover()
  await page.getByText('The operator of this platform has switched this off').waitFor()
})

test('every name that hides something on a page is among them', () => {
  const seen = [
    ...partsOfProject(bench.ref),
    ...partsOfOrganization(bench.slug),
    ...partsOfAccount,
    ...partsOfSignIn,
  ].flatMap(({ parts }) => Object.keys(parts))
  const elsewhere = [
    // Above, where what they hide depends on what is chosen or stays with a reason.
    'ai:opt_in_level_disabled',
    'organizations:delete',
    'profile:update',
    'organization_members:delete',
    // Only where an app of GitHub is set up, and only in the Management API.
    'dashboard_auth:sign_in_with_github',
    'database:network_restrictions',
  ]
  const hiding = Object.entries<Feature>(features)
    .filter(([, feature]) => 'hides' in feature)
    .map(([name]) => name)
  expect([...seen, ...elsewhere].toSorted()).toEqual(hiding.toSorted())
})
