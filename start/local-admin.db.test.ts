import { roleLookStore } from '#control-plane/operations/role-looks/store'
import { execFile } from 'node:child_process'
import { chmod, lstat, mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actAsHeader, localAdministrator } from '#contract/operations/local-admin'
import { newcomer } from '#control-plane/testing/people'
import { startWorld, type World } from '#control-plane/testing/world'
import { listenLocally, localSocket } from '#kit/network/local-socket'
import { manage } from './manage/manage-run.ts'

let world: World
let stop: () => Promise<void>
let home: string

beforeAll(async () => {
  world = await startWorld()
  home = world.control.home
  stop = await listenLocally(world.control.app, home)
})
afterAll(async () => {
  await stop()
  await world.end()
})

/** What was shown in the person's browser. */
const shown: string[] = []

async function run(words: string) {
  const out: string[] = []
  const complaints: string[] = []
  const code = await manage(words.split(' '), {
    environment: { PLINTH_HOME: home },
    say: (line) => out.push(line),
    complain: (line) => complaints.push(line),
    browse: (url) => shown.push(url),
  })
  return { code, out: out.join('\n'), complaints: complaints.join('\n') }
}

/** A request through the socket, as a program of this machine may send it. */
async function call(method: string, path: string, body?: object, more = {}) {
  const socketPath = await localSocket(home)
  const headers = { ...(body ? { 'content-type': 'application/json' } : {}), ...more }
  return new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (piece) => (text += String(piece)))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(text) as Record<string, unknown>,
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

test('over the network nobody is the local administrator, whatever they say', async () => {
  for (const value of [localAdministrator.email, 'ada@example.com']) {
    const headers = { [actAsHeader]: value, host: 'localhost', 'x-forwarded-for': 'local' }
    const answer = await fetch(`${world.controlUrl}/v1/projects`, { headers })
    expect(answer.status).toBe(401)
    await answer.body?.cancel()
  }
})

test('the socket is behind a door that only this user can open, and new at every start', async () => {
  const path = await localSocket(home)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await stop()
  // What a killed platform leaves, or somebody who was there before.
  await chmod(join(path, '..'), 0o777)
  await writeFile(path, 'left')
  stop = await listenLocally(world.control.app, home)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
  expect((await call('GET', '/v1/projects')).status).toBe(200)
})

test('a home whose path is too long for a socket has it elsewhere', async () => {
  const deep = join(home, 'a'.repeat(60), 'b'.repeat(60))
  await mkdir(deep, { recursive: true })
  const end = await listenLocally(world.control.app, deep)
  const path = await localSocket(deep)
  expect(path.length).toBeLessThan(100)
  expect((await lstat(join(deep, 'local-admin'))).isSymbolicLink()).toBe(true)
  expect((await stat(await realpath(join(deep, 'local-admin')))).mode & 0o777).toBe(0o700)
  await end()
  const endAgain = await listenLocally(world.control.app, deep)
  await expect(stat(path)).rejects.toThrow('ENOENT')
  await endAgain()
})

test.runIf(process.getuid?.() === 0)('another user of the machine gets nowhere', async () => {
  await chmod(home, 0o755)
  const script = `require('node:net').connect(process.argv[1]).on('error', (e) => console.log(e.code)).on('connect', () => process.exit())`
  const as = (uid: number) =>
    promisify(execFile)(process.execPath, ['-e', script, join(home, 'local-admin/socket')], {
      uid,
      cwd: '/',
    })
  expect((await as(65_534)).stdout).toBe('EACCES\n')
  expect((await as(0)).stdout).toBe('')
})

test('it may do what an access token of theirs may do, not more', async () => {
  const token = await call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  expect(token).toMatchObject({ status: 403, body: { code: 'session_required' } })
  expect((await call('GET', `/v1/projects/${world.ref}`)).status).toBe(404)
  expect((await call('GET', '/internal/flags')).status).toBe(401)
  const bad = { authorization: 'Bearer nonsense' }
  expect((await call('GET', '/v1/projects', undefined, bad)).status).toBe(401)
})

test('the operator says what becomes of what no row knows, as nobody else', async () => {
  const left = 'abandonedabandonedab'
  await world.control.compute.create({
    ref: left,
    passwords: { postgres: 'a', service: 'b', admin: 'c' },
    limits: { maxConnections: 20 },
  })
  await world.control.reconcile()
  expect(await run('orphans list')).toMatchObject({ code: 0, out: expect.stringContaining(left) })
  for (const words of ['orphans list', 'rounds', 'roles', `orphans remove ${left}`])
    expect((await run(`${words} --as ada@example.com`)).complaints).toContain('Sign in')
  expect(await run(`orphans adopt ${left}`)).toMatchObject({ code: 2 })
  expect(await run('orphans remove ../secrets')).toMatchObject({ code: 2 })
  expect(await run(`orphans remove ${left} x`)).toMatchObject({ code: 2 })
  expect(await run(`orphans adopt ${left} --org nowhere`)).toMatchObject({ code: 1 })
  expect(await run(`orphans adopt ${left} 1`)).toMatchObject({ code: 1 })
  expect(await run(`orphans remove ${left}`)).toMatchObject({ code: 0 })
  expect(await run('orphans list')).toMatchObject({ code: 0, out: '' })
  expect(await run('rounds')).toMatchObject({ code: 0, out: '' })
  expect(await run('roles')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^nothing was found in \d+ project/),
  })
  await roleLookStore(world.control.db).keep(world.ref, {
    findings: [{ found: '"eve" is superuser', repaired: true }],
  })
  const answer = await run('roles')
  expect(answer.out).toContain(world.ref)
  expect(answer.out).toContain('"eve" is superuser: revoked')
  expect(await run(`orphans objects ${left}`)).toMatchObject({ code: 1 })
})

test.each([
  ['projects list --as nobody@example.com', 1, 'No account has this address'],
  ['projects list --as nonsense', 1, 'No account has this address'],
  ['projects create --as eve@example.com', 2, '--org'],
])('plinth %s ends with %i', async (words, code, complaint) => {
  const refused = await run(words)
  expect(refused).toMatchObject({ code, out: '' })
  expect(refused.complaints).toContain(complaint)
})

test('as somebody of the platform: their projects, and the audit log tells who it was', async () => {
  expect((await run('projects list --as Ada@example.com')).out).toContain(`${world.ref}  `)
  const renamed = await call(
    'PATCH',
    `/v1/projects/${world.ref}`,
    { name: 'Paper' },
    {
      [actAsHeader]: 'ada@example.com',
    },
  )
  expect(renamed.status).toBe(200)
  expect(await lastEntry()).toMatchObject({
    actor_email: 'ada@example.com',
    ip: 'local',
    user_agent: expect.stringMatching(/^local administrator/),
  })
})

const lastEntry = () =>
  world.control.db
    .selectFrom('platform.audit_entries')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

test('who has nothing yet makes a project with one word, and more than Free has', async () => {
  expect(await run('projects list')).toEqual({ code: 0, out: '', complaints: '' })
  const made = await run('projects create --json')
  expect(made).toMatchObject({ code: 0, complaints: '' })
  const project = JSON.parse(made.out) as { ref: string; url: string; keys: { anon: string } }
  const answer = await fetch(`${project.url}/rest/v1/`, { headers: { apikey: project.keys.anon } })
  expect(answer.status).toBe(200)
  await answer.body?.cancel()
  expect(await lastEntry()).toMatchObject({
    actor_email: localAdministrator.email,
    actor_id: localAdministrator.userId,
    ip: 'local',
  })
  for (const name of ['Second', 'Third']) {
    const project = { name, organization_slug: 'local', db_pass: 'a', region: 'us-east-1' }
    expect((await call('POST', '/v1/projects', project)).status).toBe(201)
  }
  expect((await run('projects list')).out.split('\n')).toHaveLength(3)
})

test('what the command line has made is given to a person who has signed up, and nothing else is', async () => {
  await call('POST', '/v1/organizations', { name: 'Made here' })
  const slugs = (await run('orgs list')).out.split('\n').map((line) => line.split('  ')[0])
  const slug = slugs.find((one) => one?.startsWith('made-here')) ?? ''
  const zoe = await newcomer(world.control, 'zoe')
  expect((await run(`claim nobody@example.com --org ${slug}`)).complaints).toContain('sign up')
  expect((await run('claim zoe@example.com --org acme')).complaints).toContain(
    'The local administrator has no organization of this name',
  )
  expect((await run('claim zoe@example.com --org nowhere')).code).toBe(1)
  expect(await run(`claim zoe@example.com --org ${slug} --as ada@example.com`)).toMatchObject({
    code: 2,
  })
  for (const authorization of [`Bearer ${zoe.token}`, `Bearer ${world.ada.token}`]) {
    const path = `/internal/organizations/${slug}/claim`
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ email: 'zoe@example.com' })
    const answer = await fetch(`${world.controlUrl}${path}`, { method: 'POST', headers, body })
    expect(answer.status).toBe(401)
    await answer.body?.cancel()
  }
  // Twice is as good as once.
  for (const _ of [1, 2]) {
    expect(await run(`claim ZOE@example.com --org ${slug}`)).toMatchObject({
      code: 0,
      out: `zoe@example.com now owns Made here (${slug}) and its projects`,
    })
  }
  expect((await run('orgs list --as zoe@example.com')).out).toBe(`${slug}  Made here`)
  expect(await lastEntry()).toMatchObject({ action: 'claims.claim', ip: 'local' })
})

test('who claimed first runs the installation; the machine names and removes operators, nobody else', async () => {
  expect(await run('operators list')).toMatchObject({ code: 0, out: 'zoe@example.com' })
  for (const words of ['operators list', 'operators add ada@example.com', 'health'])
    expect(await run(`${words} --as ada@example.com`)).toMatchObject({ code: 2, out: '' })
  expect(await run('operators add nonsense')).toMatchObject({ code: 2 })
  expect((await run('operators add nobody@example.com')).complaints).toContain('sign up')
  expect(await run('operators add ADA@example.com')).toMatchObject({
    code: 0,
    out: 'ada@example.com is an operator of this installation',
  })
  expect((await run('operators list')).out).toBe('zoe@example.com\nada@example.com')
  expect((await run('operators remove zoe@example.com')).out).toContain('is no longer an operator')
  expect((await run('operators remove zoe@example.com')).out).toContain('was not an operator')
  expect((await run('operators list')).out).toBe('ada@example.com')
})

test('health in short, with 1 while an alert is open', async () => {
  await world.control.signOfLife()
  await world.control.evaluateAlerts()
  const well = await run('health')
  expect(well).toMatchObject({ code: 0, complaints: '' })
  expect(well.out).toMatch(/^control-plane {2}\S+ {2}running/)
  expect(well.out).toContain('unknown  Disk')
  await world.control.db
    .insertInto('platform.planes')
    .values({
      kind: 'data-plane',
      place: 'gone:8001',
      version: '1.0.0',
      started_at: new Date(0),
      heard_at: new Date(),
      ended_at: null,
      memory_bytes: 1,
      facts: '{}',
    })
    .execute()
  await world.control.db
    .updateTable('platform.projects')
    .set({ status: 'INIT_FAILED', status_since: new Date(Date.now() - 600_000) })
    .where('name', '=', 'Third')
    .execute()
  await world.control.evaluateAlerts()
  const ill = await run('health')
  expect(ill.code).toBe(1)
  expect(ill.out).toContain('ALERT  Project Third')
  expect(ill.out).toContain('data-plane  gone:8001')
  // As nobody else: what the socket gives without a name is not given to one who is named.
  const named = await call('GET', '/platform/operator/health', undefined, {
    [actAsHeader]: 'ada@example.com',
  })
  expect(named).toMatchObject({ status: 403, body: { code: 'session_required' } })
  expect((await call('GET', '/platform/operator/logs')).status).toBe(403)
})

test('the dashboard is opened where people reach it', async () => {
  const { code, out } = await run('open')
  expect({ code, out }).toEqual({ code: 0, out: shown.at(-1) })
  expect(new URL(out).pathname).toBe('/')
})
