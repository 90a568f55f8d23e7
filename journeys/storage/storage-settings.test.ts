import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** What holds for all buckets, and the keys of the S3 protocol. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog').last()
const narrow = async (name: string) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(name)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const step = story('settings of the storage and access keys')

step('the upload limit is checked, saved and felt by new buckets', async () => {
  await bench.go('storage/settings')
  await page.getByText('0 bytes of 100 GB').waitFor()
  await page.getByText('0 bytes of 250 GB').waitFor()
  const field = page.getByLabel('Maximum file size')
  await field.fill('nonsense')
  await page.getByText('A number above zero').waitFor()
  await field.fill('20')
  await eyes.look('storage-settings-00')
  await button('Save limit').click()
  await page.getByText('Upload limit saved').waitFor()
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('20')
  await narrow('storage-settings-01-narrow')
  await page.getByRole('link', { name: 'Buckets', exact: true }).click()
  await button('New bucket').first().click()
  await dialog().getByText('At most 20 MB.').waitFor()
  await page.keyboard.press('Escape')
})

step('what is stored, sent and rendered is told beside what the plan includes', async () => {
  const { endpoint, serviceKey } = bench.project
  const create = { width: 300, height: 200, channels: 3, background: 'red' } as const
  const image = await sharp({ create }).png().toBuffer()
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${endpoint}/storage/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${serviceKey}`, 'content-type': 'image/png' },
    })
  const [body, method] = [new Uint8Array(image), 'POST']
  expect((await ask('/bucket', { method, body: '{"name": "use"}' })).status).toBe(200)
  for (const name of ['kept', 'gone'])
    expect((await ask(`/object/use/${name}.png`, { method, body })).status).toBe(200)
  expect((await ask('/object/use/gone.png', { method: 'DELETE' })).status).toBe(200)
  const large = { method, body: new Uint8Array(2_000_000) }
  expect((await ask('/object/use/large.png', large)).status).toBe(200)
  expect((await (await ask('/object/use/large.png')).arrayBuffer()).byteLength).toBe(2_000_000)
  for (const width of [100, 100, 50])
    expect((await ask(`/render/image/authenticated/use/kept.png?width=${width}`)).status).toBe(200)
  await bench.go('storage/settings')
  // Counts are handed on every few seconds, in one message or two. Three renderings of one image.
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByText('1.9 MB of 100 GB').waitFor()
        return [
          await page.getByText('1.9 MB of 250 GB').count(),
          await page.getByText('1 of 100', { exact: true }).count(),
        ]
      },
      { timeout: 60_000, interval: 1000 },
    )
    .toEqual([1, 1])
  await page.getByText(/ of it is in the trash/).waitFor()
  await eyes.look('storage-settings-02-use')
  await narrow('storage-settings-03-use-narrow')
})

step('an access key is made, shown once, and revoked', async () => {
  await page.getByRole('link', { name: 'S3', exact: true }).click()
  await page.getByText('/storage/v1/s3').waitFor()
  await page.getByText('No access keys yet').waitFor()
  await eyes.look('storage-s3-00')
  await button('New access key').click()
  await dialog().getByRole('button', { name: 'Create access key' }).click()
  await dialog().getByText('It needs a description').waitFor()
  await dialog().getByLabel('Description').fill('Nightly backup')
  await dialog().getByRole('button', { name: 'Create access key' }).click()
  await dialog().getByRole('button', { name: 'Copy secret access key' }).waitFor()
  await eyes.look('storage-s3-01-secret')
  await dialog().getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'Nightly backup', exact: true }).waitFor()
  await narrow('storage-s3-02-narrow')
  await button('Revoke Nightly backup').click()
  await dialog().getByRole('button', { name: 'Revoke access key' }).click()
  await page.getByText('Access key revoked').waitFor()
  await page.getByText('No access keys yet').waitFor()
  expect(eyes.errors).toEqual([])
})
