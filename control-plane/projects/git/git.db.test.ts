import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git, GitDeployment } from '#contract/projects/git'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { branchBench } from '../../testing/branches.ts'
import { startGitHost, type GitHost } from '../../testing/git-host.ts'
import { startWorld, type World } from '../../testing/world.ts'

const token = 'what the host wants to see'
let world: World
let host: GitHost
let folder: string
let path: string
let secret: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-git-'))
  await chmod(folder, 0o711)
  host = await startGitHost(token)
  const fetch = createSafeFetch({ allowLoopback: true, largestBytes: 1024 * 1024 })
  world = await startWorld('', { fetch }, {}, folder)
  path = `/platform/projects/${world.ref}/git`
})
afterAll(async () => {
  await world.end()
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

const source = () => ({ archive_url: host.archiveUrl, token })
const put = (body: object, by = world.ada) => by.call('PUT', path, body)
const deployments = async () =>
  GitDeployment.array().parse(
    (await world.ada.call('GET', `${path}/deployments`)).body['deployments'],
  )
const ended = async (id: unknown): Promise<GitDeployment> => {
  let found: GitDeployment | undefined
  await expect
    .poll(async () => {
      found = (await deployments()).find((one) => one.id === id)
      return found?.finished_at ?? null
    })
    .not.toBeNull()
  if (!found) throw new Error('There is no such deployment')
  return found
}
const hook = (said: { body: string; headers: object }, ref = world.ref) =>
  fetch(`${world.controlUrl}/platform/git/${ref}/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...said.headers },
    body: said.body,
  })
async function pushed(branch: string, commit: string, by = secret) {
  const answer = await hook(host.push(by, branch, commit))
  expect(answer.status).toBe(200)
  return git.hook.returns.parse(await answer.json())
}
const tables = async (ref = world.ref) => branchBench(world).tables(ref)

const books = {
  'readme.md': 'Books',
  'supabase/migrations/20260101000000_books.sql':
    'create table books (id int primary key);\ncreate table notes (id int);',
}
const hello = (text: string) => ({
  'supabase/functions/hello/index.ts': `import { said } from '../_shared/said.ts'
Deno.serve(() => new Response(said('${text}')))`,
  'supabase/functions/_shared/said.ts': 'export const said = (text: string) => `${text}!`',
})

describe('before it is set up', () => {
  test.each([
    { archive_url: 'https://git.example/a.tar.gz' },
    { archive_url: 'ftp://git.example/{commit}' },
    { archive_url: 'https://{commit}.git.example/a' },
    { archive_url: 'https://me:secret@git.example/{commit}' },
    { archive_url: 'https://git.example/{commit}', folder: '../x' },
    { archive_url: 'https://git.example/{commit}', folder: '/supabase/' },
    { archive_url: 'https://git.example/{commit}', production_branch: '' },
    {},
  ])('%j is refused', async (body) => {
    expect((await put(body)).status).toBe(400)
  })

  test('only who may change the project sets it up, and nobody else knows of it', async () => {
    expect((await put(source(), world.as('Read-only'))).status).toBe(403)
    expect((await put(source(), world.stranger)).status).toBe(404)
    expect((await world.ada.call('DELETE', path)).status).toBe(404)
    expect((await world.ada.call('POST', `${path}/secret`)).status).toBe(404)
    const asked = { git_branch: 'main', commit: 'a'.repeat(40) }
    expect((await world.ada.call('POST', `${path}/deployments`, asked)).status).toBe(404)
    expect((await hook(host.push('a guess', 'main', 'a'.repeat(40)))).status).toBe(401)
  })
})

test('the secret of the webhook is shown once, the token never', async () => {
  const first = await put(source())
  secret = git.set.returns.parse(first.body).secret ?? ''
  expect(secret).toMatch(/^[0-9a-f]{48}$/)
  const second = git.set.returns.parse((await put(source())).body)
  expect(second).toMatchObject({ secret: null, source: { has_token: true, folder: 'supabase' } })
  const shown = (await world.ada.call('GET', path)).body
  expect(shown['hook_url']).toContain(`/platform/git/${world.ref}/hook`)
  const kept = await world.control.db.selectFrom('platform.git_sources').selectAll().execute()
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .selectAll()
    .where('action', 'like', 'git.%')
    .execute()
  expect(entries.length).toBeGreaterThan(1)
  for (const text of [JSON.stringify(shown), JSON.stringify(kept), JSON.stringify(entries)]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain(secret)
  }
})

test('a token goes to the server that it was given for, and to no other', async () => {
  const elsewhere = await put({ archive_url: 'https://git.example/{commit}' })
  expect(git.set.returns.parse(elsewhere.body).source.has_token).toBe(false)
  const back = await put({ archive_url: host.archiveUrl })
  expect(git.set.returns.parse(back.body).source.has_token).toBe(false)
  await put(source())
})

test('what is not signed is refused, whatever it says and whoever it names', async () => {
  const said = host.push(secret, 'main', host.commit(books))
  const forged = [
    { ...said, headers: {} },
    { ...said, headers: { 'x-hub-signature-256': 'sha256=00' } },
    { ...said, body: said.body.replace('main', 'mean') },
    host.push('another', 'main', 'a'.repeat(40)),
    { body: '{', headers: {} },
  ]
  for (const one of forged) expect([400, 401]).toContain((await hook(one)).status)
  expect((await hook(said, 'thereisnosuchproject')).status).toBe(401)
  expect((await hook(said, "'; drop")).status).toBe(401)
  expect(await deployments()).toEqual([])
})

test('a push to the production branch brings migrations and functions to the project', async () => {
  const commit = host.commit({
    ...books,
    ...hello('Hello'),
    'supabase/seed.sql': 'insert into books values (1)',
    'supabase/config.toml': `project_id = "books"
[auth]
site_url = "https://books.example"
jwt_expiry = 1200
[auth.email]
otp_length = 99
[api]
schemas = ["public", "shop"]
[functions.hello]
verify_jwt = true`,
  })
  const { id } = await pushed('main', commit)
  const done = await ended(id)
  expect(done).toMatchObject({ status: 'done', failure: null, target_branch: null, commit })
  expect(done.log).toEqual([
    expect.stringMatching(/^Not used: config.toml: auth.email.otp_length cannot be set so: /),
    'Not used: config.toml: project_id',
    'Not used: config.toml [auth]: site_url',
    'Migration 20260101000000_books was applied',
    'Not used: seed.sql: it is run on branches only',
    'Auth: JWT_EXP set from config.toml',
    'Not used: config.toml: Data API db_schema: db_schema: there is no schema "shop"',
    'Function hello was deployed',
  ])
  expect(await tables()).toEqual(['books', 'notes'])
  expect(await branchBench(world).sqlOf(world.ref, 'select id from books')).toEqual([])
  const { project } = world
  const called = () =>
    fetch(`${project.url}/functions/v1/hello`, {
      headers: { authorization: `Bearer ${project.anonKey}` },
    }).then((answer) => answer.text())
  await expect.poll(called).toBe('Hello!')

  const next = host.commit({
    ...books,
    ...hello('Hi'),
    'supabase/migrations/20260102000000_more.sql': 'alter table books add title text',
    'supabase/config.toml': `[auth]
jwt_expiry = 1800
[api]
max_rows = 50
[functions.hello]
verify_jwt = false`,
  })
  const second = await ended((await pushed('main', next)).id)
  expect(second.log).toEqual([
    'Migration 20260102000000_more was applied',
    'Auth: JWT_EXP set from config.toml',
    'Data API: max_rows set from config.toml',
    'Function hello was deployed',
  ])
  await expect.poll(called).toBe('Hi!')
  const auth = await world.ada.call('GET', `/platform/auth/${world.ref}/config`)
  expect(auth.body).toMatchObject({ JWT_EXP: 1800, SITE_URL: 'http://localhost:3000' })
  const functions = await world.ada.call('GET', `/v1/projects/${world.ref}/functions`)
  expect(Object.values(functions.body)).toMatchObject([{ slug: 'hello', verify_jwt: false }])
  const told = await world.control.db
    .selectFrom('platform.audit_entries')
    .select('actor_email')
    .where('action', '=', 'authConfig.update')
    .execute()
  expect(told).toEqual([{ actor_email: 'ada@example.com' }, { actor_email: 'ada@example.com' }])
})

test('what a host says twice is done once', async () => {
  const commit = host.commit(books)
  const said = host.push(secret, 'main', commit)
  const first = git.hook.returns.parse(await (await hook(said)).json())
  expect((await ended(first.id)).log).toEqual([])
  const count = (await deployments()).length
  expect(git.hook.returns.parse(await (await hook(said)).json()).id).toBeNull()
  expect(await deployments()).toHaveLength(count)
})

test('a branch gets what its branch of git has, and other branches lead to nothing', async () => {
  const bench = branchBench(world)
  const made = await bench.make('feature')
  const renamed = await world.ada.call('PATCH', `${bench.path}/${made.id}`, {
    git_branch: 'feat/titles',
  })
  expect(renamed.status).toBe(200)
  const commit = host.commit({
    ...books,
    'supabase/migrations/20260103000000_titles.sql': 'create table titles (id int)',
    'supabase/seed.sql': `insert into titles values (1);\ninsert into titles values (2);`,
    'supabase/config.toml': '[auth]\njwt_expiry = 900',
  })
  const done = await ended((await pushed('feat/titles', commit)).id)
  expect(done).toMatchObject({
    status: 'done',
    target_branch: 'feature',
    target_ref: made.project_ref,
  })
  expect(await tables(made.project_ref)).toContain('titles')
  expect(await tables()).not.toContain('titles')
  expect(done.log).toContain('seed.sql was run')
  const rows = () => bench.sqlOf(made.project_ref, 'select id from titles order by 1')
  expect(await rows()).toEqual([{ id: 1 }, { id: 2 }])
  const authOf = async (of: string) =>
    (await world.ada.call('GET', `/platform/auth/${of}/config`)).body['JWT_EXP']
  expect([await authOf(made.project_ref), await authOf(world.ref)]).toEqual([900, 1800])
  // Rows come once, whatever is deployed afterwards.
  const again = host.commit({ ...books, 'supabase/seed.sql': 'insert into titles values (3)' })
  expect((await ended((await pushed('feat/titles', again)).id)).log).toEqual([])
  expect(await rows()).toHaveLength(2)
  expect((await pushed('somewhere', commit)).id).toBeNull()
  const asked = { git_branch: 'somewhere', commit }
  expect((await world.ada.call('POST', `${path}/deployments`, asked)).status).toBe(400)
  const at = `/platform/projects/${made.project_ref}/git`
  expect((await world.ada.call('PUT', at, source())).status).toBe(400)
  expect((await world.ada.call('POST', `${at}/deployments`, asked)).status).toBe(400)
})

test('a migration that fails ends the deployment, and what came before it stays', async () => {
  const commit = host.commit({
    ...books,
    'supabase/migrations/20260104000000_good.sql': 'create table good (id int)',
    'supabase/migrations/20260105000000_bad.sql': 'create table bad (id nonsense)',
    'supabase/migrations/20260106000000_later.sql': 'create table later (id int)',
    ...hello('Never'),
  })
  const answer = await world.ada.call('POST', `${path}/deployments`, { git_branch: 'main', commit })
  expect(answer.status).toBe(202)
  const failed = await ended(answer.body['id'])
  expect(failed.status).toBe('failed')
  expect(failed.failure).toMatch(/^Migration 20260105000000_bad: .*nonsense/)
  expect(await tables()).toContain('good')
  expect(await tables()).not.toContain('later')
})

test('rows that fail are not there at all, and come with the next commit that has them right', async () => {
  const bench = branchBench(world)
  const made = await bench.make('rows')
  await world.ada.call('PATCH', `${bench.path}/${made.id}`, { git_branch: 'rows' })
  const seeded = (sql: string) => host.commit({ ...books, 'supabase/seed.sql': sql })
  const failed = await ended(
    (await pushed('rows', seeded('insert into notes values (1); insert into nowhere values (1)')))
      .id,
  )
  expect(failed.failure).toBe('seed.sql: relation "nowhere" does not exist')
  const ending = await ended((await pushed('rows', seeded('begin; select 1; commit'))).id)
  expect(ending.failure).toBe('seed.sql: It cannot begin or end transactions')
  const rows = () => bench.sqlOf(made.project_ref, 'select id from notes')
  expect(await rows()).toEqual([])
  const done = await ended((await pushed('rows', seeded('insert into notes values (7)'))).id)
  expect(done).toMatchObject({ status: 'done', log: ['seed.sql was run'] })
  expect(await rows()).toEqual([{ id: 7 }])
})

/** A migration that is not over as long as the database has a table `held`. */
const whileHeld = `do $$ begin while exists (select from pg_class where relname = 'held') loop perform pg_sleep(0.02); end loop; end $$`

test('what a commit goes to is merged, updated and reset when it is over', async () => {
  const bench = branchBench(world)
  const made = await bench.make('slow')
  await world.ada.call('PATCH', `${bench.path}/${made.id}`, { git_branch: 'slow' })
  const migration = { 'supabase/migrations/20260107000000_slow.sql': whileHeld }
  const begun = async (id: unknown) =>
    (await deployments()).find((one) => one.id === id)?.status ?? 'none'
  const ordered = async (deed: string) => {
    const { status, body } = await world.ada.call('POST', `/v1/branches/${made.id}/${deed}`, {})
    return [status, body['code'], body['message']]
  }
  const busy = [409, 'branch_busy', 'A commit is being deployed. Try again when it is over']

  await bench.sqlOf(made.project_ref, 'create table held ()')
  const toBranch = (await pushed('slow', host.commit({ ...books, ...migration }))).id
  await expect.poll(() => begun(toBranch)).toBe('running')
  for (const deed of ['merge', 'push', 'reset']) expect(await ordered(deed), deed).toEqual(busy)
  await bench.sqlOf(made.project_ref, 'drop table held')
  expect(await ended(toBranch)).toMatchObject({ status: 'done' })

  await bench.sqlOf(world.ref, 'create table held ()')
  const toMain = (await pushed('main', host.commit({ ...books, ...migration }))).id
  await expect.poll(() => begun(toMain)).toBe('running')
  expect(await ordered('merge')).toEqual(busy)
  await bench.sqlOf(world.ref, 'drop table held')
  expect(await ended(toMain)).toMatchObject({ status: 'done' })
})

test('while a branch is merged no other one is, and a commit for main waits', async () => {
  const bench = branchBench(world)
  const [first, second] = [await bench.make('first'), await bench.make('second')]
  const later = () => world.ada.call('POST', `/v1/branches/${second.id}/merge`, {})
  await bench.sqlOf(world.ref, 'create table held ()')
  await bench.change(first.project_ref, 'waits', whileHeld)
  const merge = await world.ada.call('POST', `/v1/branches/${first.id}/merge`, {})
  expect(merge.status, JSON.stringify(merge.body)).toBe(201)
  expect(await later()).toMatchObject({
    status: 409,
    body: { message: 'Another branch is being merged. Try again when it is over' },
  })
  const { id } = await pushed(
    'main',
    host.commit({ ...books, 'supabase/migrations/20260108000000_after.sql': 'select 1' }),
  )
  // What is asked now has been given its turn to begin.
  await bench.sqlOf(world.ref, 'select pg_sleep(0.3)')
  expect((await deployments()).find((one) => one.id === id)?.status).toBe('waiting')
  await bench.sqlOf(world.ref, 'drop table held')
  expect((await bench.atRest(first.id)).failure).toBeNull()
  expect(await ended(id)).toMatchObject({ status: 'done' })
  expect((await world.ada.call('POST', `/v1/branches/${second.id}/push`, {})).status).toBe(201)
  expect((await bench.atRest(second.id)).failure).toBeNull()
  expect((await later()).status).toBe(201)
  expect((await bench.atRest(second.id)).failure).toBeNull()
})

test.each([
  ['a commit that the host does not have', () => 'f'.repeat(40), /answered 404/],
  ['one without the folder', () => host.commit({ 'readme.md': '' }), /no folder supabase/],
  [
    'a function that does not start',
    () => host.commit({ 'supabase/functions/broken/index.ts': 'import nothing from' }),
    /^Function broken: The function does not start/,
  ],
])('%s is said', async (_, commit, reason) => {
  const { id } = await pushed('main', commit())
  expect((await ended(id)).failure).toMatch(reason)
})

test('who has left does nothing here any more', async () => {
  const administrator = world.as('Administrator')
  expect((await put(source(), administrator)).status).toBe(200)
  await world.control.db
    .deleteFrom('platform.members')
    .where('user_id', '=', administrator.userId)
    .execute()
  const { id } = await pushed('main', host.commit(books))
  expect((await ended(id)).failure).toMatch(/may not change this project any more/)
  expect((await put(source())).status).toBe(200)
})

test('a new secret takes the place of the former one, and without a source nobody is heard', async () => {
  const { body } = await world.ada.call('POST', `${path}/secret`)
  const now = git.newSecret.returns.parse(body).secret
  const commit = host.commit({ ...books, 'supabase/seed.sql': '' })
  expect((await hook(host.push(secret, 'main', commit))).status).toBe(401)
  expect((await pushed('main', commit, now)).id).not.toBeNull()
  expect((await world.ada.call('DELETE', path)).status).toBe(200)
  expect((await hook(host.push(now, 'main', commit))).status).toBe(401)
  expect((await world.ada.call('GET', path)).body['source']).toBeNull()
})
