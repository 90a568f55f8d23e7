import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Clockwork',
    sql: `create table ticks (at timestamptz not null default now());
      create function sweep() returns void language sql as 'delete from ticks where at < now() - interval ''1 day'''`,
  })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first()
const ticks = async () => ((await bench.sql('select from ticks')) as unknown[]).length

const step = story('jobs by the clock')

step('the catalogue finds it, says what it is, and one click enables it', async () => {
  await bench.go('integrations')
  await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor()
  await page.getByText('Not enabled').first().waitFor()
  await eyes.look('integrations')
  await page.getByLabel('Find an integration').fill('nothing of this kind')
  await page.getByRole('heading', { name: 'No integration found' }).waitFor()
  await button('Show all').click()
  await page.getByRole('tab', { name: /^APIs/ }).click()
  await page.getByRole('link', { name: 'GraphiQL' }).last().waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Cron', exact: true }).count()).toBe(1)
  await page.getByRole('tab', { name: /^All/ }).click()
  await page.getByLabel('Find an integration').fill('pg_cron')
  await page.getByRole('main').getByRole('link', { name: 'Cron', exact: true }).click()
  await page.getByRole('heading', { name: 'What it does' }).waitFor()
  await page.getByText('Version 1.6 is on this server').waitFor()
  await eyes.look('integration-overview')
  await button('Enable Cron').click()
  await page.getByText('Version 1.6, in the schema').waitFor()
  expect(await bench.sql(`select extname from pg_extension where extname = 'pg_cron'`)).toEqual([
    { extname: 'pg_cron' },
  ])
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
})

step(
  'a job that cannot be is refused in its fields; one that can is made, by keyboard',
  async () => {
    await button('Create job').first().click()
    const panel = page.getByRole('dialog')
    const schedule = panel.getByLabel('Schedule')
    await schedule.fill('61 * * * *')
    await panel.getByText('Never due').waitFor()
    await panel.getByRole('button', { name: 'Create job', exact: true }).click()
    await panel.getByText('Enter a name').waitFor()
    await panel.getByText('Enter what is to be run').waitFor()
    await panel.getByText(/^Enter five fields/).waitFor()
    await schedule.fill('5 4 * * *')
    await panel.getByText('At 04:05').waitFor()
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(5)
    await eyes.look('cron-new-job')
    await panel.getByRole('button', { name: 'Every minute' }).click()
    await panel.getByText('Every minute', { exact: true }).nth(1).waitFor()
    await schedule.fill('2 seconds')
    await panel.getByLabel('Name').fill('tick')
    await panel.getByRole('textbox', { name: 'SQL' }).focus()
    await page.keyboard.type('insert into ticks default values')
    await panel.getByLabel('Name').press('Enter')
    await row('tick').getByText('Every 2 seconds').waitFor()
    await panel.waitFor({ state: 'hidden' })
  },
)

step('it runs by itself, and now when somebody wants it', async () => {
  await button('Run tick now').click()
  await expect.poll(ticks, { timeout: 60_000 }).toBeGreaterThanOrEqual(1)
  const before = await ticks()
  await expect.poll(ticks, { timeout: 60_000 }).toBeGreaterThan(before)
  await row('tick').getByText('Succeeded').waitFor()
  await button('Runs of tick').click()
  const panel = page.getByRole('dialog')
  await panel.getByText('INSERT 0 1').first().waitFor()
  await eyes.look('cron-runs')
  await panel.getByRole('button', { name: 'Failed', exact: true }).click()
  await panel.getByRole('heading', { name: 'No run has failed' }).waitFor()
  await page.keyboard.press('Escape')
})

step(
  'a job calls a function of the database, or an address, and its form shows it again',
  async () => {
    await button('Create job').click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Name', { exact: true }).fill('sweep')
    await panel.getByRole('button', { name: 'Database function' }).click()
    await panel.getByRole('button', { name: 'Create job', exact: true }).click()
    await panel.getByText('Choose a function').waitFor()
    await panel.getByRole('button', { name: /^Function:/ }).click()
    await page.getByRole('option', { name: 'sweep', exact: true }).click()
    await panel.getByRole('button', { name: 'Create job', exact: true }).click()
    await panel.waitFor({ state: 'hidden' })
    await row('sweep').getByText('select public.sweep();').waitFor()
    await button('Run sweep now').click()
    await row('sweep').getByText('Succeeded').waitFor()

    await button('Create job').click()
    await panel.getByLabel('Name', { exact: true }).fill('call')
    await panel.getByRole('button', { name: 'HTTP request' }).click()
    await panel.getByLabel('URL').fill('nowhere')
    await panel.getByLabel('Timeout').fill('1')
    await panel.getByLabel('Body').fill('{')
    await panel.getByRole('button', { name: 'Create job', exact: true }).click()
    await panel.getByText('Enter a URL').waitFor()
    await panel.getByText('Enter 100 to 30000 milliseconds').waitFor()
    await panel.getByText('Enter valid JSON').waitFor()
    await eyes.look('cron-request')
    await panel.getByLabel('URL').fill('https://example.com/hook')
    await panel.getByLabel('Timeout').fill('2000')
    await panel.getByLabel('Body').fill('{"it\'s": 1}')
    await panel.getByRole('button', { name: 'Add secret header' }).click()
    await panel.getByLabel('Secret of header 2').fill('hook_key')
    await panel.getByRole('button', { name: 'Create job', exact: true }).click()
    await panel.waitFor({ state: 'hidden' })
    await button('Change call').click()
    await expect.poll(() => panel.getByLabel('URL').inputValue()).toBe('https://example.com/hook')
    expect(await panel.getByLabel('Body').inputValue()).toBe('{"it\'s": 1}')
    expect(await panel.getByLabel('Secret of header 2').inputValue()).toBe('hook_key')
    await panel.getByRole('button', { name: 'Cancel' }).click()
    await button('Delete call').click()
    await button('Delete job').click()
    await button('Delete sweep').click()
    await button('Delete job').click()
    await row('sweep').waitFor({ state: 'detached' })
  },
)

step('a job that fails says why', async () => {
  await button('Change tick').click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'SQL' }).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('select 1/0')
  await panel.getByRole('button', { name: 'Save job', exact: true }).click()
  await panel.waitFor({ state: 'hidden' })
  await button('Run tick now').click()
  await row('tick').getByText('Failed').waitFor()
  await button('Runs of tick').click()
  await page.getByText('ERROR: division by zero').first().waitFor()
  await page.keyboard.press('Escape')
})

step('switched off it does not run; deleted it is gone', async () => {
  await page.getByRole('switch', { name: 'tick runs' }).focus()
  await page.keyboard.press('Space')
  await row('tick').getByText('Switched off').waitFor()
  await eyes.look('cron-jobs')
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('cron-jobs-narrow')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  await button('Delete tick').click()
  await button('Delete job').click()
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  expect(eyes.errors).toEqual([])
})
