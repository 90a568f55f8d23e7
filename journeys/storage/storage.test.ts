import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** Files of a project, from the first bucket to the last, as a person at the dashboard lives through it. */
let bench: Workbench
let page: Page
let eyes: Eyes
let disk: string
/** One red point, and a text. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'plinth-files-'))
  writeFileSync(join(disk, 'dot.png'), png)
  writeFileSync(join(disk, 'notes ü.txt'), 'mine')
  writeFileSync(join(disk, 'poem.txt'), 'Roses are red\n'.repeat(20))
  writeFileSync(join(disk, 'page.html'), '<script>document.title = "it ran"</script>')
  writeFileSync(join(disk, 'large.bin'), Buffer.alloc(3_000_000, 7))
  bench = await openWorkbench({ name: 'Shop', clipboard: true })
  ;({ page, eyes } = bench)
})
afterAll(() => rm(disk, { recursive: true, force: true }))

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog').last()
const item = (name: string) => page.getByRole('menuitem', { name }).first().click()
const row = (name: string) =>
  page.locator('.file-row', { has: page.getByTitle(name, { exact: true }) })
const said = (words: string | RegExp) => page.getByText(words).first().waitFor()
const menuOf = (name: string) => row(name).locator('.file-name').click({ button: 'right' })
const choose = (...names: string[]) =>
  page.getByLabel('Files to upload').setInputFiles(names.map((name) => join(disk, name)))
const narrow = async (name: string) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(name)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('files of a project, from the first bucket to the last')

step('a bucket is made; what is wrong is said before it is sent', async () => {
  await bench.go('storage')
  await page.getByText('No buckets yet').waitFor()
  await eyes.look('storage-00-empty')
  await button('New bucket').first().click()
  await dialog().getByRole('button', { name: 'Create bucket' }).click()
  await said('A bucket needs a name')
  await dialog().getByLabel('Name').fill('Shop Pictures')
  await said(/Lower-case letters, digits/)
  await dialog().getByLabel('Name').fill('pictures')
  await dialog().getByText('Public bucket').click()
  await dialog().getByLabel('File size limit').fill('5')
  await dialog().getByLabel('Allowed types').fill('everything')
  await said(/Types such as/)
  await dialog().getByLabel('Allowed types').fill('image/*\ntext/*\napplication/octet-stream')
  await eyes.look('storage-01-new-bucket')
  await dialog().getByRole('button', { name: 'Create bucket' }).click()
  await page.getByRole('link', { name: 'pictures' }).waitFor()
  await said('Public')
  await said('5 MB')
  await eyes.look('storage-02-buckets')
  await narrow('storage-03-buckets-narrow')
})

step('files are uploaded straight to the project, and shown from there', async () => {
  await page.getByRole('link', { name: 'pictures' }).click()
  await said('This folder is empty')
  await choose('dot.png', 'poem.txt', 'page.html', 'large.bin')
  await said('4 of 4 uploaded')
  await row('dot.png').waitFor()
  await eyes.look('storage-04-uploaded')
  await button('Clear').click()
  await row('dot.png').locator('.file-name').click()
  const picture = page.getByRole('img', { name: 'dot.png' })
  await expect.poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1)
  const { origin } = new URL(bench.project.endpoint)
  await expect.poll(() => picture.getAttribute('src')).toContain(origin)
  await eyes.look('storage-05-preview')
  await narrow('storage-06-preview-narrow')
  await row('page.html').locator('.file-name').click()
  await page.getByLabel('Text of page.html').getByText('it ran').waitFor()
  await expect.poll(() => page.title()).not.toContain('it ran')
  await button('Close preview').click()
})

step('a file whose name a key cannot have says which one it gets', async () => {
  await choose('notes ü.txt')
  await said(/“notes ü.txt” is stored as “notes u.txt”/)
  await eyes.look('storage-06b-renamed')
  await row('notes u.txt').waitFor()
  await menuOf('notes u.txt')
  await item('Delete')
  await dialog()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await row('notes u.txt').waitFor({ state: 'hidden' })
  await button('Clear').click()
})

step('a file of a name that is taken is replaced only when asked', async () => {
  writeFileSync(join(disk, 'poem.txt'), 'Violets are blue')
  await choose('poem.txt')
  await said('There is a file of this name')
  await button('Replace').click()
  await said('1 of 1 uploaded')
  await button('Clear').click()
  await row('poem.txt').locator('.file-name').click()
  await page.getByLabel('Text of poem.txt').getByText('Violets are blue').waitFor()
  await button('Copy public URL').click()
  await button('Copied').waitFor()
  const url = await page.evaluate(() => navigator.clipboard.readText())
  expect(await (await fetch(url)).text()).toBe('Violets are blue')
  await button('Create signed URL').click()
  await dialog().getByRole('button', { name: 'Create URL' }).click()
  await dialog().getByRole('button', { name: 'Copy signed URL' }).click()
  const signed = await page.evaluate(() => navigator.clipboard.readText())
  expect(signed).toContain('token=')
  expect(await (await fetch(signed)).text()).toBe('Violets are blue')
  await eyes.look('storage-07-signed')
  await page.keyboard.press('Escape')
  await button('Close preview').click()
})

step('the list says what its columns are, and sorts by them', async () => {
  const heads = page.locator('.file-head')
  await expect
    .poll(() => heads.innerText())
    .toMatch(/Name\s+(?:, ascending\s+)?Type\s+Size\s+Last modified/)
  // Each stands above its own.
  const left = async (part: string) =>
    Promise.all(
      [heads.locator(part), row('dot.png').locator(part)].map(async (it) =>
        Math.round((await it.boundingBox())?.x ?? -1),
      ),
    )
  for (const part of ['.file-type', '.file-time']) {
    const [head, line] = await left(part)
    expect(head, part).toBe(line)
  }
  const names = () => page.locator('.file-name').allTextContents()
  const up = await names()
  await heads.getByRole('button', { name: 'Name' }).click()
  await expect.poll(names).toEqual(up.toReversed())
  expect(new URL(page.url()).searchParams.get('order')).toBe('desc')
  await heads.getByRole('button', { name: 'Last modified' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('updated_at')
  await heads.getByRole('button', { name: /^Last modified\s*, ascending/ }).waitFor()
  await heads.getByRole('button', { name: 'Name' }).click()
  await expect.poll(names).toEqual(up)
  await narrow('storage-07-heads-narrow')
})

step('folders are made, renamed, filled and deleted; progress is told', async () => {
  await button('New folder').click()
  await dialog().getByLabel('Name').fill('a/b')
  await dialog().getByRole('button', { name: 'Create folder' }).click()
  await said(/^Names have letters/)
  await dialog().getByLabel('Name').fill('drafts')
  await dialog().getByRole('button', { name: 'Create folder' }).click()
  await row('drafts').waitFor()
  await row('poem.txt').getByText('Select poem.txt').locator('xpath=..').click()
  await row('page.html').getByText('Select page.html').locator('xpath=..').click()
  await said('2 selected')
  await eyes.look('storage-08-chosen')
  await button('Move').click()
  await dialog().getByLabel('Folder').fill('drafts')
  await dialog().getByRole('button', { name: 'Move' }).click()
  await said('2 files moved')
  await row('poem.txt').waitFor({ state: 'detached' })
  // One that has ended before anybody looks at it is told as well.
  const jobs = `/platform/storage/${bench.ref}/jobs`
  await page.route(`**${jobs}`, async (route) => {
    if (route.request().method() === 'GET')
      await expect
        .poll(async () => JSON.stringify((await bench.ada.call('GET', jobs)).body))
        .not.toContain('RUNNING')
    await route.continue()
  })
  await menuOf('drafts')
  await item('Rename')
  await dialog().getByLabel('Name').fill('texts')
  await dialog().getByRole('button', { name: 'Rename' }).click()
  await said('3 files moved')
  await page.unroute(`**${jobs}`)
  await row('texts').locator('.file-name').click()
  await row('poem.txt').waitFor()
  await menuOf('poem.txt')
  await eyes.look('storage-09-menu')
  await item('Copy path')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('texts/poem.txt')
})

step('columns show the way, and the choice is remembered', async () => {
  await button('Columns').click()
  await row('dot.png').waitFor()
  await row('poem.txt').waitFor()
  await page.reload()
  await row('poem.txt').waitFor()
  await row('dot.png').waitFor()
  await eyes.look('storage-10-columns')
  await narrow('storage-11-columns-narrow')
  await button('List').click()
})

step('keys move, rename and delete', async () => {
  await row('page.html').locator('.file-name').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('poem.txt')
  await page.keyboard.press('F2')
  await dialog().getByLabel('Name').fill('verse.txt')
  await page.keyboard.press('Enter')
  await row('verse.txt').waitFor()
  await row('verse.txt').locator('.file-name').focus()
  await page.keyboard.press('Delete')
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await row('verse.txt').waitFor({ state: 'detached' })
  await row('page.html').locator('.file-name').focus()
  await page.keyboard.press('Backspace')
  await row('texts').waitFor()
})

step('a folder of very many scrolls to its end', async () => {
  await bench.sql(`insert into storage.objects (bucket_id, name, metadata)
    select 'pictures', 'many/' || lpad(n::text, 5, '0') || '.txt', '{"size": 10, "mimetype": "text/plain"}'
    from generate_series(1, 1500) n`)
  await page.goto(`${page.url().split('?')[0]}?path=many`)
  await row('00001.txt').waitFor()
  await expect.poll(() => page.locator('.file-row').count()).toBeLessThan(100)
  const box = page.locator('.file-scroll')
  await expect
    .poll(async () => {
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return row('01500.txt').count()
    })
    .toBe(1)
  await eyes.look('storage-12-many')
  await page.getByLabel('Search by name prefix').fill('0123')
  await row('01234.txt').waitFor()
  await expect.poll(() => page.locator('.file-row').count()).toBe(10)
})

const leave = async () => {
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
}
const cutOff = () => page.getByText('Interrupted: choose the same file to resume')

step(
  'three files are sent at a time; who leaves before one byte went is told of them',
  async () => {
    const names = ['huge.bin', 'one.bin', 'two.bin', 'three.bin']
    for (const name of names) writeFileSync(join(disk, name), Buffer.alloc(4_900_000, name))
    await page.goto(`${page.url().split('?')[0]}`)
    await row('texts').waitFor()
    // The program that sends does not come yet, as on a slow line.
    const assets = '**/assets/**'
    let isSlow = true
    await page.route(assets, (route) => (isSlow ? undefined : route.continue()))
    await choose(...names)
    await expect.poll(() => page.getByText('0 bytes of 4.7 MB').count()).toBe(3)
    await expect.poll(() => page.getByText('Waiting', { exact: true }).count()).toBe(1)
    // To take the route away now would let through what it holds, and a file might be sent before the page is left.
    isSlow = false
    await leave()
    await said('Cut off uploads')
    await page.unroute(assets)
    await expect.poll(() => cutOff().count()).toBe(3)
    await button('Remove one.bin').click()
    await button('Remove two.bin').click()
    await expect.poll(() => cutOff().count()).toBe(1)
  },
)

step('an upload that was cut off goes on after a reload', async () => {
  const stop = '**/upload/resumable/**'
  const again = () => page.getByLabel('The file huge.bin').setInputFiles(join(disk, 'huge.bin'))
  await page.route(stop, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  const refused = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH')
  await again()
  await refused
  await leave()
  await page.unroute(stop)
  await cutOff().waitFor()
  await eyes.look('storage-13-cut-off')
  const asked = page.waitForRequest((request) => request.method() === 'HEAD')
  await again()
  await asked
  await said('1 of 1 uploaded')
  await row('huge.bin').waitFor()
})

step('a policy is made from a template, and decides', async () => {
  await page.getByRole('link', { name: 'Policies', exact: true }).click()
  const card = page.getByRole('region', { name: 'pictures', exact: true })
  await card.getByRole('button', { name: 'New policy' }).click()
  await dialog()
    .getByRole('button', { name: /A folder for each user/ })
    .click()
  // The editors of its expressions are loaded when they are wanted.
  await dialog().locator('.monaco-editor').first().waitFor()
  await eyes.look('storage-14-policy')
  await dialog().getByRole('button', { name: 'Review SQL' }).click()
  await dialog().getByRole('button', { name: 'Create policy' }).click()
  await card
    .getByRole('button', { name: 'pictures: a folder for each user', exact: true })
    .waitFor()
  await eyes.look('storage-15-policies')
  await narrow('storage-16-policies-narrow')
  await page.getByRole('link', { name: 'Buckets', exact: true }).click()
  const line = page.getByRole('row', { name: /^pictures/ })
  // A folder for each user is one policy for all that can be done.
  await line.getByRole('link', { name: '1', exact: true }).waitFor()
  await eyes.look('storage-17-counted')
  await page.getByRole('link', { name: 'pictures' }).click()
})

step('a bucket is emptied and deleted by its name', async () => {
  await button('Actions for pictures').click()
  await item('Delete bucket')
  await dialog().getByLabel('Type pictures to confirm').fill('pictures')
  await dialog().getByRole('button', { name: 'Delete bucket' }).click()
  await dialog().getByText('Empty this bucket first').waitFor()
  await page.keyboard.press('Escape')
  await button('Actions for pictures').click()
  await item('Empty bucket')
  await dialog().getByLabel('Type pictures to confirm').fill('pictures')
  await dialog().getByRole('button', { name: 'Empty bucket' }).click()
  await said('This folder is empty')
  await button('Actions for pictures').click()
  await item('Delete bucket')
  await dialog().getByLabel('Type pictures to confirm').fill('pictures')
  await dialog().getByRole('button', { name: 'Delete bucket' }).click()
  await said('No buckets yet')
  const cutOnPurpose = /upload\/resumable|ERR_FAILED|409/
  expect(eyes.errors.filter((error) => !cutOnPurpose.test(error))).toEqual([])
})
