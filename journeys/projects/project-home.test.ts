import { readFile } from 'node:fs/promises'
import vm from 'node:vm'
import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import ws from 'ws'
import { withClient } from '#kit/postgres/client'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { ApiFunction } from '#contract/projects/project-overview'
import { connectionUri } from '../../dashboard/features/projects/connect/connection-uri.ts'
import {
  functionExamples,
  tableExamples,
  type Example,
} from '../../dashboard/features/data-api/api-docs/examples.ts'
import type { Eyes } from '../testing/browser.ts'
import { databasePassword, type Person, type Project } from '../testing/client.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { runCurl, runNode } from '../testing/run-examples.ts'
import { story } from '../testing/story.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
let ada: Person
let project: Project

beforeAll(async () => {
  bench = await openWorkbench({ name: 'storefront', clipboard: true })
  ;({ page, eyes, ada, project } = bench)
})

const at = (below = '') => `${bench.platform.url}/project/${project.ref}${below}`
const sql = (query: string) => bench.sql(query)
const steps = () => page.getByRole('list', { name: 'Getting started' })
const ticked = () => steps().locator('.done .med').allTextContents()
/** Whom a driver enters as that is given this. */
const whoIs = async (connectionString: string) =>
  (await withClient({ connectionString }, (client) => client.query('select current_user as me')))
    .rows
const copied = () => page.evaluate(() => navigator.clipboard.readText())

const tables = `
  create type mood as enum ('happy', 'sad');
  create table authors (id int primary key, name text not null);
  insert into authors values (7, 'Frank');
  create table books (
    id bigint generated always as identity primary key,
    title text not null, feeling mood, tags text[], extra jsonb, made timestamptz default now(),
    author int references authors (id)
  );
  insert into books (title, author) values ('Dune', 7), ('Emma', null);
  create table "näh ""ma/schine"" 50%?" ("the key" uuid primary key default gen_random_uuid(), "wo(rds)" text not null, "a.b" int);
  insert into "näh ""ma/schine"" 50%?" ("wo(rds)") values ('it''s');
  create view titles as select id, title from books;
  create function add_up(a int, b int default 1) returns int language sql immutable as 'select a + b';
  create function "say ""it"""("the words" text) returns setof books language sql stable as 'select * from books';`

const step = story('the home of a project, Connect and the API docs')

step('the home shows what runs and ticks off what is done', async () => {
  await page.goto(at())
  await steps().waitFor()
  expect(await ticked()).toEqual([])
  const services = page.getByRole('table', { name: 'Services' })
  for (const name of ['Database', 'Data API', 'Auth'])
    await services.getByText(`${name} is healthy`).waitFor()
  await eyes.look('home-01-new')

  await sql(tables)
  await page.reload()
  await expect.poll(ticked).toEqual(['Create a table', 'Insert a row'])
  await sql('create policy everybody on authors for select using (true)')
  await page.reload()
  await expect.poll(ticked).toEqual(['Create a table', 'Insert a row', 'Add a policy'])
  await page.getByText('3 of 4').waitFor()

  await sql('select count(*), pg_sleep(0.05) from books')
  const answer = await fetch(`${project.endpoint}/rest/v1/authors`, {
    headers: { apikey: project.anonKey },
  })
  expect(answer.status).toBe(200)
  const rest = services.getByRole('row', { name: /^Data API/ })
  // Counts are handed on every few seconds.
  await expect
    .poll(
      async () => {
        await page.reload()
        await rest.waitFor()
        await page.getByText('Recent changes').waitFor()
        return (await steps().count()) === 0 && (await rest.textContent())
      },
      { timeout: 60_000, interval: 1000 },
    )
    .toMatch(/requests, 0 errors|1/)
  await page
    .getByRole('table', { name: 'Slowest queries' })
    .getByText(/pg_sleep/)
    .waitFor()
  await page.getByText('created a project').waitFor()
  await eyes.look('home-02-used')
})

step('what a page asks for before its scripts are read, it uses', async () => {
  const pages = [
    '/organizations',
    `/org/${bench.slug}`,
    `/org/${bench.slug}/team`,
    `/org/${bench.slug}/billing`,
    '/account/me',
  ]
  const unused = () =>
    page.evaluate(() => {
      const early: unknown = Reflect.get(window, 'plinthEarly')
      return early && typeof early === 'object' && 'asked' in early
        ? Object.keys(early.asked ?? {})
        : ['nothing was asked for']
    })
  for (const path of [...pages, `/project/${project.ref}`]) {
    await page.goto(`${bench.platform.url}${path}`)
    await expect.poll(unused, { message: path }).toEqual([])
  }
})

step(
  'what connects: strings that a driver takes, files for frameworks, on every page by its address',
  async () => {
    await page.goto(at())
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect to storefront' })
    await dialog.waitFor()
    expect(new URL(page.url()).searchParams.get('showConnect')).toBe('true')
    await dialog.getByLabel('Database password').fill(databasePassword)
    await dialog.getByRole('button', { name: 'Copy URI' }).click()
    const uri = await copied()
    expect(await whoIs(uri)).toEqual([{ me: 'postgres' }])
    await eyes.look('home-03-connect')

    await dialog.getByRole('button', { name: /^Method/ }).click()
    for (const method of ['Session pooler', 'Transaction pooler']) {
      await page.getByRole('option', { name: method }).click()
      await dialog.getByRole('button', { name: 'Copy URI' }).click()
      const pooled = await copied()
      expect(new URL(pooled).username).toMatch(/^postgres\.[a-z]{20}$/)
      expect(await whoIs(pooled)).toEqual([{ me: 'postgres' }])
      await eyes.look(`home-03-connect-${method.slice(0, 7).trim().toLowerCase()}`)
      await dialog.getByRole('button', { name: /^Method/ }).click()
    }
    await page.getByRole('option', { name: 'Direct connection' }).click()
    await dialog.getByRole('button', { name: /^Type/ }).click()
    await page.getByRole('option', { name: 'Node.js' }).click()
    await dialog.getByRole('tab', { name: 'db.js' }).click()
    await dialog.getByRole('button', { name: 'Copy db.js' }).click()
    expect(await runNode(await copied(), uri)).toContain('PostgreSQL 17')

    await dialog.getByRole('tab', { name: 'App Frameworks' }).click()
    await dialog.getByText(project.anonKey).waitFor()
    await eyes.look('home-04-frameworks')
    await page.goBack()
    await dialog.waitFor({ state: 'hidden' })
    await page.goto(at('/editor?showConnect=true&connectTab=orms'))
    await dialog.getByRole('tab', { name: 'ORMs', selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(page.url()).not.toContain('onnect')
  },
)

step('the command menu copies what people copy', async () => {
  await page.goto(at('/api'))
  await page.getByRole('heading', { name: 'Introduction' }).waitFor()
  const { body } = await ada.call('GET', `/platform/projects/${project.ref}`)
  const server = { host: String(body['db_host']), port: Number(body['db_port']) }
  const uri = connectionUri({ ...server, database: 'postgres', user: 'postgres' })
  const keys = await ada.call('GET', `/v1/projects/${project.ref}/api-keys?reveal=true`)
  const keyOf = (type: string) =>
    Object.values(keys.body as Record<string, { type: string; api_key: string }>).find(
      (key) => key.type === type,
    )?.api_key ?? `no ${type} key`
  for (const [typed, text] of [
    ['Copy connection string', uri],
    ['Copy API URL', project.endpoint],
    ['Copy publishable key', keyOf('publishable')],
    ['Copy secret key', keyOf('secret')],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder('Find a page, a thing or an action').fill(typed)
    await page.keyboard.press('Enter')
    await expect.poll(copied).toBe(text)
  }
  const own = uri.replace('[YOUR-PASSWORD]', encodeURIComponent(databasePassword))
  expect(await whoIs(own)).toEqual([{ me: 'postgres' }])
})

step('the docs know the tables and functions of this database', async () => {
  await page.goto(at('/api'))
  const nav = page.getByRole('navigation', { name: 'API docs' })
  await nav.getByRole('link', { name: 'books' }).click()
  await page.getByRole('heading', { name: 'Insert a row', exact: true }).waitFor()
  const columns = page.getByRole('table', { name: 'Columns of books' })
  await columns.getByText('generated').waitFor()
  await eyes.look('home-05-docs-table')

  await page.getByRole('button', { name: 'Describe title' }).click()
  await page.getByLabel('Description').fill("What's on the cover")
  await page.getByRole('button', { name: 'Review SQL' }).click()
  await page.getByText("comment on column public.books.title is 'What''s on the cover'").waitFor()
  await page.getByRole('button', { name: 'Save description' }).click()
  await columns.getByText("What's on the cover").waitFor()

  await page.getByRole('button', { name: 'Bash' }).click()
  await page.getByText(`curl '${project.endpoint}/rest/v1/books?select=*'`).first().waitFor()
  await page.getByRole('button', { name: 'service', exact: true }).click()
  await page.getByText('The service key passes every policy').waitFor()
  expect(new URL(page.url()).search).toMatch(/^\?resource=table-\d+&lang=bash&key=service$/)
  await page.getByRole('searchbox', { name: 'Find a table or function' }).fill('add')
  await expect.poll(() => nav.getByRole('link', { name: 'books' }).count()).toBe(0)
  await nav.getByRole('link', { name: 'add_up' }).click()
  await page
    .getByRole('table', { name: 'Arguments of add_up' })
    .getByText('has a default')
    .waitFor()
  await eyes.look('home-06-docs-function')

  await nav.getByRole('link', { name: 'TypeScript types' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download types' }).click()
  expect((await download).suggestedFilename()).toBe('database.types.ts')
  const types = await readFile(await (await download).path(), 'utf8')
  expect(types).toContain('export type Database')
  expect(types).toContain('add_up')
})

step('the docs open beside the table one is in, for who tries that', async () => {
  await page.evaluate(() => localStorage.setItem('supabase-ui-api-side-panel', 'true'))
  await page.goto(at('/editor'))
  await page.getByRole('link', { name: /^authors/ }).click()
  await page.locator('canvas').first().waitFor()
  await page.getByRole('link', { name: /^API docs/ }).click()
  const panel = page.getByRole('dialog', { name: 'API docs' })
  await panel.getByRole('table', { name: 'Columns of authors' }).waitFor()
  await panel.getByRole('button', { name: 'Bash' }).click()
  await panel.getByText(`curl -X POST '${project.endpoint}/rest/v1/authors'`).first().waitFor()
  await page.mouse.move(400, 450)
  await eyes.look('home-07-docs-panel')
  await page.goBack()
  await panel.waitFor({ state: 'hidden' })
  await page.evaluate(() => localStorage.removeItem('supabase-ui-api-side-panel'))
})

step('every example for a table and a function runs as it stands', async () => {
  const marker = String(
    (await ada.call('GET', `/platform/projects/${project.ref}`)).body['connectionString'],
  )
  const ask = async (path: string) =>
    (
      await ada.call('GET', `/platform/pg-meta/${project.ref}/${path}`, undefined, {
        'x-connection-encrypted': marker,
      })
    ).body
  const { entities } = (await ask('entities?schema=public')) as { entities: { id: number }[] }
  const { functions } = (await ask('api-functions?schema=public')) as { functions: ApiFunction[] }
  const access = { url: project.endpoint, key: project.serviceKey }
  const examples: [string, Example][] = []
  for (const { id } of entities) {
    const entity = (await ask(`entities/${id}`)) as unknown as EntityDetail
    for (const one of tableExamples(entity, access)) examples.push([entity.name, one])
  }
  for (const one of functions)
    for (const example of functionExamples(one, access)) examples.push([one.name, example])
  expect(new Set(examples.map(([name]) => name)).size).toBe(6)

  // The two packages declare the same constructor differently.
  const client = createClient(access.url, access.key, { realtime: { transport: ws as never } })
  for (const [name, { id, js, bash }] of examples) {
    // What a sample before it has put in is in the way of the same key.
    const clear = () => (name === 'authors' ? sql('delete from authors where id < 7') : undefined)
    await clear()
    const code = `(async () => { ${js}; return { error } })()`
    const { error } = (await vm.runInNewContext(code, { client })) as { error: unknown }
    expect([name, id, error]).toEqual([name, id, null])
    await clear()
    const { status, text } = await runCurl(bash)
    expect([name, id, status < 300, text]).toEqual([name, id, true, text])
  }
})

step('nothing sticks out of a narrow screen, and nothing was said on the console', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [name, below, sign] of [
    ['home', '', page.getByRole('heading', { name: 'Services' })],
    ['connect', '?showConnect=true', page.getByRole('dialog', { name: 'Connect to storefront' })],
    ['docs', '/api', page.getByRole('heading', { name: 'Introduction' })],
  ] as const) {
    await page.goto(at(below))
    await sign.first().waitFor()
    await eyes.look(`home-20-phone-${name}`)
    const sticksOut = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect(sticksOut, `${below} at 390 px`).toBe(false)
  }
  expect(eyes.errors).toEqual([])
})
