import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { migrate } from '../testing/growth/branches.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Account,
  type Project,
} from '../testing/client.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'
import { wrongsOf } from '../testing/world.ts'

let platform: Platform
let page: Page
let eyes: Eyes
let ada: Account
let slug: string
let books: Project
let address: string
let branch: { id: string; project_ref: string }

beforeAll(async () => {
  platform = await ownPlatform({ environment: { PLINTH_TRASH_DAYS: '30' } })
  ada = await signUp(platform.url, 'ada@example.com')
  slug = await createOrganization(ada, 'Acme')
  books = await createProject(ada, slug, 'Books')
  await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
  await migrate(ada, books.ref, 'notes', 'create table notes (id int primary key, text text)')
  await runSql(ada, books.ref, `insert into notes values (1, 'kept')`)
  address = `${platform.url}/org/${slug}`
  ;({ page, eyes } = await openPage(platform, { as: ada }))
})

const dialog = () => page.getByRole('dialog')
const within = (name: string) => dialog().getByRole('button', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const text = (said: string | RegExp) => page.getByText(said).first()
const rows = () => page.locator('tbody tr').allTextContents()
const isSane = () => expect.poll(() => wrongsOf(platform), { timeout: 60_000 }).toEqual([])
const textOf = (ref: string) =>
  runSql(ada, ref, 'select text from notes').catch(() => 'not yet') as Promise<unknown>

const step = story('a project and a branch are deleted and brought back')

step('a branch with a row of its own is deleted, with a word on how long it is kept', async () => {
  const path = `/platform/projects/${books.ref}/branches`
  const made = await ada.call('POST', path, { name: 'next' })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  branch = made.body as typeof branch
  await expect
    .poll(
      async () => {
        const all = (await ada.call('GET', path)).body['branches'] as {
          id: string
          busy: boolean
        }[]
        return all.find(({ id }) => id === branch.id)?.busy
      },
      { timeout: 60_000 },
    )
    .toBe(false)
  await runSql(ada, branch.project_ref, `insert into notes values (2, 'of the branch')`)
  await page.goto(`${platform.url}/project/${books.ref}/branches`)
  await button('Actions of next').click()
  await page.getByRole('menuitem', { name: 'Delete branch' }).click()
  await dialog().getByText('You can restore it for 30 days').waitFor()
  await eyes.look('10-delete-branch')
  await dialog().getByRole('textbox').fill('next')
  await within('Delete branch').click()
  await reaches(ada, branch.project_ref, ['404'])
})

step('the project is deleted; its dialog says what is kept, and its list leads to it', async () => {
  await page.goto(`${platform.url}/project/${books.ref}/settings/general`)
  await text('You can restore it for 30 days').waitFor()
  await button('Delete project').click()
  await dialog().getByText('Its read replicas are deleted at once').waitFor()
  await eyes.look('20-delete-project')
  await dialog().getByRole('textbox').fill('Books')
  await within('Delete project').click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/org/${slug}`)
  await reaches(ada, books.ref, ['404'])
  expect((await fetch(`${books.endpoint}/rest/v1/notes`)).status).toBe(404)
  await page.getByRole('link', { name: 'Deleted projects (2)' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/org/${slug}/trash`)
  await expect.poll(rows).toHaveLength(2)
  const [first = '', second = ''] = await rows()
  expect(first).toContain('Books')
  expect(first).toContain('Removed for good in 30 days')
  expect(first).toContain('by ada@example.com')
  expect(second).toContain('Branch of Books')
  await eyes.look('30-deleted-projects')
  await page.setViewportSize({ width: 390, height: 800 })
  await eyes.look('31-deleted-projects-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })
  await isSane()
})

step('a branch waits for its project', async () => {
  const restore = button('Restore Books / next')
  expect(await restore.getAttribute('aria-disabled')).toBe('true')
  await restore.hover()
  await text('Restore Books first').waitFor()
})

step('by the keyboard both come back, with their rows, keys and addresses', async () => {
  await button('Restore Books').focus()
  await page.keyboard.press('Enter')
  await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
  await expect.poll(rows).toHaveLength(1)
  await expect.poll(() => button('Restore Books / next').getAttribute('aria-disabled')).toBe(null)
  await button('Restore Books / next').click()
  await reaches(ada, branch.project_ref, ['ACTIVE_HEALTHY'])
  await text('No deleted projects').waitFor()
  await eyes.look('40-no-deleted-projects')
  await expect.poll(() => textOf(books.ref), { timeout: 60_000 }).toEqual([{ text: 'kept' }])
  await expect
    .poll(() => textOf(branch.project_ref), { timeout: 60_000 })
    .toEqual([{ text: 'of the branch' }])
  // The key that it had.
  const headers = { apikey: books.serviceKey, authorization: `Bearer ${books.serviceKey}` }
  const answered = await fetch(`${books.endpoint}/rest/v1/notes?select=text`, { headers })
  expect(await answered.json()).toEqual([{ text: 'kept' }])
  await isSane()
})

step('a refusal says why, and one that cannot be reached, too', async () => {
  await ada.call('DELETE', `/platform/projects/${branch.project_ref}`)
  await reaches(ada, branch.project_ref, ['404'])
  const other = await createProject(ada, slug, 'Books / next')
  await page.goto(`${address}/trash`)
  await button('Restore Books / next').click()
  await text('Another project is called Books / next').waitFor()
  await reaches(ada, other.ref, ['ACTIVE_HEALTHY'])
  await page.route('**/restore', (route) => route.abort())
  await button('Restore Books / next').click()
  await text('Books / next was not restored').waitFor()
  await page.unroute('**/restore')
})

step('delete now asks for the name, and then nothing is left', async () => {
  await button('Delete Books / next now').click()
  await expect.poll(() => within('Delete now').isDisabled()).toBe(true)
  await dialog().getByRole('textbox').fill('Books / next')
  await eyes.look('50-delete-now')
  await within('Delete now').click()
  await text('No deleted projects').waitFor()
  await isSane()
  const expected = /409|ERR_FAILED|404/
  expect(eyes.errors.filter((line) => !expected.test(line))).toEqual([])
})

step('the list that cannot be read can be asked for again', async () => {
  await page.route('**/trash?**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`${address}/trash`)
  await button('Try again').waitFor()
  await eyes.look('60-not-read')
  await page.unroute('**/trash?**')
  await button('Try again').click()
  await text('No deleted projects').waitFor()
})
