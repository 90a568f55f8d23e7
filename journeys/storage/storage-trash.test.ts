import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** What was deleted comes back, or goes for ever. */
let bench: Workbench
let page: Page
let eyes: Eyes
let files: ReturnType<ReturnType<typeof clientOf>['from']>
const clientOf = ({ project }: Workbench) =>
  createClient(project.endpoint, project.serviceKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
  }).storage
const put = async (...names: string[]) => {
  for (const name of names) expect((await files.upload(name, `this is ${name}`)).error).toBeNull()
}

beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
  const client = clientOf(bench)
  for (const name of ['pictures', 'drafts']) await client.createBucket(name)
  files = client.from('pictures')
  await put('cat.png', 'holiday/beach.png', 'holiday/a very long name of a picture of a beach.png')
  await client.from('drafts').upload('plan.txt', 'a plan')
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog').last()
const item = (name: string) => page.getByRole('menuitem', { name, exact: true }).click()
const row = (name: string) => page.getByRole('row', { name: `Select ${name} ` })
const said = (words: string | RegExp) => page.getByText(words).first().waitFor()
const narrow = async (name: string) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(name)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('what was deleted comes back or goes for ever')

step('an empty trash says what it is for', async () => {
  await bench.go('storage')
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  await said('The trash is empty')
  await eyes.look('storage-trash-00-empty')
})

step('what was deleted is there, with when, by whom and how long', async () => {
  const { project } = bench
  await files.remove(['cat.png'])
  await clientOf(bench).from('drafts').remove(['plan.txt'])
  await bench.go('storage/buckets/pictures')
  await page.getByTitle('holiday', { exact: true }).click({ button: 'right' })
  await item('Delete')
  await dialog().getByText('The trash keeps the files for a while').waitFor()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await said('2 files deleted')
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  await row('holiday/beach.png').getByText(`by ${bench.ada.email}`).waitFor()
  await row('cat.png').getByText('by a secret key').waitFor()
  await row('cat.png')
    .getByText(/^\d+ (?:hours|days)$/)
    .waitFor()
  await eyes.look('storage-trash-01-list')
  await narrow('storage-trash-02-narrow')
  const gone = await fetch(`${project.endpoint}/storage/v1/object/pictures/cat.png`, {
    headers: { authorization: `Bearer ${project.serviceKey}` },
  })
  expect(gone.status).toBe(400)
})

step('it is searched and narrowed to a bucket', async () => {
  await page.getByLabel('Find a deleted file').fill('BEACH')
  await row('cat.png').waitFor({ state: 'detached' })
  await row('holiday/beach.png').waitFor()
  await page.getByLabel('Find a deleted file').fill('nothing like it')
  await said('No deleted file is like that')
  await button('Clear filters').click()
  await row('plan.txt').waitFor()
  await button(/^Bucket/).click()
  await page.getByRole('option', { name: 'drafts', exact: true }).click()
  await row('cat.png').waitFor({ state: 'detached' })
  await row('plan.txt').waitFor()
  await button('Empty trash').click()
  await dialog().getByText('Empty the trash of drafts').waitFor()
  await page.keyboard.press('Escape')
  await button(/^Bucket/).click()
  await page.getByRole('option', { name: 'All buckets', exact: true }).click()
  await row('cat.png').waitFor()
})

step('one comes back; one whose name is taken comes back under another', async () => {
  await button('Actions for plan.txt').click()
  await eyes.look('storage-trash-03-menu')
  await item('Restore')
  await said('plan.txt restored to drafts')
  await row('plan.txt').waitFor({ state: 'detached' })
  await put('cat.png')
  await button('Actions for cat.png').click()
  await item('Restore')
  await dialog().getByText('There is a file of this name by now').waitFor()
  await expect.poll(() => dialog().getByLabel('Path').inputValue()).toBe('cat (restored).png')
  await eyes.look('storage-trash-04-taken')
  await dialog().getByLabel('Path').fill('a//b')
  await dialog().getByRole('button', { name: 'Restore', exact: true }).click()
  await dialog().getByText('Two slashes in a row').waitFor()
  await dialog().getByLabel('Path').fill('old/cat.png')
  await dialog().getByRole('button', { name: 'Restore', exact: true }).click()
  await said('old/cat.png restored to pictures')
  expect(await (await files.download('old/cat.png')).data?.text()).toBe('this is cat.png')
})

step('several come back at once, what is in the way stays', async () => {
  await put('holiday/beach.png')
  await page.getByText('Select all shown').locator('xpath=..').click()
  await said('2 files selected')
  await eyes.look('storage-trash-05-chosen')
  await narrow('storage-trash-06-chosen-narrow')
  await button('Restore selected').click()
  await said('1 file restored')
  await said(/1 file stayed: There is a file of this name/)
  await row('holiday/beach.png').waitFor()
})

step('a bucket that a program empties is emptied by a job', async () => {
  await put('a.txt', 'b.txt')
  const { data, error } = await clientOf(bench).emptyBucket('pictures')
  expect([data?.message, error]).toEqual([expect.stringContaining('has been queued'), null])
  await expect.poll(async () => (await files.list()).data).toEqual([])
  await page.reload()
  await row('a.txt').getByText('by a secret key').waitFor()
  await button('Actions for a.txt').waitFor()
  await page.getByText('Select all shown').locator('xpath=..').click()
  await button('Delete forever').click()
  await dialog().getByRole('button', { name: 'Delete forever' }).click()
  await said('The trash is empty')
  await put('holiday/beach.png')
  await files.remove(['holiday/beach.png'])
  await page.reload()
})

step('chosen ones go for ever, and all of it by a typed word', async () => {
  await button('Actions for holiday/beach.png').click()
  await item('Delete forever')
  await eyes.look('storage-trash-07-forever')
  await dialog().getByRole('button', { name: 'Delete forever' }).click()
  await said('The trash is empty')
  await put('cat.png', 'old/cat.png')
  await files.remove(['cat.png', 'old/cat.png'])
  await page.reload()
  await row('cat.png').waitFor()
  await button('Empty trash').click()
  const sure = dialog().getByRole('button', { name: 'Empty trash' })
  await expect.poll(() => sure.isDisabled()).toBe(true)
  await dialog().getByLabel('Type trash to confirm').fill('trash')
  await eyes.look('storage-trash-08-empty-it')
  await sure.click()
  await said('2 files deleted forever')
  await said('The trash is empty')
  expect(eyes.errors.filter((error) => !/409/.test(error))).toEqual([])
})
