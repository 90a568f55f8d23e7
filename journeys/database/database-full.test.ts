import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import ws from 'ws'
import { join } from '../testing/billing-client.ts'
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
let slug: string
let project: Project
const patient = { timeout: 60_000, interval: 500 }

beforeAll(async () => {
  platform = sharedPlatform()
  ada = await newPerson(platform)
  slug = await createOrganization(ada, 'Small')
  project = await createProject(ada, slug, 'Archive', 'medium')
  atEnd(() => ada.call('DELETE', `/platform/projects/${project.ref}`))
})

const step = story('a database that becomes full, and empty again')

const banner = (title: string) => page.locator('.banner', { hasText: title })
const state = async () =>
  (await ada.call('GET', `/platform/projects/${project.ref}/disk/usage`)).body['state']
/** A kilobyte a row. */
const fill = (megabytes: number) =>
  runSql(
    ada,
    project.ref,
    `insert into filler select repeat(md5(n::text), 31) from generate_series(1, ${megabytes * 1000}) n`,
  )
async function enter(as: Account): Promise<void> {
  ;({ page, eyes } = await openPage(platform, { as, reducedMotion: 'reduce' }))
  await page.goto(`${platform.url}/project/${project.ref}`)
}
const write = async (title: string) => {
  // The two packages declare the same constructor differently.
  const client = createClient(project.endpoint, project.serviceKey, {
    realtime: { transport: ws as never },
  })
  const { error, status } = await client.from('books').insert({ title })
  return error ? `${status} ${error.code}` : status
}

step('from nine tenths of its plan on it is told above the pages of the project', async () => {
  expect(await reaches(ada, project.ref, ['ACTIVE_HEALTHY'], 180_000)).toBe('ACTIVE_HEALTHY')
  await runSql(
    ada,
    project.ref,
    'create unlogged table filler (text text); create table books (title text); grant all on books to service_role',
  )
  // Where files lie in memory they count as the server's own, which those of the Free plan have too little of.
  await asOperator(platform, 'PUT', `billing/organizations/${slug}`, { tier: 'tier_free' })
  await fill(420)
  await expect.poll(state, patient).toBe('near')
  await enter(ada)
  await banner('Database almost full').waitFor()
  await page.getByText(/of 500 MB/).waitFor()
  expect(await write('Dune')).toBe(201)
  await banner('Database almost full').getByRole('button', { name: 'Make space' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make space in Archive' })
  await dialog.getByText('vacuum full').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: /Allow writes/ }).count()).toBe(0)
  await eyes.look('disk-1-near')
  await page.keyboard.press('Escape')
})

step('beyond it the database can only be read, and says so', async () => {
  await fill(90)
  await expect.poll(state, patient).toBe('full')
  await page.reload()
  await banner('Database full').waitFor()
  await expect.poll(() => write('Emma'), patient).toBe('405 25006')
  await eyes.look('disk-2-full')
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('disk-3-full-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('a developer is told why they cannot allow writes', async () => {
  const dora = await newPerson(platform, 'dora')
  await join(platform, slug, ada, dora)
  await enter(dora)
  await banner('Database full').getByRole('button', { name: 'Make space' }).click()
  const allow = page.getByRole('button', { name: /Allow writes/ })
  await allow.hover()
  await page.getByText('Your role in this organization does not allow this').first().waitFor()
})

step('whoever allows writes can delete, and then it goes on by itself', async () => {
  await enter(ada)
  await banner('Database full').getByRole('button', { name: 'Make space' }).click()
  await page.getByText('until then nothing can be deleted').waitFor()
  await eyes.look('disk-4-make-space')
  await page.getByRole('button', { name: 'Allow writes for 15 minutes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make space in Archive' })
  await dialog.getByText(/Writes are allowed until \d\d:\d\d/).waitFor()
  await page.keyboard.press('Escape')
  await banner('Writes are allowed until').waitFor()
  await expect.poll(() => write('Emma'), patient).toBe(201)
  await runSql(ada, project.ref, 'drop table filler')
  await expect.poll(state, patient).toBe('ok')
  await page.reload()
  await page.getByText(/of 500 MB/).waitFor()
  await expect.poll(() => banner('Database full').count()).toBe(0)
  expect(await write('Mort')).toBe(201)
  expect(eyes.errors).toEqual([])
})
