import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { createOrganization, createProject, reaches } from '../testing/client.ts'
import {
  completedClone,
  confirmRestore,
  orders,
  ordersTable,
  patient,
} from '../testing/restores.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** The way of a project's data: into a backup, into a file, back, and to another project. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop', size: 'small', sql: ordersTable })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog').last()
const tab = (name: string) =>
  page.getByRole('navigation', { name: 'Kinds of restores' }).getByRole('link', { name })
const backup = (text: string) => page.getByRole('row').filter({ hasText: text })
const narrow = async (name: string) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(name)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story(
  "the way of a project's data into a backup, into a file, back, and to another project",
)

step('a backup is made by hand, and is completed once it was read back', async () => {
  await bench.go('editor')
  await page.getByText('Open a table').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find a page, a thing or an action').fill('backups')
  await page.getByRole('option', { name: 'Database: backups' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/database\/backups\/scheduled$/)
  await page.getByText('No backups yet').waitFor()
  await page.getByText(/kept for 7 days\. The next is due in (1 hour|\d+ minutes?)\./).waitFor()
  await expect.poll(() => page.title()).toMatch(/^Backups · Shop/)
  await eyes.look('backups-00-none')
  await button('Back up now').click()
  await backup('Being made').waitFor()
  await expect.poll(() => button('Back up now').getAttribute('aria-disabled')).toBe('true')
  await eyes.look('backups-01-being-made')
  await backup('Completed')
    .getByText(/Read back: \d+ tables, [\d,]+ rows/)
    .waitFor(patient)
  await page.getByText('Backup completed').waitFor()
  await eyes.look('backups-02-completed')
})

step('its file is a data directory, packed', async () => {
  await button(/^Actions for the backup/).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Download' }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^Shop-.*\.tar\.gz$/i)
  const { stdout } = await promisify(execFile)('tar', ['-tzf', await file.path()])
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['PG_VERSION', 'backup_label']))
})

step('where backups are no files, none is offered to download', async () => {
  const list = '**/platform/database/*/backups'
  await page.route(list, async (route) => {
    const answer = await route.fetch()
    const found: object = await answer.json()
    await route.fulfill({ json: { ...found, downloads: false } })
  })
  await page.reload()
  await page.getByText('none can be downloaded as a file').waitFor()
  expect(await page.getByText('A download is a data directory').count()).toBe(0)
  await button(/^Actions for the backup/).click()
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Download' }).count()).toBe(0)
  await page.unroute(list)
  await page.reload()
  await page.getByText('A download is a data directory').waitFor()
})

step('a restore brings rows back, and what it replaced is in the list', async () => {
  await bench.sql("delete from public.orders where what = 'tea'")
  await bench.sql("insert into public.orders values ('regret')")
  await button(/^Actions for the backup/).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).waitFor()
  await eyes.look('backups-03-menu')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog().getByText('becomes what it was at').waitFor()
  await eyes.look('backups-04-restore')
  await narrow('backups-05-restore-narrow')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await button(/^Actions for the backup/).click()
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).click()
  await confirmRestore(page)
  await eyes.look('backups-06-restoring')
  await reaches(bench.ada, bench.ref, ['ACTIVE_HEALTHY'], patient.timeout)
  expect(await orders(bench)).toEqual(['bread', 'tea'])
  // The page of the project follows by itself.
  await page.getByRole('heading', { name: 'Restoring Shop' }).waitFor({ state: 'detached' })
  await bench.go('database/backups')
  await backup('Before a restore')
    .getByText(/Read back/)
    .waitFor()
  await narrow('backups-07-list-narrow')
})

step('a backup becomes a new project, beside this one', async () => {
  await backup('Made by hand').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Restore to a new project' }).click()
  await page.waitForURL(/restore-to-new-project\?backup=\d+$/)
  await button(/^Backup: .*$/).waitFor()
  await page.getByRole('row', { name: /^Compute .*\$0.0206 an hour \$15.00$/ }).waitFor()
  await button('Restore to a new project').click()
  await page.getByText('Choose a password for the database').waitFor()
  await button('Generate a password').click()
  await page.getByText('This password is strong.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Shop of yesterday')
  await eyes.look('backups-08-new-project')
  await narrow('backups-09-new-project-narrow')
  await button('Restore to a new project').click()
  await page.getByText('The new project is being created').waitFor()
  const ref = await completedClone(page, 'Shop of yesterday')
  await eyes.look('backups-10-made')
  await reaches(bench.ada, ref, ['ACTIVE_HEALTHY'])
  expect(await orders(bench, ref)).toEqual(['bread', 'tea'])
  await page.getByRole('link', { name: 'Shop of yesterday' }).click()
  await page.waitForURL(new RegExp(`/project/${ref}$`))
})

step('a paused project is restored, too', async () => {
  await bench.ada.call('POST', `/platform/projects/${bench.ref}/pause`)
  await reaches(bench.ada, bench.ref, ['INACTIVE'])
  await bench.go('database/backups')
  await page.getByText('None is due while the project does not run.').waitFor()
  await expect.poll(() => button('Back up now').getAttribute('aria-disabled')).toBe('true')
  await backup('Made by hand').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).click()
  await dialog().getByText('if the database still starts').waitFor()
  await confirmRestore(page)
  await reaches(bench.ada, bench.ref, ['ACTIVE_HEALTHY'], patient.timeout)
  expect(await orders(bench)).toEqual(['bread', 'tea'])
})

step('on Free there is what a plan would give', async () => {
  const free = await createOrganization(bench.ada, 'Hobby', 'tier_free')
  const { ref } = await createProject(bench.ada, free, 'Shed', 'nano')
  await reaches(bench.ada, ref, ['ACTIVE_HEALTHY'])
  await page.goto(`${bench.platform.url}/project/${ref}/database/backups`)
  await page.getByText('Backups are part of the Pro plan').waitFor()
  await eyes.look('backups-11-free')
  await expect.poll(() => button('Back up now').count()).toBe(0)
  await tab('Point in time').click()
  await page.getByText('Point in time recovery needs the Pro plan').waitFor()
  await narrow('backups-12-free-narrow')
  await page.getByRole('link', { name: 'See plans' }).click()
  await page.waitForURL(new RegExp(`/org/${free}/billing`))
  expect(eyes.errors).toEqual([])
})
