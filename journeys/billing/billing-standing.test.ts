import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import ws from 'ws'
import { join, makeOverdue } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  type Account,
  type Project,
} from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { asOperator } from '../testing/operator.ts'
import { newPerson } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Place
let page: Page
let eyes: Eyes
let ada: Account
let dora: Account
/** Of Acme, and of the other organization of Ada. */
let slug: string
let beta: string
let project: Project
const patient = { timeout: 60_000 }

beforeAll(async () => {
  platform = sharedPlatform()
  ada = await newPerson(platform)
  slug = await createOrganization(ada, 'Acme')
  // It comes up while the first tests run.
  project = await createProject(ada, slug, 'Storefront')
  atEnd(() => ada.call('DELETE', `/platform/projects/${project.ref}`))
  beta = await createOrganization(ada, 'Beta', 'tier_free')
  dora = await newPerson(platform, 'dora')
})

/** A browser of one's own, signed in, at a page. */
async function enter(as: Account, path: string): Promise<void> {
  const options = { as, reducedMotion: 'reduce' } as const
  ;({ page, eyes } = await openPage(platform, options))
  await go(path)
}
const go = (path: string) => page.goto(platform.url + path)
const part = (id: string) => page.locator(`#${id}`)
const banner = (title: string) => page.locator('.banner', { hasText: title })

const step = story('what a bill means for others, and what follows when it is not paid')

step('a developer sees the bill and may change nothing of it', async () => {
  await join(platform, slug, ada, dora)
  await enter(dora, `/org/${slug}/billing`)
  const upgrade = page.getByRole('button', { name: 'Upgrade to Team' })
  await upgrade.waitFor()
  for (const [id, name] of [
    ['plan', 'Upgrade to Team'],
    ['plan', 'Move to Free'],
    ['credits', 'Top up'],
    ['address', 'Add tax number'],
  ] as const) {
    const refused = part(id).getByRole('button', { name })
    await expect.poll(() => refused.getAttribute('aria-disabled'), { message: name }).toBe('true')
  }
  await expect.poll(() => page.getByRole('switch', { name: /Spend cap/ }).isDisabled()).toBe(true)
  await upgrade.hover()
  await page.getByText('Your role in this organization does not allow this').first().waitFor()
  await expect
    .poll(() => part('address').getByLabel('City').getAttribute('readonly'))
    .not.toBeNull()
  await eyes.look('92-developer')
  await page.goto(`${platform.url}/org/${slug}/billing?plan=team`)
  await upgrade.waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  const put = { tier: 'tier_team' }
  const refused = await dora.call(
    'PUT',
    `/platform/organizations/${slug}/billing/subscription`,
    put,
  )
  expect(refused.status).toBe(403)
  expect(eyes.errors).toEqual([])
})

step('overdue invoices are told above every page, with the way to them', async () => {
  await makeOverdue(platform, slug)
  await enter(ada, `/org/${slug}`)
  await banner('Outstanding Invoices').getByRole('link', { name: 'View Details' }).click()
  await expect.poll(() => new URL(page.url()).hash, patient).toBe('#invoices')
  await part('invoices').getByText('overdue').first().waitFor()
  await part('invoices').getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('dialog', { name: 'How to pay' }).waitFor()
  await eyes.look('93-how-to-pay')
  await page.getByRole('button', { name: 'Close' }).last().click()
  await go(`/org/${beta}`)
  await banner('Outstanding Invoices in other Organization').getByRole('link').waitFor()
})

step(
  'each restriction has its banner; the last one lets projects be read and not changed',
  async () => {
    expect(await reaches(ada, project.ref, ['ACTIVE_HEALTHY'], 180_000)).toBe('ACTIVE_HEALTHY')
    await runSql(
      ada,
      project.ref,
      'create table public.books (title text); grant all on public.books to service_role',
    )
    // The two packages declare the same constructor differently.
    const client = createClient(project.endpoint, project.serviceKey, {
      realtime: { transport: ws as never },
    })
    const write = (title: string) => client.from('books').insert({ title })
    await expect.poll(async () => (await write('Dune')).error, patient).toBeNull()

    for (const [status, title] of [
      ['grace_period', 'Organization plan has exceeded its quota'],
      ['grace_period_over', 'Grace period is over'],
      ['restricted', 'Services Restricted'],
    ] as const) {
      await asOperator(platform, 'PUT', `billing/organizations/${slug}`, {
        restriction_status: status,
      })
      await go(`/org/${slug}/billing`)
      const shownIn = banner(title)
      await shownIn.getByRole('link', { name: 'View Details' }).waitFor()
      const shown = await shownIn.textContent()
      if (status === 'grace_period') expect(shown).toMatch(/until \d\d [A-Z][a-z]{2}, \d{4}/)
    }
    await eyes.look('94-restricted')
    await page.setViewportSize({ width: 390, height: 844 })
    await eyes.look('95-restricted-phone')
    await expect.poll(async () => (await write('Emma')).status, patient).toBe(402)
    const { data } = await client.from('books').select('title')
    expect(data).toContainEqual({ title: 'Dune' })

    await asOperator(platform, 'PUT', `billing/organizations/${slug}`, { restriction_status: null })
    await expect.poll(async () => (await write('Emma')).error, patient).toBeNull()
    expect(eyes.errors).toEqual([])
  },
)
