import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { withClient } from '#kit/postgres/client'
import type { Eyes } from '../testing/browser.ts'
import { databasePassword, type Person } from '../testing/client.ts'
import { runAsOperator, withServerFile } from '../testing/operator.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
let ada: Person
let ref: string

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Library',
    sql: `create table books (id int primary key, title text, author text, year int);
      create table loans (id int primary key, book int references books);
      insert into books select n, 'Title ' || n, 'Author ' || n % 50, 1900 + n % 120 from generate_series(1, 5000) n;
      create index books_title on books (title);
      create index books_title_again on books (title)`,
  })
  ;({ page, eyes, ada, ref } = bench)
})

const sql = (query: string) => bench.sql(query)
const open = async (path: string, heading: string) => {
  await bench.go(`database/${path}`)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}
const click = (name: string | RegExp) =>
  page
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .last()
    .click()
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
/** In a list that is searched, only what is looked for. */
const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first()
const migrationNames = async () =>
  (
    (await sql('select name from supabase_migrations.schema_migrations order by version')) as {
      name: string
    }[]
  ).map(({ name }) => name)

const step = story('extensions, indexes, roles and the other things of a database')

step(
  'extensions: what the server has is told apart from what it has not; one is enabled and disabled',
  async () => {
    await open('extensions', 'Extensions')
    await row('pageinspect')
      .getByRole('cell', { name: 'Kept for the operator', exact: true })
      .waitFor()
    expect(await row('postgis').count()).toBe(0)
    await eyes.look('b1-extensions')
    await page.getByRole('button', { name: /known extensions that are not on this server/ }).click()
    await row('postgis').getByRole('cell', { name: 'Not on this server', exact: true }).waitFor()
    await said('npx plinth extensions add FILE.deb')
    await eyes.look('b1a-extensions-absent')
    await open('extensions', 'Extensions')
    await page.getByLabel('Find an extension').fill('key, value')
    await row('hstore').getByRole('button', { name: 'Enable' }).click()
    await said('The schema extensions keeps them out of the API.')
    await click('Review')
    await said('create extension')
    await eyes.look('b2-enable-extension')
    await click('Enable extension')
    await said('hstore is enabled')
    await row('hstore').getByRole('cell', { name: 'Enabled', exact: true }).waitFor()
    expect(await sql("select extname from pg_extension where extname = 'hstore'")).toHaveLength(1)
    await row('hstore').getByRole('button', { name: 'Disable' }).click()
    await said('Nothing uses them.')
    await click('Disable extension')
    await said('hstore is disabled')
    expect(await migrationNames()).toEqual(['enable_extension_hstore', 'disable_extension_hstore'])
  },
)

step(
  'an extension that is old is updated, and one that is used says what goes with it',
  async () => {
    await sql(`create extension citext with schema extensions version '1.4'`)
    await sql('create table people (id int primary key, email extensions.citext)')
    await sql('create view mailed as select email from people')
    await open('extensions', 'Extensions')
    await page.getByLabel('Find an extension').fill('citext')
    await row('citext').getByRole('button', { name: 'Update' }).click()
    await said('Version 1.4 is installed.')
    await click('Update extension')
    await said('citext is updated')
    await expect.poll(() => row('citext').getByRole('button', { name: 'Update' }).count()).toBe(0)
    await row('citext').getByRole('button', { name: 'Disable' }).click()
    await said('2 objects use citext and are dropped too')
    await said('public.people.email')
    await said('public.mailed')
    await eyes.look('b2a-disable-used-extension')
    const drop = page.getByRole('button', { name: 'Disable and drop what uses it' })
    expect(await drop.isDisabled()).toBe(true)
    await page.getByLabel('Type citext to confirm').fill('citext')
    await drop.click()
    await said('citext is disabled')
    expect(await sql(`select to_regclass('mailed') as gone`)).toEqual([{ gone: null }])
    await sql('drop table people; delete from supabase_migrations.schema_migrations')
  },
)

step('indexes: marks, definition, a new one built concurrently, a duplicate dropped', async () => {
  await open('indexes', 'Indexes')
  await row('books_title_again').getByText('Duplicate').waitFor()
  await eyes.look('b3-indexes')
  await click('Create index')
  await page.getByLabel(/^Table/).click()
  await page.getByRole('option', { name: 'books' }).click()
  for (const column of ['author', 'year']) {
    await page.getByRole('button', { name: /^Column/ }).click()
    await page.getByRole('option', { name: new RegExp(`^${column}`) }).click()
  }
  await said('create index concurrently')
  await eyes.look('b4-create-index')
  await click('Review')
  await click('Create index')
  await said('books_author_year_idx is created')
  await row('books_author_year_idx').waitFor()
  await page.getByRole('button', { name: 'Actions for books_title_again' }).click()
  await page.getByRole('menuitem', { name: 'Drop index' }).click()
  await click('Drop index')
  await said('books_title_again is dropped')
  expect(
    await sql("select indexname from pg_indexes where tablename = 'books' order by 1"),
  ).toEqual([
    { indexname: 'books_author_year_idx' },
    { indexname: 'books_pkey' },
    { indexname: 'books_title' },
  ])
})

step('publications: made, given tables and operations, and deleted', async () => {
  await open('publications', 'Publications')
  await click('Create publication')
  await page.getByLabel('Name', { exact: true }).fill('Orders & more')
  await click('Review')
  await click('Create publication')
  await said('Orders & more is created')
  await page.getByRole('switch', { name: 'truncate of Orders & more' }).click({ force: true })
  await click('Change publication')
  await said('Orders & more is changed')
  await eyes.look('b5-publications')
  await page.getByRole('link', { name: 'Orders & more' }).click()
  await page.getByRole('switch', { name: 'loans is published' }).click({ force: true })
  await click('Change publication')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await eyes.look('b6-publication')
  expect(
    await sql(
      "select tablename, pubtruncate from pg_publication_tables join pg_publication using (pubname) where pubname = 'Orders & more'",
    ),
  ).toEqual([{ tablename: 'loans', pubtruncate: false }])
  await click('Delete publication')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete publication' }).click()
  await said('Orders & more is deleted')
  await page.getByRole('heading', { name: 'Publications' }).waitFor()
})

step('roles: a new one gets rights and a password, connects, and is deleted', async () => {
  await open('roles', 'Roles')
  await said(/of \d+ connections/)
  await eyes.look('b7-roles')
  await click('Create role')
  await page.getByLabel('Name', { exact: true }).fill('clerk')
  await page.getByLabel('Connection limit').fill('5')
  await page.getByText('service_role', { exact: true }).last().click()
  await eyes.look('b8-role')
  await click('Review')
  await said('connection limit 5')
  await click('Create role')
  await said('clerk is created; give it a password next')
  await page.getByRole('button', { name: 'clerk', exact: true }).click()
  await page.getByLabel('New password').fill('Granite-7 under water')
  await click('Set password')
  await said('clerk has a new password')
  const { port } = await settings()
  const clerk = { user: 'clerk', password: 'Granite-7 under water', database: 'postgres' }
  const count = await withClient({ host: '127.0.0.1', port, ...clerk }, (client) =>
    client.query('select count(*)::int as n from books'),
  )
  expect(count.rows).toEqual([{ n: 5000 }])
  expect((await migrationNames()).at(-1)).toBe('create_role_clerk')
  await click('Delete role')
  await page.getByLabel('Type clerk to confirm').fill('clerk')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).last().click()
  await said('clerk is deleted')
})

step('replication: a slot is seen with its lag and deleted by its name', async () => {
  await sql("select extensions.create_replication_slot('follower')")
  await open('replication', 'Replication')
  await row('follower').getByText('Not read').waitFor()
  await said('No read replica')
  await eyes.look('b9-replication')
  await click('Delete follower')
  await page.getByLabel('Type follower to confirm').fill('follower')
  await click('Delete slot')
  await said('follower is deleted')
  expect(await sql("select from pg_replication_slots where slot_name = 'follower'")).toEqual([])
})

const settings = async () => {
  const { body } = await ada.call('GET', `/platform/projects/${ref}/settings`)
  return { port: Number(body['db_port']) }
}

step(
  'settings: a parameter is changed for the database, and the password for its owner',
  async () => {
    await open('settings', 'Database settings')
    await said('Clients can encrypt their connection')
    await eyes.look('b10-database-settings')
    await page.getByLabel('Find a parameter').fill('work_mem')
    await page.getByRole('button', { name: 'Change work_mem', exact: true }).click()
    await page.getByLabel('Value for this database').fill('12 MB')
    await click('Review')
    await said("alter database postgres set work_mem to '12MB'")
    await eyes.look('b11-parameter')
    await click('Change parameter')
    await said('work_mem is changed')
    await row('work_mem').getByText('12 MB').waitFor()
    await page.getByLabel('Database password').fill('quarry lantern 83 violet otter')
    await page.getByText('This password is strong.').waitFor()
    await click('Change password')
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
    await said('Database password changed')
    const { port } = await settings()
    const login = (known: string) =>
      withClient(
        { host: '127.0.0.1', port, user: 'postgres', password: known, database: 'postgres' },
        (client) => client.query('show work_mem'),
      )
    expect((await login('quarry lantern 83 violet otter')).rows).toEqual([{ work_mem: '12MB' }])
    await expect(login(databasePassword)).rejects.toThrow(/authentication failed/)
    expect(await sql('select 1 as goes_on')).toEqual([{ goes_on: 1 }])
  },
)

step('wrappers: one that is enabled takes a server, a login and a schema of tables', async () => {
  await open('wrappers', 'Wrappers')
  await said('npx plinth extensions add FILE.deb')
  await eyes.look('b12-wrappers')
  await click('Enable postgres_fdw')
  await click('Enable extension')
  await said('postgres_fdw is enabled')
  const { port } = await settings()
  await page.getByRole('button', { name: 'Add server' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('itself')
  await page.getByLabel('Host').fill('127.0.0.1')
  await page.getByLabel('Port').fill(String(port))
  await page.getByRole('textbox', { name: 'Database' }).fill('postgres')
  await click('Review')
  await page.getByRole('dialog').getByRole('button', { name: 'Add server' }).click()
  await said('itself is added')
  await page.getByRole('button', { name: 'itself', exact: true }).click()
  await click('Set a login')
  await page.getByLabel('Remote user').fill('postgres')
  await page.getByLabel('Remote password').fill('quarry lantern 83 violet otter')
  await click('Set login')
  await said('The login is set')
  await click('Import a schema')
  await page.getByLabel('Schema here').fill('far away')
  await page.getByLabel('Only this table').fill('books')
  await click('Review')
  await click('Import schema')
  await said('public is imported')
  await said('far away.books')
  await eyes.look('b13-server')
  expect(await sql('select count(*)::int as n from "far away".books')).toEqual([{ n: 5000 }])
})

step('a file on the server is read as a table that was made by clicking', async () => {
  await withServerFile("it's.csv", 'id;title\n1;Dune\n2;"Emma; or not"\n', async (file) => {
    await runAsOperator(
      bench.platform,
      ref,
      'create extension file_fdw with schema extensions; grant usage on foreign data wrapper file_fdw to postgres; grant pg_read_server_files to postgres',
    )
    await open('wrappers', 'Wrappers')
    const files = page.locator('.set-row').filter({ hasText: 'file_fdw' })
    await files.getByRole('button', { name: 'Add server' }).click()
    await page.getByLabel('Name', { exact: true }).fill('disk "one"')
    await click('Review')
    await page.getByRole('dialog').getByRole('button', { name: 'Add server' }).click()
    await said('disk "one" is added')
    await page.getByRole('button', { name: 'disk "one"', exact: true }).click()
    await click('Add a table')
    await page.getByLabel('Table here').fill('Read "here"')
    await page.getByLabel('Columns').fill('id int8\n"The title" text')
    await page.getByLabel('File', { exact: true }).fill(file)
    await page.getByLabel(/^Format/).fill('csv')
    await page.getByLabel(/^Header line/).fill('true')
    await page.getByLabel(/^Delimiter/).fill(';')
    await eyes.look('b15-foreign-table')
    await click('Review')
    await click('Add foreign table')
    await said('public.Read "here"')
    expect(await sql('select * from "Read ""here""" order by id')).toEqual([
      { id: 1, 'The title': 'Dune' },
      { id: 2, 'The title': 'Emma; or not' },
    ])
  })
})

step('the pages fit a telephone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, heading, shown] of [
    ['extensions', 'Extensions', 'citext'],
    ['indexes', 'Indexes', 'books_pkey'],
    ['publications', 'Publications', 'supabase_realtime'],
    ['roles', 'Roles', 'authenticator'],
    ['settings', 'Database settings', 'work_mem'],
    ['wrappers', 'Wrappers', 'itself'],
  ] as const) {
    await open(path, heading)
    await said(shown)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide, path).toBeLessThanOrEqual(390)
    if (path === 'extensions' || path === 'wrappers') await eyes.look(`b14-${path}-390`)
  }
})

step('nothing was said on the console', () => {
  expect(eyes.errors).toEqual([])
})
