import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { childOf, until } from '../testing/processes.ts'
import { story } from '../testing/story.ts'

let platform: Platform
let page: Page
let eyes: Eyes
let bench: Workbench
let ref: string

beforeAll(async () => {
  platform = await ownPlatform()
  bench = await openWorkbench({
    name: 'Files',
    platform,
    newTables: 'private',
    sql: `create table parts (id int primary key, name text not null, price numeric, made_on date)`,
  })
  ;({ page, eyes, ref } = bench)
})

const sql = (query: string) => bench.sql(query)

async function openTable(name: string): Promise<void> {
  await page.goto(`${platform.url}/project/${ref}/editor`)
  await page.getByRole('link', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('heading', { name }).waitFor()
}
const csv = (text: string, name = 'Spare Parts.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})
const file = () => page.locator('input[type=file]')

const step = story('rows of a file come into a table, and go out of it')

step(
  'a file with bad rows changes nothing and says which; left out, the others are kept',
  async () => {
    const heavy: string[] = []
    page.on('request', (request) => /\/monaco/.test(request.url()) && heavy.push(request.url()))
    await openTable('parts')
    await page.getByRole('button', { name: 'Import a file' }).click()
    await file().setInputFiles(
      csv(
        'ID;Name;Made On;price\n1;"=1+1; bolt";2026-01-31;0.10\n2;Nut;not a day;1\nx;Bad;2026-02-01;2\n',
      ),
    )
    await page.getByRole('columnheader', { name: 'Made On' }).waitFor()
    await eyes.look('46-import-preview')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Nothing was imported', { exact: true }).waitFor()
    await page.getByText('Row 2', { exact: true }).waitFor()
    await eyes.look('47-import-report')
    const listing = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Bad rows as CSV' }).click()
    expect(await readFile(await (await listing).path(), 'utf8')).toBe(
      'row,column,reason\n2,made_on,"made_on cannot be ""not a day"""\n3,id,"id cannot be ""x"""\n',
    )
    expect(await sql('select count(*)::int as n from parts')).toEqual([{ n: 0 }])
    await page.getByRole('checkbox', { name: /Skip invalid rows/ }).check({ force: true })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('1 row imported, 2 rows were left out').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    // Where no SQL is written, its editor is not loaded.
    expect(heavy).toEqual([])
    expect(await sql('select id, name, price::text, made_on::text from parts')).toEqual([
      { id: 1, name: '=1+1; bolt', price: '0.10', made_on: '2026-01-31' },
    ])
  },
)

step('a pasted text becomes a new table, with its types and a recorded migration', async () => {
  await page.getByRole('button', { name: 'More ways to create a table' }).click()
  await page.getByRole('menuitem', { name: 'New table from a file' }).click()
  await page.getByRole('button', { name: 'Pasted text' }).click()
  await page
    .getByRole('textbox', { name: 'Rows', exact: true })
    .fill('city\tsince\topen\nLinz\t2026-01-01\ttrue\nGraz\t\tfalse')
  await page.getByLabel('New table in public').fill('shops')
  await page.getByText('SQL that makes the table').click()
  await eyes.look('48-import-new-table')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('2 rows imported into shops').first().waitFor()
  await page.getByRole('link', { name: /^shops/ }).waitFor()
  expect(await sql('select id, city, since::text, open from shops order by id')).toEqual([
    { id: 1, city: 'Linz', since: '2026-01-01', open: true },
    { id: 2, city: 'Graz', since: null, open: false },
  ])
  expect(await sql('select name from supabase_migrations.schema_migrations')).toEqual([
    { name: 'create_table_shops' },
  ])
})

/** On the disk, so that it is the same file when it is chosen again. */
async function manyRows(): Promise<string> {
  const line = `${'Wien'.repeat(20)},2026-03-01,true\n`
  const path = join(platform.home, 'many.csv')
  await writeFile(path, `city,since,open\n${line.repeat(60_000)}`)
  return path
}
async function choose(path: string): Promise<void> {
  await openTable('shops')
  await page.getByRole('button', { name: 'More ways to insert' }).click()
  await page.getByRole('menuitem', { name: 'Import CSV or TSV' }).click()
  await file().setInputFiles(path)
  await page.getByRole('columnheader', { name: 'since' }).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}
const rowsOfShops = () => sql('select count(*)::int as n from shops')

step(
  'an upload that is cut off goes on with the same file, and a cancelled one leaves nothing',
  async () => {
    const [straight, throughPlatform] = ['**/import/v1/**', '**/pieces']
    let [parts, pieces] = [0, 0]
    await page.route(straight, (route) => (parts++ === 0 ? route.continue() : route.abort()))
    await page.route(throughPlatform, (route) => (pieces++, route.continue()))
    await choose(await manyRows())
    await page.getByText('68 % sent').first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: '1 import under way' }).click()
    const panel = page.getByRole('dialog', { name: 'Imports' })
    await panel.getByText('The upload was interrupted').waitFor()
    await panel.locator('input[type=file]').setInputFiles(csv('another file'))
    await panel.getByText('This is another file').waitFor()
    await eyes.look('47b-import-interrupted')
    await page.unroute(straight)
    await panel.locator('input[type=file]').setInputFiles(join(platform.home, 'many.csv'))
    await panel.getByText('60,000 rows imported').waitFor()
    expect(await rowsOfShops()).toEqual([{ n: 60_002 }])
    expect(pieces).toBe(0)
    await panel.getByRole('button', { name: 'Remove' }).last().click()

    await sql('delete from shops where id > 2')
    const held = sql('begin; lock table shops in share mode; select pg_sleep(25)').catch(String)
    // Where the project's own address cannot be reached, the file comes all the same.
    await page.route(straight, (route) => route.abort())
    await choose(join(platform.home, 'many.csv'))
    await page.getByText('rows read').first().waitFor()
    expect(pieces).toBe(3)
    await page.unroute(straight)
    await page.unroute(throughPlatform)
    await page.getByRole('button', { name: 'Cancel the import' }).click()
    await page.getByText('The import was cancelled').waitFor()
    await page.getByRole('button', { name: 'Close' }).first().click()
    await sql(letGo)
    await held
    expect(await rowsOfShops()).toEqual([{ n: 2 }])
  },
)

const letGo =
  "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()"

step(
  'an import goes on by itself when the page is left and when the server is killed',
  async () => {
    const held = sql('begin; lock table shops in share mode; select pg_sleep(25)').catch(String)
    await choose(join(platform.home, 'many.csv'))
    await page.getByText('rows read').first().waitFor()
    await page.getByRole('button', { name: 'Continue in the background' }).click()
    await page.goto(`${platform.url}/project/${ref}/editor`)
    await page.getByRole('button', { name: '1 import under way' }).waitFor()
    const killed = childOf(platform.process.pid ?? 0, 'data-plane.js')
    process.kill(killed ?? 0, 'SIGKILL')
    await held
    await until('the data plane is there again', () => sql(letGo).then(Boolean, () => false))
    await page.getByText('60,000 rows imported into shops').first().waitFor()
    expect(await rowsOfShops()).toEqual([{ n: 60_002 }])
    await page.getByRole('button', { name: 'Imports' }).click()
    const panel = page.getByRole('dialog', { name: 'Imports' })
    const opening = panel.getByRole('button', { name: 'Open table' }).first()
    await opening.waitFor()
    await eyes.look('47c-imports')
    await opening.click()
    await page.getByRole('heading', { name: 'shops' }).waitFor()
    await sql('delete from shops where id > 2')
  },
)

step('what the filter lets through is exported as it is', async () => {
  await openTable('parts')
  await page.locator('canvas').first().waitFor()
  await page.getByRole('button', { name: 'Export and saving' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('parts.csv')
  expect(await readFile(await download.path(), 'utf8')).toBe(
    'id,name,price,made_on\n1,=1+1; bolt,0.10,2026-01-31\n',
  )
  await page.getByRole('link', { name: /^shops/ }).click({ button: 'right' })
  const second = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as SQL' }).click()
  expect(await readFile(await (await second).path(), 'utf8')).toContain(
    `insert into "public"."shops" ("id", "city", "since", "open") values ('2', 'Graz', NULL, 'false');`,
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('list', { name: 'Rows of parts' }).waitFor()
  await eyes.look('49-table-narrow')
  expect(eyes.errors.filter((text) => !/status of (?:4\d\d|503)|ERR_FAILED/.test(text))).toEqual([])
})
