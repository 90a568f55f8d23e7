import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { Client } from 'pg'
import { beforeAll, expect } from 'vitest'
import { newPerson } from '../testing/people.ts'
import { join } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { databasePassword } from '../testing/client.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** A project whose database takes encrypted connections only. */
let bench: Workbench
let page: Page
let eyes: Eyes
let certificate = ''
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Safe' })
  ;({ page, eyes } = bench)
})

const card = (of = page) =>
  of.locator('section.card').filter({ has: of.locator('h2', { hasText: /^SSL$/ }) })
const dialog = () => page.getByRole('dialog').last()
const look = async (name: string) => {
  await eyes.look(name)
  await page.setViewportSize({ width: 390, height: 844 })
  await card().scrollIntoViewIfNeeded()
  await eyes.look(`${name}-narrow`)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}
/** 'in', or why not: at the port of the database. */
async function enter(ssl: object | false): Promise<string> {
  const { body } = await bench.ada.call('GET', `/platform/projects/${bench.ref}/settings`)
  const client = new Client({
    host: 'localhost',
    port: Number(body['db_port']),
    user: 'postgres',
    password: databasePassword,
    database: 'postgres',
    ssl,
  })
  // Told by `connect` already.
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => 'in'),
    (error: unknown) => String(error),
  )
}

const step = story('a database takes encrypted connections only')

step(
  'encryption is offered from the start, and the server is known by the certificate',
  async () => {
    await bench.go('database/settings')
    await card().getByText('Offered').waitFor()
    const downloading = page.waitForEvent('download')
    await card().getByRole('link', { name: 'Download the certificate' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('database-ca.crt')
    certificate = await readFile(await download.path(), 'utf8')
    expect(await enter({ ca: certificate })).toBe('in')
    expect(await enter(false)).toBe('in')
    await card().scrollIntoViewIfNeeded()
    await look('database-ssl-00-offered')
  },
)

step('who may not change it sees why', async () => {
  const reader = await newPerson(bench.platform)
  await join(bench.platform, bench.slug, bench.ada, reader)
  const other = await openPage(bench.platform, { as: reader })
  await other.page.goto(`${bench.platform.url}/project/${bench.ref}/database/settings`)
  const button = card(other.page).getByRole('button', { name: 'Enforce SSL' })
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
})

step('enforced, a connection in the clear is refused, and an encrypted one is not', async () => {
  await card().getByRole('button', { name: 'Enforce SSL' }).click()
  await dialog().getByText('refused at once').waitFor()
  await look('database-ssl-01-confirm')
  await dialog().getByRole('button', { name: 'Enforce SSL' }).click()
  await card().getByText('Enforced').waitFor()
  expect(await enter(false)).toContain('SSL connection is required')
  expect(await enter({ ca: certificate })).toBe('in')
  await look('database-ssl-02-enforced')
})

step('the strings of Connect say so', async () => {
  await bench.go('database/settings?showConnect=true')
  await dialog().getByText('?sslmode=require').waitFor()
  await look('database-ssl-03-connect')
  await page.keyboard.press('Escape')
})

step('it can be let be again', async () => {
  await card().getByRole('button', { name: 'Stop enforcing SSL' }).click()
  await dialog().getByRole('button', { name: 'Stop enforcing SSL' }).click()
  await card().getByText('Offered').waitFor()
  expect(await enter(false)).toBe('in')
  expect(eyes.errors).toEqual([])
})
