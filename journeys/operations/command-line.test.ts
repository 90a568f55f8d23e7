import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createOrganization, personWith, type Person } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'
import { hasCommandLine, openTerminal, type Terminal } from '../testing/terminal.ts'

let platform: Place
let owner: Person
let organization: string
let terminal: Terminal
let folder: string
let ref: string

beforeAll(async () => {
  platform = sharedPlatform()
  const session = await newPerson(platform)
  organization = await createOrganization(session, 'Acme')
  const made = await session.call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  const token = String(made.body['token'])
  owner = personWith(platform.url, token)
  terminal = await openTerminal(platform.url, token)
  folder = terminal.folder
})
afterAll(() => terminal.close())

const run: Terminal['run'] = (...typed) => terminal.run(...typed)
const runs: Terminal['runs'] = (...typed) => terminal.runs(...typed)

const databaseUrl = async () => {
  const { body } = await owner.call('GET', `/platform/projects/${ref}`)
  return `postgresql://postgres:granite-seven-under-water@127.0.0.1:${String(body['db_port'])}/postgres`
}

const step = story(
  'the public command line client, from a token to the deletion of a project',
  hasCommandLine,
)

step('a token that is none gets nowhere', async () => {
  const stranger = await run('projects list', [], `sbp_${'0'.repeat(40)}`)
  expect(stranger.code).not.toBe(0)
  expect(stranger.all).toMatch(/401|unauthorized|Sign in/i)
})

step('a project is made, found and linked', async () => {
  expect(await runs('orgs list')).toContain(organization)
  const beyond = 'projects create Nowhere --region eu-central-1 --org-id nowhere --yes'
  const refused = await run(beyond, ['--db-password', 'granite-seven-under-water'])
  expect(refused.code).not.toBe(0)
  expect(refused.all).toContain('This organization does not exist')
  await runs(`projects create Books --region eu-central-1 --org-id ${organization} --yes`, [
    '--db-password',
    'granite-seven-under-water',
  ])
  const [project] = JSON.parse(await runs('projects list -o json')) as Record<string, unknown>[]
  expect(project).toMatchObject({ name: 'Books', region: 'eu-central-1' })
  ref = String(project?.['id'])
  const status = async () => (await owner.call('GET', `/v1/projects/${ref}`)).body['status']
  await expect.poll(status).toBe('ACTIVE_HEALTHY')
  expect(await runs(`projects api-keys --remote=${ref}`)).toMatch(/anon[^\n]*\n[^\n]*service_role/)
  await runs('init')
  await runs(`link --project-ref ${ref}`)
})

step('a migration is written, pushed and seen in the types', async () => {
  await runs('migration new books')
  const files = join(folder, 'supabase/migrations')
  const [file = ''] = await readdir(files)
  await writeFile(join(files, file), 'create table public.books (id int primary key, title text);')
  await runs(`db push --remote=${await databaseUrl()} --yes`)
  expect(await runs(`migration list --remote=${await databaseUrl()}`)).toContain(file.slice(0, 14))
  const migrations = await owner.call('GET', `/v1/projects/${ref}/database/migrations`)
  expect(Object.values(migrations.body)).toMatchObject([{ name: 'books' }])
  const types = await runs(`gen types typescript --remote=${ref}`)
  expect(types).toMatch(/books: \{\s+Row: \{\s+id: number\s+title: string \| null/)
})

step('SQL runs, secrets are kept, settings are told', async () => {
  await runs(`db query --remote=${ref} --yes`, ["insert into books values (1, 'Dune')"])
  const rows = await runs(`db query --remote=${ref} --read-only`, ['select title from books'])
  expect(rows).toContain('Dune')
  await runs(`secrets set API_KEY=hush OTHER=1 --remote=${ref} --yes`)
  const secrets = await runs(`secrets list --remote=${ref}`)
  expect(secrets).toContain('API_KEY')
  expect(secrets).not.toContain('hush')
  await runs(`secrets unset OTHER --remote=${ref} --yes`)
  expect(await runs(`secrets list --remote=${ref}`)).not.toContain('OTHER')
  expect(await runs(`ssl-enforcement get --remote=${ref} --experimental`)).toContain('NOT')
  const id = randomUUID()
  const content = { schema_version: '1.0', content_id: id, sql: 'select 42' }
  const snippet = { id, name: 'Answers', type: 'sql', content }
  const saved = await owner.call('PUT', `/platform/projects/${ref}/content`, snippet)
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  expect(await runs(`snippets list --remote=${ref}`)).toContain('Answers')
})

step('whose token it is, parameters of the database, findings, and what there is not', async () => {
  expect(await runs('whoami')).toContain('@example.com')
  const config = (command: string) =>
    runs(`postgres-config ${command} --remote=${ref} --experimental --yes`)
  await config('update --config work_mem=8MB --config statement_timeout=55s')
  await config('update --config max_parallel_workers=3')
  expect(await config('get')).toMatch(
    /max_parallel_workers.*3[^]*statement_timeout.*55s[^]*work_mem.*8MB/,
  )
  await config('delete --config work_mem,statement_timeout')
  const left = await config('get')
  expect(left).toContain('max_parallel_workers')
  expect(left).not.toMatch(/work_mem|statement_timeout/)
  const networks = (command: string) =>
    runs(`network-restrictions ${command} --remote=${ref} --experimental --yes`)
  await networks('update --db-allow-cidr 127.0.0.0/8')
  await networks('update --db-allow-cidr 203.0.113.0/24 --append')
  expect(await networks('get')).toMatch(/127\.0\.0\.0\/8[^]*203\.0\.113\.0\/24/)
  await networks('update --db-allow-cidr 0.0.0.0/0 --db-allow-cidr ::/0')
  await runs(`network-bans get --remote=${ref} --experimental`)
  await runs(`vanity-subdomains get --remote=${ref} --experimental`)
  expect(await runs(`db advisors --remote=${ref}`)).toContain('"facing": "EXTERNAL"')
  for (const [command, what] of [
    ['domains get', 'There is no custom hostname configuration'],
    ['encryption get-root-key --experimental', 'This installation has no root key'],
  ]) {
    const { code, all } = await run(`${command} --remote=${ref} --yes`)
    expect(code, command).not.toBe(0)
    expect(all).toContain(what)
  }
})

step('branches are made, looked at and deleted', async () => {
  const branches = (command: string) => runs(`branches ${command} --remote=${ref} --yes`)
  await branches('create next')
  const isReady = async () => {
    const { body } = await owner.call('GET', `/v1/projects/${ref}/branches/next`)
    return body['status']
  }
  await expect.poll(isReady, { timeout: 60_000 }).toBe('FUNCTIONS_DEPLOYED')
  expect(await branches('list')).toMatch(/next/)
  expect(await branches('get next')).toMatch(/ACTIVE_HEALTHY/)
  await branches('update next --name other')
  await branches('delete other')
  const left = async () =>
    Object.values((await owner.call('GET', `/v1/projects/${ref}/branches`)).body)
  await expect.poll(left).toEqual([])
})

step('settings as one file are compared with the project', async () => {
  const file = await readFile(join(folder, 'supabase/config.toml'), 'utf8')
  const difference = async () => (await run(`config diff --remote=${ref}`)).all
  expect(await difference()).toContain('site_url')
  const site_url = /^site_url = "(.*)"/m.exec(file)?.[1]
  const { status } = await owner.call('PATCH', `/v1/projects/${ref}/config/auth`, { site_url })
  expect(status).toBe(200)
  expect(await difference()).not.toContain('site_url')
})

step('settings of the file are pushed, but for what there is not here', async () => {
  const push = () => run(`config push --remote=${ref} --yes`)
  const refused = await push()
  expect(refused.code).not.toBe(0)
  expect(refused.all).toContain(
    'This installation has no vector buckets. In config.toml, set enabled = false in [storage.vector]',
  )
  const config = join(folder, 'supabase/config.toml')
  const file = await readFile(config, 'utf8')
  await writeFile(
    config,
    file
      .replace('[storage.vector]\nenabled = true', '[storage.vector]\nenabled = false')
      .replace(
        'password_requirements = ""',
        'password_requirements = "lower_upper_letters_digits_symbols"',
      ),
  )
  const pushed = await push()
  expect(pushed.code, pushed.all).toBe(0)
  const auth = await owner.call('GET', `/v1/projects/${ref}/config/auth`)
  expect(auth.body).toMatchObject({ site_url: 'http://127.0.0.1:3000', sms_autoconfirm: true })
  expect(auth.body['password_required_characters']).toContain('0123456789:!@#')
})

step('migrations are taken back, all and the last; the services go on', async () => {
  await runs(`db query --remote=${ref} --yes`, [
    'create schema drafts; create table drafts.notes (id int)',
  ])
  const url = await databaseUrl()
  await runs(`db reset --remote=${url} --yes`)
  const schemas = [
    "select nspname from pg_namespace where nspname in ('auth', 'storage', 'drafts') order by 1",
  ]
  expect(await runs(`db query --remote=${ref} --read-only`, schemas)).toMatch(/auth[^]*storage/)
  expect(await runs(`db query --remote=${ref} --read-only`, schemas)).not.toContain('drafts')
  expect(
    await runs(`db query --remote=${ref} --read-only`, ['select count(*) from books']),
  ).toContain('0')
  const { endpoint } = (await owner.call('GET', `/platform/projects/${ref}`)).body
  const keys = Object.values(
    (await owner.call('GET', `/v1/projects/${ref}/api-keys?reveal=true`)).body,
  )
  const { api_key: apikey } =
    (keys as { name: string; api_key: string }[]).find(({ name }) => name === 'service_role') ?? {}
  for (const [path, body] of [
    ['auth/v1/admin/users', { email: 'reader@example.com', password: 'Correct horse 1!' }],
    ['storage/v1/bucket', { name: 'covers' }],
    ['rest/v1/books', { id: 2, title: 'Emma' }],
  ] as const) {
    const answer = await fetch(`${String(endpoint)}/${path}`, {
      method: 'POST',
      headers: {
        apikey: String(apikey),
        authorization: `Bearer ${String(apikey)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    expect([path, answer.ok, answer.ok ? '' : await answer.text()]).toEqual([path, true, ''])
  }
  await runs('migration new shelves')
  const [, file = ''] = (await readdir(join(folder, 'supabase/migrations'))).toSorted()
  await writeFile(
    join(folder, 'supabase/migrations', file),
    'create table shelves (id int primary key);',
  )
  await runs(`db push --remote=${url} --yes`)
  await runs(`migration down --remote=${url} --yes`)
  const tables = [
    "select string_agg(relname, ' ' order by relname) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  ]
  const kept = await runs(`db query --remote=${ref} --read-only`, tables)
  expect(kept).toContain('books')
  expect(kept).not.toContain('shelves')
})

step('a function is written, deployed, called, fetched and deleted', async () => {
  await runs('functions new hello --auth none')
  const source = join(folder, 'supabase/functions/hello')
  const write = (answer: string) =>
    writeFile(
      join(source, 'index.ts'),
      `import { greeting } from '../_shared/greeting.ts'
const terms = await Deno.readTextFile(new URL('./terms.txt', import.meta.url))
Deno.serve(() => new Response([greeting, '${answer}', terms].join(' ')))`,
    )
  await mkdir(join(folder, 'supabase/functions/_shared'))
  await writeFile(
    join(folder, 'supabase/functions/_shared/greeting.ts'),
    "export const greeting: string = 'Hello'",
  )
  await writeFile(join(source, 'terms.txt'), 'fair')
  const config = join(folder, 'supabase/config.toml')
  const commented = /# (static_files = \[ ".*)html" \]/
  await writeFile(config, (await readFile(config, 'utf8')).replace(commented, '$1txt" ]'))
  await write('first')
  await runs(`functions deploy hello --use-api --remote=${ref} --yes`)
  expect(await runs(`functions list --remote=${ref}`)).toContain('hello')
  const { body } = await owner.call('GET', `/platform/projects/${ref}`)
  const call = async () => (await fetch(`${String(body['endpoint'])}/functions/v1/hello`)).text()
  expect(await call()).toBe('Hello first fair')
  await write('second')
  await runs(`functions deploy hello --use-api --remote=${ref} --yes`)
  await expect.poll(call).toBe('Hello second fair')
  await rm(source, { recursive: true })
  await runs(`functions download hello --use-api --remote=${ref}`)
  expect(await readFile(join(source, 'index.ts'), 'utf8')).toContain("'second'")
  await runs(`functions delete hello --remote=${ref} --yes`)
  expect(await runs(`functions list --remote=${ref}`)).not.toContain('hello')
})

step('a project is deleted', async () => {
  await runs(`projects delete ${ref} --yes`)
  const list = async () => JSON.parse(await runs('projects list -o json')) as unknown[]
  await expect.poll(list).toEqual([])
})
