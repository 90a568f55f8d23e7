import { createHash } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import { beforeAll, expect } from 'vitest'
import { databasePassword, type Project } from '../testing/client.ts'
import { fillSource } from '../testing/import-source.ts'
import {
  files,
  jwtSecret,
  openImportWorld,
  resultOf,
  service,
  sessionless,
  signedIn,
  visitor,
  visitorAs,
  type ImportWorld,
} from '../testing/import-world.ts'
import { password } from '../testing/people.ts'
import { story } from '../testing/story.ts'

/** A project of ours plays the project that is left, through nothing but the protocols that every such project speaks. */
let world: ImportWorld
let source: Project
let target: Project
let third: Project
let sql: ImportWorld['sql']
let plinth: ImportWorld['plinth']

beforeAll(async () => {
  world = await openImportWorld()
  ;({ source, target, third, sql, plinth } = world)
})

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

const step = story('a project comes over, with its rows, users, files, functions and keys')

step('the source is in use', () => fillSource(world))

/** Everything of a project that could have been changed. */
const summaryOf = (project: Project) =>
  sql(
    project,
    `select (select count(*)::int from pg_class where oid >= 16384) as classes, (select count(*)::int from auth.users) as users,
    (select count(*)::int from storage.objects) as objects, to_regnamespace('plinth_import') is null as "untouched"`,
  )

step('what cannot be imported is refused in a line, and nothing is changed', async () => {
  const before = await summaryOf(target)
  const url = world.databaseOf(source)
  const wrong = url.replace(/:[^:@/]*@/, ':wrong@')
  const other = `${source.serviceKey.slice(0, -6)}abcdef`
  const refusals: [args: string[], code: number, said: string][] = [
    [[], 2, 'say where to import from'],
    [['--from-db-url', 'nonsense'], 2, 'not a connection string'],
    [['--from-db-url', wrong], 1, 'the source refuses the password of postgres'],
    [
      ['--from-db-url', url.replace(/:\d+\//, ':9/')],
      1,
      'the source cannot be reached at 127.0.0.1:9',
    ],
    [['--from-db-url', url.replace(/postgres$/, 'moon')], 1, 'the source has no database moon'],
    [['--from-db-url', world.databaseOf(target)], 1, 'the source is the project itself'],
    [
      ['--from-db-url', url, '--db-password', 'wrong'],
      1,
      `the database of ${target.ref} refuses the password`,
    ],
    [['--from-db-url', url, '--schemas', 'public,moon'], 1, 'the source has no schema "moon"'],
    [['--from-db-url', url, '--only', 'storage'], 2, 'storage needs --from-url'],
    [['--from-url', source.endpoint], 2, '--from-service-key'],
    [
      ['--from-url', source.endpoint, '--from-service-key', other],
      1,
      '--from-service-key is refused',
    ],
    [
      ['--from-url', target.endpoint, '--from-service-key', target.serviceKey],
      1,
      'the source is the project itself',
    ],
    [[...world.fromServices(), '--from-jwt-secret', 'short'], 2, '32 to 512 bytes'],
    [world.fromManagement('sbp_no'), 1, '--from-access-token is refused'],
    [
      ['--from-url', 'http://127.0.0.1:9', '--from-service-key', 'x'],
      1,
      'nothing answers at http://127.0.0.1:9',
    ],
  ]
  for (const [args, code, said] of refusals) {
    const told = await plinth([target.ref, ...args])
    expect(told, args.join(' ')).toMatchObject({ code, out: '' })
    expect(told.err.trim().split('\n')).toHaveLength(1)
    expect(told.err).toContain(said)
    expect(told.err).not.toContain(encodeURIComponent(databasePassword))
  }
  expect(await summaryOf(target)).toEqual(before)
})

step('a rehearsal counts what there is, and changes nothing', async () => {
  const before = await summaryOf(target)
  const told = await plinth([...world.fromAll(), '--dry-run'])
  expect(told, told.err).toMatchObject({ code: 0 })
  expect(told.out).toMatch(/^ {2}user: 3$/m)
  expect(told.out).toMatch(new RegExp(`^  object: ${files.length + 1}$`, 'm'))
  expect(told.out).toMatch(/^ {2}edge function: 1$/m)
  expect(told.out).toContain('reporting')
  expect(await summaryOf(target)).toEqual(before)
})

step(
  'it is killed in its rows, behind a bucket, in its files, goes on, and tells what it has left out',
  async () => {
    expect(await world.killedAt(world.fromAll(), /^data: "app"\."events_rest", 500 rows/)).toBe(
      'SIGKILL',
    )
    const [rows] = await sql<{ count: number }>(target, 'select count(*)::int from app.events_rest')
    expect(rows?.count).toBeGreaterThanOrEqual(500)
    expect(rows?.count).toBeLessThan(4000)
    expect(await world.killedAt(world.fromAll(), 'import.bucket:made')).toBe('SIGKILL')
    expect(await world.killedAt(world.fromAll(), /^storage: avatars, \d/)).toBe('SIGKILL')
    const told = await plinth([...world.fromAll(), '--json'])
    expect(told, told.err).toMatchObject({ code: 3 })
    const result = resultOf(told)
    expect(result.left_out).toEqual([
      {
        part: 'schema',
        kind: 'role',
        name: 'reporting',
        reason: expect.stringContaining('roles stay'),
      },
      {
        part: 'secrets',
        kind: 'secret',
        name: 'GREETING',
        reason: expect.stringContaining('set it here'),
      },
      {
        part: 'keys',
        kind: 'signing secret',
        name: 'legacy keys',
        reason: expect.stringContaining('another secret'),
      },
    ])
    const count = (kind: string) => result.counts.find((one) => one.kind === kind)
    expect(count('user')).toMatchObject({ found: 3, before: 3 })
    expect(count('object')).toMatchObject({ found: files.length + 1 })
    expect(count('edge function')).toMatchObject({ found: 1, imported: 1 })
    expect(count('signing secret')).toMatchObject({ found: 1, imported: 1 })
  },
)

step('a second run changes nothing', async () => {
  const marks = `select (select max(xmin::text::bigint) from storage.objects) as objects, (select max(xmin::text::bigint) from auth.users) as users,
    (select max(xmin::text::bigint) from app.events_rest) as rows, (select count(*)::int from plinth_import.done) as done`
  const before = await sql(target, marks)
  const result = resultOf(await plinth([...world.fromAll(), '--json']))
  expect(result.counts.filter(({ imported }) => imported > 0)).toEqual([])
  expect(result.left_out).toHaveLength(3)
  expect(await sql(target, marks)).toEqual(before)
  const text = await plinth(world.fromAll())
  expect(text).toMatchObject({ code: 3 })
  expect(text.out).toContain('schema, role: roles stay where they are')
})

const tables = [
  '(select version, name, statements from supabase_migrations.schema_migrations)',
  'public.authors',
  'public.books',
  'app.events',
  'app.every_type',
  'auth.identities',
]

step('rows are the same, and people sign in with the passwords that they had', async () => {
  for (const table of tables) {
    const text = `select md5(string_agg(t::text, '' order by t::text)) as sum, count(*)::int from ${table} t`
    expect(await sql(target, text), table).toEqual(await sql(source, text))
  }
  const { data, error } = await signedIn(target, 'ada')
  expect(error).toBeNull()
  expect(data.user?.user_metadata).toMatchObject({ name: 'ada' })
  const wrong = await visitor(target).auth.signInWithPassword({
    email: 'ada@shop.test',
    password: `eve${password}`,
  })
  expect(wrong.error?.code).toBe('invalid_credentials')
  const banned = await signedIn(target, 'bob')
  expect(banned.error?.code).toBe('user_banned')
  // The policy of the source decides: a person sees the author that a trigger made for them.
  const client = visitorAs(target, data.session?.access_token)
  expect((await client.from('authors').select('name, owner')).data).toEqual([
    { name: 'ada', owner: data.user?.id },
  ])
  // Nobody has granted it there either.
  expect((await client.from('books').select('code')).error?.code).toBe('42501')
})

step(
  'files are the same, with what was said of them, and still belong to whom they did',
  async () => {
    const bucket = service(target).storage.from('avatars')
    for (const [name, bytes] of files) {
      const { data, error } = await bucket.download(name)
      expect(error, name).toBeNull()
      expect(md5(new Uint8Array((await data?.arrayBuffer()) ?? new ArrayBuffer(1)))).toBe(
        md5(bytes),
      )
    }
    const columns = `id, name, owner_id, metadata - 'lastModified' as metadata, user_metadata, created_at, updated_at`
    const rows = `select ${columns} from storage.objects order by name collate "C"`
    expect(await sql(target, rows)).toEqual(await sql(source, rows))
    const buckets =
      'select id, name, public, file_size_limit, allowed_mime_types, created_at from storage.buckets order by id'
    expect(await sql(target, buckets)).toEqual(await sql(source, buckets))
    const { data } = await signedIn(target, 'ada')
    const own = visitorAs(target, data.session?.access_token).storage.from('avatars')
    expect((await own.list(data.user?.id)).data?.map(({ name }) => name)).toEqual(['own.txt'])
    expect((await own.list('many')).data).toEqual([])
  },
)

const signed = (claims: object) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(jwtSecret))

step('the function answers, and keys and sessions of the source go on opening', async () => {
  const answer = await fetch(`${target.endpoint}/functions/v1/hello`)
  expect(await answer.text()).toBe('hello ')
  const [eve] = await sql<{ id: string }>(
    source,
    `select id from auth.users where email = 'eve@shop.test'`,
  )
  const session = await signed({ role: 'authenticated', aud: 'authenticated', sub: eve?.id })
  const key = await signed({ role: 'anon', iss: 'supabase', ref: source.ref })
  const old = createClient(target.endpoint, key, {
    ...sessionless,
    global: { headers: { authorization: `Bearer ${session}` } },
  })
  expect((await old.from('authors').select('name')).data).toEqual([{ name: 'eve' }])
})

step('without its database: users without passwords, and files by the API', async () => {
  const told = await plinth([third.ref, ...world.fromServices(), '--json'])
  const result = resultOf(told)
  expect(told.code).toBe(3)
  expect(result.left_out.map(({ part, kind }) => `${part} ${kind}`)).toEqual([
    'auth password',
    'keys signing secret',
  ])
  expect(result.next.join('\n')).toContain('schema was not imported: that takes --from-db-url')
  const users = `select id, email, phone, raw_user_meta_data, email_confirmed_at is not null as confirmed, banned_until is not null as banned, created_at from auth.users order by id`
  expect(await sql(third, users)).toEqual(await sql(source, users))
  expect(
    await sql(third, 'select count(*)::int from auth.users where encrypted_password is not null'),
  ).toEqual([{ count: 0 }])
  const identities =
    'select id, user_id, provider, provider_id, identity_data from auth.identities order by id'
  expect(await sql(third, identities)).toEqual(await sql(source, identities))
  const objects = `select name, metadata ->> 'eTag' as tag, metadata ->> 'cacheControl' as cache, user_metadata from storage.objects order by name collate "C"`
  expect(await sql(third, objects)).toEqual(await sql(source, objects))
  const again = resultOf(await plinth([third.ref, ...world.fromServices(), '--json']))
  expect(again.counts.filter(({ imported }) => imported > 0)).toEqual([])
})

step('what is there already stays, and is not added to without a word', async () => {
  const refused = await plinth([third.ref, ...world.fromDatabase()])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('has an import from')
  await sql(
    third,
    `drop schema plinth_import cascade; create table public.authors (mine int); insert into public.authors values (7)`,
  )
  const full = await plinth([third.ref, ...world.fromDatabase()])
  expect(full.err).toContain(
    'is not empty (1 tables, views and sequences, 3 users, 2 buckets): add --yes',
  )
  const told = resultOf(await plinth([third.ref, ...world.fromDatabase(), '--yes', '--json']))
  expect(await sql(third, 'select * from public.authors')).toEqual([{ mine: 7 }])
  const reasons = told.left_out.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`)
  expect(reasons).toContain('table public.authors: relation "authors" already exists')
  expect(reasons).toContain(
    `rows "public"."authors": its table has rows already, which are kept as they are`,
  )
})
