import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unzip } from '#kit/testing/unzip'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** What comes out of a bucket again, as a person at the dashboard saves it and looks at it. */
let bench: Workbench
let page: Page
let eyes: Eyes
let disk: string
const noise = Buffer.alloc(3_000_000, 7)

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'plinth-downloads-'))
  writeFileSync(join(disk, 'poem.txt'), 'Roses are red')
  writeFileSync(join(disk, 'verse.txt'), 'Violets are blue')
  writeFileSync(join(disk, 'large.bin'), noise)
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
  await bench.sql("insert into storage.buckets (id, name) values ('pictures', 'pictures')")
})
afterAll(() => rm(disk, { recursive: true, force: true }))

const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = (name: string) =>
  page.locator('.file-row', { has: page.getByTitle(name, { exact: true }) })
const select = (name: string) => row(name).getByText(`Select ${name}`).locator('xpath=..').click()
const said = (words: string) => page.getByText(words).first().waitFor()
async function upload(...names: string[]) {
  await page.getByLabel('Files to upload').setInputFiles(names.map((name) => join(disk, name)))
  await said(`${names.length} of ${names.length} uploaded`)
  await button('Clear').click()
}
const narrow = async (name: string) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(name)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('what comes out of a bucket again')

step('files and folders come as one zip, straight from the project', async () => {
  await bench.go('storage')
  await page.getByRole('link', { name: 'pictures' }).click()
  await said('This folder is empty')
  await button('New folder').click()
  await page.getByRole('dialog').getByLabel('Name').fill('texts')
  await button('Create folder').click()
  await row('texts').locator('.file-name').click()
  await said('This folder is empty')
  await upload('verse.txt')
  await page.getByRole('button', { name: 'pictures', exact: true }).click()
  await upload('poem.txt', 'large.bin')
  for (const name of ['texts', 'poem.txt', 'large.bin']) await select(name)
  await said('3 selected')
  await eyes.look('downloads-00-several')
  await narrow('downloads-01-several-narrow')
  const [download] = await Promise.all([page.waitForEvent('download'), button('Download').click()])
  expect(download.suggestedFilename()).toBe('pictures.zip')
  expect(new URL(download.url()).origin).toBe(new URL(bench.project.endpoint).origin)
  const entries = unzip(readFileSync(await download.path()))
  expect([...entries.keys()]).toEqual(['large.bin', 'poem.txt', 'texts/', 'texts/verse.txt'])
  expect(entries.get('large.bin')?.equals(noise)).toBe(true)
  expect(String(entries.get('texts/verse.txt'))).toBe('Violets are blue')
  await button('Clear selection').click()
  await row('texts').locator('.file-name').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Download' }).waitFor()
  await eyes.look('downloads-02-menu')
  const [folder] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).click(),
  ])
  expect(folder.suggestedFilename()).toBe('texts.zip')
  const texts = unzip(readFileSync(await folder.path()))
  expect([...texts.keys()]).toEqual(['texts/', 'texts/verse.txt'])
})

step(
  'a PDF is shown in a frame of the project; what only looks like one runs nowhere',
  async () => {
    const paper = new PDFDocument()
    paper.fontSize(40).text('A paper of the shop').end()
    const evil = '<script>parent.document.title = "it ran"; document.title = "it ran"</script>'
    writeFileSync(join(disk, 'paper.pdf'), await buffer(paper))
    writeFileSync(join(disk, 'fake.pdf'), evil)
    writeFileSync(join(disk, 'later.pdf'), evil)
    await upload('paper.pdf', 'fake.pdf', 'later.pdf')
    const { origin } = new URL(bench.project.endpoint)
    const showsPdfs = (shows: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', {
          get: () => value,
          configurable: true,
        })
      }, shows)
    // A browser without a window has no viewer of its own; what counts is what the page frames, and with which headers.
    await showsPdfs(true)
    async function framed(name: string) {
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().includes(`/pictures/${name}?token=`)),
        row(name).locator('.file-name').click(),
      ])
      const frame = page.locator(`iframe[title="${name}"]`)
      await expect.poll(() => frame.getAttribute('src')).toBe(answer.url())
      expect(new URL(answer.url()).origin).toBe(origin)
      expect(answer.headers()).toMatchObject({ 'x-content-type-options': 'nosniff' })
      return answer.headers()
    }
    expect(await framed('paper.pdf')).toMatchObject({ 'content-type': 'application/pdf' })
    await eyes.look('downloads-03-pdf')
    await narrow('downloads-04-pdf-narrow')
    expect(await framed('fake.pdf')).toMatchObject({ 'content-type': 'application/pdf' })
    // Replaced by a page after the list was read: it has no origin and no scripts.
    await bench.sql(`update storage.objects set metadata = metadata || '{"mimetype": "text/html"}'
    where name = 'later.pdf'`)
    expect(await framed('later.pdf')).toMatchObject({
      'content-type': 'text/html',
      'content-security-policy': 'sandbox',
    })
    const blocked = /Blocked script execution in .*later\.pdf/
    await expect.poll(() => eyes.errors.some((error) => blocked.test(error))).toBe(true)
    await expect.poll(() => page.title()).not.toContain('it ran')
    for (const frame of page.frames())
      await expect.poll(() => frame.title()).not.toContain('it ran')
    await showsPdfs(false)
    await row('paper.pdf').locator('.file-name').click()
    await said('This browser shows no PDFs in pages.')
    await expect.poll(() => page.locator('iframe').count()).toBe(0)
    expect(eyes.errors.filter((error) => !blocked.test(error))).toEqual([])
  },
)
