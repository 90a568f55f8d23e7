import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import { beforeAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import { quoteIdent } from '#contract/ddl/sql-text'
import { withClient } from '#kit/postgres/client'
import { root } from '#kit/root'
import { sampleRows, sampleSchema } from '#start/import/testing/sample'
import {
  createOrganization,
  databasePassword,
  reaches,
  type Account,
  type Project,
} from './testing/client.ts'
import { newPerson, password } from './testing/people.ts'
import type { Place } from './testing/platform.ts'
import { sharedPlatform } from './testing/shared-platform.ts'
import { story } from './testing/story.ts'
import { openProject } from './testing/workbench.ts'

/** A project of ours plays the project that is left, through nothing but the protocols that every such project speaks. */
let platform: Place
let owner: Account
let token: string
let source: Project
let target: Project
let third: Project
const urls = new Map<string, string>()

const jwtSecret = 'the secret that the tokens of the source are signed by'
const sessionless = {
  auth: { persistSession: false, autoRefreshToken: false },
  // The types of ws and of the DOM differ in parts that are not used here.
  realtime: { transport: WebSocket as never },
}
const service = (project: Project) =>
  createClient(project.endpoint, project.serviceKey, sessionless)
const visitor = (project: Project) => createClient(project.endpoint, project.anonKey, sessionless)

const databaseOf = (project: Project) => urls.get(project.ref) ?? ''
const sql = <T extends object>(project: Project, text: string) =>
  withClient(
    { connectionString: databaseOf(project) },
    async (client) => (await client.query<T>(text)).rows,
  )

beforeAll(async () => {
  platform = sharedPlatform()
  owner = await newPerson(platform)
  const slug = await createOrganization(owner, 'Acme')
  const made = await owner.call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  token = String(made.body['token'])
  source = await projectWithSecret(slug)
  target = await openProject(owner, slug, 'New place')
  third = await openProject(owner, slug, 'Third place')
  for (const project of [source, target, third]) {
    const { body } = await owner.call('GET', `/platform/projects/${project.ref}`)
    const login = `postgres:${encodeURIComponent(databasePassword)}`
    urls.set(project.ref, `postgresql://${login}@127.0.0.1:${String(body['db_port'])}/postgres`)
  }
})

/** The source knows what signs its tokens, as whoever owns a project elsewhere does. */
async function projectWithSecret(slug: string): Promise<Project> {
  const jwk = { kty: 'oct', alg: 'HS256', k: Buffer.from(jwtSecret).toString('base64url') }
  const made = await owner.call('POST', '/v1/projects', {
    name: 'Old place',
    organization_slug: slug,
    region: 'eu-central-1',
    db_pass: databasePassword,
    private_jwk: jwk,
  })
  const ref = String(made.body['ref'] ?? made.body['id'])
  await reaches(owner, ref, ['ACTIVE_HEALTHY'])
  const { body } = await owner.call('GET', `/platform/projects/${ref}`)
  const keys = await owner.call('GET', `/v1/projects/${ref}/api-keys?reveal=true`)
  const key = (name: string) =>
    String(
      Object.values(keys.body as Record<string, { name: string; api_key: string }>).find(
        (one) => one.name === name,
      )?.api_key,
    )
  return {
    ref,
    endpoint: String(body['endpoint']),
    anonKey: key('anon'),
    serviceKey: key('service_role'),
  }
}

type Told = { code: number | null; out: string; err: string }
type Result = {
  whole: boolean
  counts: { part: string; kind: string; found: number; imported: number; before: number }[]
  left_out: { part: string; kind: string; name: string; reason: string }[]
  next: string[]
}

const environment = () => ({
  PATH: process.env['PATH'],
  PLINTH_URL: platform.url,
  PLINTH_ACCESS_TOKEN: token,
  PLINTH_DB_PASSWORD: databasePassword,
  PLINTH_IMPORT_PART_ROWS: '500',
})
const program = join(root, 'start/plinth.mjs')

function plinth(args: string[], env: Record<string, string> = {}): Promise<Told> {
  return new Promise((resolve) => {
    const options = { env: { ...environment(), ...env }, maxBuffer: 2 ** 26 }
    execFile(process.execPath, [program, 'import', ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
}
const resultOf = ({ out, err }: Told): Result => {
  expect(out, err).not.toBe('')
  return JSON.parse(out) as Result
}

/** Kills the program as soon as it has said this. */
function killedAt(args: string[], said: RegExp): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [program, 'import', ...args], { env: environment() })
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (said.test(line)) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
}

const fromDatabase = () => ['--from-db-url', databaseOf(source)]
const fromServices = () => ['--from-url', source.endpoint, '--from-service-key', source.serviceKey]
const fromManagement = () => [
  '--from-api',
  platform.url,
  '--from-ref',
  source.ref,
  '--from-access-token',
  token,
]
const fromAll = () => [
  target.ref,
  ...fromDatabase(),
  ...fromServices(),
  ...fromManagement(),
  '--from-jwt-secret',
  jwtSecret,
]

const files: [name: string, bytes: Buffer, type: string][] = [
  ['plain.txt', Buffer.from('plain'), 'text/plain;charset=UTF-8'],
  ["odd/!_na'me (1) & =$@;,+ü.txt".replace('ü', '?'), Buffer.from('odd'), 'application/json'],
  ['odd/100 percent -- drop table.bin', Buffer.alloc(0), 'application/octet-stream'],
  ['deep/a/b/c/large.bin', randomBytes(3 * 2 ** 20), 'application/octet-stream'],
  ...Array.from({ length: 60 }, (_, at): [string, Buffer, string] => [
    `many/${at}.txt`,
    Buffer.from(`file ${at}`),
    'text/plain',
  ]),
]
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

const step = story('a project comes over, with its rows, users, files, functions and keys')

step('the source is in use', async () => {
  for (const statement of [...sampleSchema, ...sampleRows]) await sql(source, statement)
  await sql(
    source,
    `insert into app.events (at, what) select date '2024-03-01' + n % 300, repeat('x', n % 50) from generate_series(1, 4000) n`,
  )
  await sql(source, `create role reporting login password 'x'`)
  const admin = service(source)
  for (const name of ['ada', 'eve'])
    expect(
      (
        await admin.auth.admin.createUser({
          email: `${name}@shop.test`,
          password: `${name}${password}`,
          email_confirm: true,
          user_metadata: { name },
        })
      ).error,
    ).toBeNull()
  await admin.auth.admin.createUser({
    phone: '4915112345678',
    password: `bob${password}`,
    phone_confirm: true,
    ban_duration: '24h',
  })
  await admin.storage.createBucket('avatars', {
    public: true,
    fileSizeLimit: 5 * 2 ** 20,
    allowedMimeTypes: ['text/*', 'application/*'],
  })
  await admin.storage.createBucket('empty')
  for (const [name, bytes, contentType] of files) {
    const options = { contentType, cacheControl: '77', metadata: { said: `of ${name}` } }
    expect((await admin.storage.from('avatars').upload(name, bytes, options)).error).toBeNull()
  }
  const { data } = await signedIn(source, 'ada')
  const own = `${data.user?.id}/own.txt`
  expect(
    (
      await visitorAs(source, data.session?.access_token)
        .storage.from('avatars')
        .upload(own, 'mine')
    ).error,
  ).toBeNull()
  const deployed = await owner.call(
    'POST',
    `/v1/projects/${source.ref}/functions/deploy?slug=hello`,
    {
      metadata: { name: 'Hello', entrypoint_path: 'src/main.ts', verify_jwt: false },
      file: [
        [
          'src/main.ts',
          `import { word } from '../lib/word.ts'\nDeno.serve(() => new Response(word + (Deno.env.get('GREETING') ?? '')))`,
        ],
        ['lib/word.ts', `export const word = 'hello '`],
      ].map(([path, text = '']) => ({ path, content: Buffer.from(text).toString('base64') })),
    },
  )
  expect(deployed.status).toBe(201)
  await owner.call('POST', `/v1/projects/${source.ref}/secrets`, [
    { name: 'GREETING', value: 'world' },
  ])
})

const signedIn = (project: Project, name: string) =>
  visitor(project).auth.signInWithPassword({
    email: `${name}@shop.test`,
    password: `${name}${password}`,
  })
const visitorAs = (project: Project, session: string | undefined) =>
  createClient(project.endpoint, project.anonKey, {
    ...sessionless,
    global: { headers: { authorization: `Bearer ${session}` } },
  })

/** Everything of a project that could have been changed. */
const summaryOf = (project: Project) =>
  sql(
    project,
    `select (select count(*)::int from pg_class where oid >= 16384) as classes, (select count(*)::int from auth.users) as users,
    (select count(*)::int from storage.objects) as objects, to_regnamespace('plinth_import') is null as "untouched"`,
  )

step('what cannot be imported is refused in a line, and nothing is changed', async () => {
  const before = await summaryOf(target)
  const url = databaseOf(source)
  const wrong = url.replace(/:[^:@/]*@/, ':wrong@')
  const other = `${source.serviceKey.slice(0, -6)}abcdef`
  const refusals: [args: string[], code: number, said: string][] = [
    [[], 2, 'say where to import from'],
    [['--from-db-url', 'nonsense'], 2, 'no address of a database'],
    [['--from-db-url', wrong], 1, 'the source refuses the password of postgres'],
    [
      ['--from-db-url', url.replace(/:\d+\//, ':9/')],
      1,
      'the source cannot be reached at 127.0.0.1:9',
    ],
    [['--from-db-url', url.replace(/postgres$/, 'moon')], 1, 'the source has no database moon'],
    [['--from-db-url', databaseOf(target)], 1, 'the source is the project itself'],
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
    [[...fromServices(), '--from-jwt-secret', 'short'], 2, '32 to 512 bytes'],
    [
      ['--from-api', platform.url, '--from-ref', source.ref, '--from-access-token', 'sbp_no'],
      1,
      '--from-access-token is refused',
    ],
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
  const told = await plinth([...fromAll(), '--dry-run'])
  expect(told, told.err).toMatchObject({ code: 0 })
  expect(told.out).toMatch(/^ {2}user: 3$/m)
  expect(told.out).toMatch(new RegExp(`^  object: ${files.length + 1}$`, 'm'))
  expect(told.out).toMatch(/^ {2}edge function: 1$/m)
  expect(told.out).toContain('reporting')
  expect(await summaryOf(target)).toEqual(before)
})

step(
  'it is killed in its rows, in its files, goes on, and tells what it has left out',
  async () => {
    expect(await killedAt(fromAll(), /^data: "app"\."events_rest", 500 rows/)).toBe('SIGKILL')
    const [rows] = await sql<{ count: number }>(target, 'select count(*)::int from app.events_rest')
    expect(rows?.count).toBeGreaterThanOrEqual(500)
    expect(rows?.count).toBeLessThan(4000)
    expect(await killedAt(fromAll(), /^storage: avatars, \d/)).toBe('SIGKILL')
    const told = await plinth([...fromAll(), '--json'])
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
  const result = resultOf(await plinth([...fromAll(), '--json']))
  expect(result.counts.filter(({ imported }) => imported > 0)).toEqual([])
  expect(result.left_out).toHaveLength(3)
  expect(await sql(target, marks)).toEqual(before)
  const text = await plinth(fromAll())
  expect(text).toMatchObject({ code: 3 })
  expect(text.out).toContain('schema, role: roles stay where they are')
})

const tables = ['public.authors', 'public.books', 'app.events', 'app.every_type', 'auth.identities']

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
  const banned = await visitor(target).auth.signInWithPassword({
    phone: '4915112345678',
    password: `bob${password}`,
  })
  expect(banned.error?.code).toBe('user_banned')
  // The policy of the source decides: a person sees the author that a trigger made for them.
  const client = visitorAs(target, data.session?.access_token)
  expect((await client.from('authors').select('name, owner')).data).toEqual([
    { name: 'ada', owner: data.user?.id },
  ])
  expect((await client.from('books').select('code')).data).toEqual([])
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
  const { data } = await signedIn(source, 'eve')
  const key = await signed({ role: 'anon', iss: 'supabase', ref: source.ref })
  const old = createClient(target.endpoint, key, {
    ...sessionless,
    global: { headers: { authorization: `Bearer ${data.session?.access_token}` } },
  })
  expect((await old.from('authors').select('name')).data).toEqual([{ name: 'eve' }])
})

step('without its database: users without passwords, and files by the API', async () => {
  const told = await plinth([third.ref, ...fromServices(), '--json'])
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
  const again = resultOf(await plinth([third.ref, ...fromServices(), '--json']))
  expect(again.counts.filter(({ imported }) => imported > 0)).toEqual([])
})

step('what is there already stays, and is not added to without a word', async () => {
  const refused = await plinth([third.ref, ...fromDatabase()])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('has an import from')
  await sql(
    third,
    `drop schema plinth_import cascade; create table public.authors (mine int); insert into public.authors values (7)`,
  )
  const full = await plinth([third.ref, ...fromDatabase()])
  expect(full.err).toContain(
    'is not empty (1 tables, views and sequences, 3 users, 2 buckets): add --yes',
  )
  const told = resultOf(await plinth([third.ref, ...fromDatabase(), '--yes', '--json']))
  expect(await sql(third, 'select * from public.authors')).toEqual([{ mine: 7 }])
  const reasons = told.left_out.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`)
  expect(reasons).toContain('table public.authors: relation "authors" already exists')
  expect(reasons).toContain(
    `rows ${quoteIdent('public')}."authors": its table has rows already, which are kept as they are`,
  )
})
