import { createHmac } from 'node:crypto'
import { beforeAll, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { Eyes } from '../testing/browser.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
let secret: string
let hook: string
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Books', newTables: 'private', clipboard: true })
  ;({ page, eyes } = bench)
})

const commit = 'a1b2c3d4'.repeat(5)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const copied = async (what: string) => {
  await button(`Copy ${what}`).click()
  return page.evaluate(() => navigator.clipboard.readText())
}
function push(by: string, branch: string) {
  const body = JSON.stringify({ ref: `refs/heads/${branch}`, after: commit })
  const signature = createHmac('sha256', by).update(body).digest('hex')
  return fetch(hook, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  })
}

const step = story('commits of a git repository are deployed')

step('a repository is connected by keyboard, and its secret is shown once', async () => {
  await bench.go('branches')
  await page.getByText('No repository connected').waitFor()
  await eyes.look('git-01-none')
  await button('Connect repository').focus()
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Archive address').fill('https://127.0.0.1/books.tar.gz')
  await page.keyboard.press('Enter')
  await dialog().getByText('The address needs {commit}').waitFor()
  await dialog().getByLabel('Archive address').fill('https://127.0.0.1/books/{commit}.tar.gz')
  await dialog().getByLabel('Access token').fill('of the repository')
  await eyes.look('git-02-connect')
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'hidden' })
  await page.getByText('Copy the secret now').waitFor()
  secret = await copied('secret of the webhook')
  hook = await copied('webhook URL')
  expect(secret).toMatch(/^[0-9a-f]{48}$/)
  await eyes.look('git-03-secret')
  await page.reload()
  await page.getByText('None yet. The first push').waitFor()
  expect(await page.getByText('Copy the secret now').count()).toBe(0)
})

step('a signed push is deployed, and what went wrong is said', async () => {
  expect((await push('a guess', 'main')).status).toBe(401)
  expect((await push(secret, 'main')).status).toBe(200)
  await page.reload()
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.getByText(commit.slice(0, 8)).click()
  // Nobody has the platform ask its own machine.
  await page.getByText('127.0.0.1 is not a public address').waitFor()
  await eyes.look('git-04-failed')
})

step('a commit is asked for by hand; a branch that nothing follows is refused', async () => {
  await button('Deploy commit').click()
  await dialog().getByLabel('Commit').fill('main')
  await dialog().getByRole('button', { name: 'Deploy', exact: true }).click()
  await dialog().getByText('Enter the whole commit hash').waitFor()
  await dialog().getByLabel('Commit').fill(commit)
  await dialog().getByLabel('Branch of git').fill('elsewhere')
  await page.keyboard.press('Enter')
  await dialog().getByText('no branch follows elsewhere').waitFor()
  await eyes.look('git-05-deploy')
  await dialog().getByLabel('Branch of git').fill('main')
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(() => page.getByText('Failed', { exact: true }).count()).toBe(2)
})

step(
  'a new secret takes the place of the former one, and the repository is disconnected',
  async () => {
    await button('Rotate secret').click()
    await dialog().getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText('Copy the secret now').waitFor()
    expect((await push(secret, 'main')).status).toBe(401)
    await button('Disconnect').click()
    await dialog().getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No repository connected').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await eyes.look('git-06-narrow')
  },
)
