import { exec, execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startWorld, type World } from '#control-plane/testing/world'
import { freePort } from '#kit/testing/free-port'
import { withClient } from '#kit/postgres/client'
import { root } from '#kit/root'
import { exampleLines } from './manage-example.ts'
import { manage } from './manage-run.ts'

let world: World
let environment: Record<string, string>

beforeAll(async () => {
  world = await startWorld('create table books (id int primary key)', {
    listenPorts: { choice: { low: 1024, high: 65_535 }, own: [] },
  })
  const made = await world.ada.call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  environment = {
    PLINTH_URL: world.controlUrl,
    PLINTH_ACCESS_TOKEN: String(made.body['token']),
    PLINTH_HOME: world.control.home,
  }
})
afterAll(() => world.end())

/** What was shown in the person's browser. */
const shown: string[] = []

async function run(words: string, more: string[] = [], env = environment) {
  const out: string[] = []
  const complaints: string[] = []
  const code = await manage([...words.split(' '), ...more], {
    environment: env,
    say: (line) => out.push(line),
    complain: (line) => complaints.push(line),
    browse: (url) => shown.push(url),
  })
  return { code, out: out.join('\n'), complaints: complaints.join('\n') }
}

test.each([
  ['moon', 2, 'unknown command "moon"; see plinth help'],
  ['project lst', 2, 'did you mean "projects list"?'],
  ['projects list --moon', 2, "Unknown option '--moon'; see plinth help"],
  ['projects list --jsn', 2, 'did you mean --json?'],
  ['projects list more', 2, 'projects list does not take "more"'],
  ['projects list --port 3', 2, 'projects list does not take --port'],
  ['keys aaaaaaaaaaaaaaaaaaaa --lines 3', 2, 'keys does not take --lines'],
  ['orgs create', 2, 'missing NAME'],
  ['projects list --url nowhere', 2, 'is not a URL'],
  ['keys', 2, 'missing REF'],
  ['keys ../secrets', 2, 'is not a project ref'],
  ['logs ../secrets', 2, 'is not a project ref'],
  ['projects listen aaaaaaaaaaaaaaaaaaaa', 2, '--port N'],
  ['projects listen aaaaaaaaaaaaaaaaaaaa --port many', 2, '"many" is not a port'],
  ['projects failover', 2, 'missing REF'],
  ['projects failover aaaaaaaaaaaaaaaaaaaa ABCDE', 2, 'is not the identifier of a read replica'],
  ['projects failover aaaaaaaaaaaaaaaaaaaa', 1, 'This project does not exist'],
  ['projects create Films --org acme --port 80', 1, 'belong to the system'],
  ['projects list --as ada@example.com', 2, 'remove the access token'],
  ['projects create Films --org nowhere --region eu-central-1', 1, 'organization does not exist'],
  ['projects create Films --org acme --region moon', 1, 'region'],
  ['projects create Films --org acme --region eu-central-1 --jwt-secret short', 1, 'private_jwk'],
  ['projects create Films --org acme --region eu-central-1 --signing-key /no.jwk', 1, '/no.jwk'],
  ['projects create Films --org acme --region eu-central-1 --new-tables open', 1, 'new_tables'],
  ['projects create Films --example book', 2, 'there is no example "book"; did you mean books?'],
  ['projects create Films --example moon', 2, 'the examples are books and todo'],
  ['claim', 2, 'give the email address'],
  ['claim ada', 2, 'give the email address'],
  ['claim ada@example.com', 2, 'remove --url, --token and --as'],
  ['open ../secrets', 2, 'is not a project ref'],
  ['open aaaaaaaaaaaaaaaaaaaa', 1, 'This project does not exist'],
  ['keys aaaaaaaaaaaaaaaaaaaa', 1, 'This project does not exist'],
  ['logs aaaaaaaaaaaaaaaaaaaa', 1, 'This project does not exist'],
  ['logs aaaaaaaaaaaaaaaaaaaa --server-file', 1, 'does not exist'],
  ['projects list --url http://127.0.0.1:9', 1, 'nothing answers at http://127.0.0.1:9'],
  ['projects list --token nonsense', 1, 'Sign in'],
])('plinth %s ends with %i', async (words, code, complaint) => {
  const refused = await run(words)
  expect(refused).toMatchObject({ code, out: '' })
  expect(refused.complaints).toContain(complaint)
})

test('without a token it says how to give one, and helps', async () => {
  const none = await run(`projects list --url ${world.controlUrl}`, [], {})
  expect(none).toMatchObject({ code: 2 })
  expect(none.complaints).toContain('PLINTH_ACCESS_TOKEN')
  // Nothing has opened the local socket of this home.
  const { PLINTH_HOME = '' } = environment
  const nobody = await run('projects list', [], { PLINTH_HOME })
  expect(nobody).toMatchObject({ code: 1, out: '' })
  expect(nobody.complaints).toContain(`no platform is running on ${PLINTH_HOME}`)
  expect((await run('--help', [], {})).out).toContain('plinth projects create')
})

test('each command has help of its own', async () => {
  const one = (await run('projects create --help', [], {})).out
  expect(one).toContain('[--new-tables private|granted]')
  expect(one).not.toContain('plinth keys')
  expect((await run('projects --help', [], {})).out).toContain('plinth projects pause REF')
})

test('a project is opened in the browser', async () => {
  const address = `${world.controlUrl}/project/${world.ref}`
  expect(await run(`open ${world.ref}`)).toMatchObject({ code: 0, out: address })
  expect(shown).toEqual([address])
  expect((await run('open --json')).out).toContain(`"url": "${world.controlUrl}/"`)
})

test('organizations are listed and created', async () => {
  const made = await run('orgs create', ['Second one'])
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^second-one/) })
  expect((await run('orgs list')).out).toContain(`${made.out}  Second one`)
})

test('what there is of a project', async () => {
  const { ref } = world
  expect((await run('projects list')).out).toBe(`${ref}  ACTIVE_HEALTHY  Books`)
  expect((await run(`keys ${ref}`)).out).toMatch(/^anon {2}ey.*\nservice_role {2}ey\S{4}·+$/m)
  const asData = JSON.parse((await run(`keys ${ref} --json`)).out) as Record<string, string>[]
  expect(asData.find(({ name }) => name === 'service_role')?.['api_key']).toMatch(/^ey\S{4}·+$/)
  expect((await run(`keys ${ref} --reveal`)).out).toMatch(/^service_role {2}ey[\w.-]+$/m)
  expect((await run(`keys ${ref}`)).out).toMatch(/^publishable default {2}sb_publishable_\S+$/m)
  expect((await run(`keys ${ref}`)).out).toMatch(/^secret default {2}sb_secret_[\w-]+·+$/m)
  expect((await run(`keys ${ref} --reveal`)).out).toMatch(/^secret default {2}sb_secret_[\w-]+$/m)
  expect((await run(`types ${ref}`)).out).toContain('books: {')
  expect((await run(`logs ${ref} --server-file --lines 3`)).out).not.toBe('')
  expect((await run(`db url ${ref}`)).out).toMatch(/^postgresql:\/\/postgres:\[YOUR-PASSWORD\]@/)
})

test('a project has a port of its own from the beginning, then another, then none', async () => {
  const [first, second] = [await freePort(), await freePort()]
  const made = await run(`projects create Ports --org acme --port ${first} --json`)
  expect(made).toMatchObject({ complaints: '', code: 0 })
  const { ref, url, keys } = JSON.parse(made.out) as {
    ref: string
    url: string
    keys: Record<'anon' | 'service_role' | 'publishable' | 'secret', string>
  }
  expect(keys.publishable).toMatch(/^sb_publishable_/)
  expect(keys.secret).toMatch(/^sb_secret_[\w-]+$/)
  expect(url).toBe(`http://127.0.0.1:${first}`)
  const status = async (at: string) => {
    const answer = await fetch(`${at}/rest/v1/`, { headers: { apikey: keys.anon } })
    await answer.body?.cancel()
    return answer.status
  }
  expect(await status(url)).toBe(200)
  const moved = await run(`projects listen ${ref} --port ${second}`)
  expect(moved).toMatchObject({ code: 0, out: `http://127.0.0.1:${second}` })
  expect(await status(moved.out)).toBe(200)
  expect((await run(`projects listen ${ref} --port off`)).out).toBe(`${ref} has no port of its own`)
  await expect(status(moved.out)).rejects.toThrow('fetch failed')
})

test('a project is made with a secret of one’s own, used, paused, taken up and deleted', async () => {
  const secret = 'a secret that was in use before, somewhere else'
  const made = await run('projects create Films --org acme --region eu-central-1 --json', [
    '--jwt-secret',
    secret,
  ])
  expect(made).toMatchObject({ code: 0, complaints: '' })
  const films = JSON.parse(made.out) as Record<'ref' | 'url' | 'database_url', string> & {
    keys: { anon: string; service_role: string }
  }
  // A user who signed in where the project was before stays signed in.
  const token = await new SignJWT({ role: 'service_role' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
  const answer = await fetch(`${films.url}/rest/v1/`, {
    headers: { apikey: films.keys.anon, authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(200)
  await answer.body?.cancel()
  const row = await withClient({ connectionString: films.database_url }, (client) =>
    client.query('select current_user'),
  )
  expect(row.rows).toEqual([{ current_user: 'postgres' }])
  const status = async () =>
    (await world.ada.call('GET', `/v1/projects/${films.ref}`)).body['status']
  for (const [order, then] of [
    ['pause', 'INACTIVE'],
    ['restore', 'ACTIVE_HEALTHY'],
    ['delete', undefined],
  ] as const) {
    expect(await run(`projects ${order} ${films.ref}`)).toMatchObject({ code: 0 })
    await expect.poll(status).toBe(then)
  }
})

test('a project is made with the tables of an example, and its code runs as it is printed', async () => {
  const words = 'projects create Library --org acme --region eu-central-1 --example books'
  const made = await run(words, ['--json'])
  expect(made).toMatchObject({ code: 0, complaints: '' })
  const { url, keys, example } = JSON.parse(made.out) as {
    url: string
    keys: { publishable: string }
    example: { sample: string; run: string[] }
  }
  const printed = exampleLines({ example: 'books', ...example }).join('\n')
  expect(printed).toContain(`createClient('${url}', '${keys.publishable}'`)
  // In the checkout, where the libraries are that a newcomer installs.
  await mkdir(join(root, 'test-output'), { recursive: true })
  const folder = await mkdtemp(join(root, 'test-output/example-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'books.mjs'), example.sample)
  const asPrinted = await promisify(execFile)(process.execPath, ['books.mjs'], { cwd: folder })
  expect(asPrinted.stdout).toContain('1993 Parable of the Sower')
  const asShown = await promisify(exec)(example.run.join('\n'), { cwd: root })
  expect(asShown.stdout.match(/Parable of the Sower/g)).toHaveLength(2)
})
