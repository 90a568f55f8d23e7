import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect } from 'vitest'
import { api } from '#contract/api'
import { runsAsRoot } from '#kit/postgres/os-user'
import { findProcess } from '#kit/postgres/processes'
import { preparePostgres } from '#kit/postgres/runtime'
import { Client, withClient } from '#kit/postgres/client'
import { bombs, climbs, settings, traps } from '../testing/attacks.ts'
import {
  createOrganization,
  createProject,
  databasePassword,
  reaches,
  type Account,
  type Project,
} from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newPerson } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { childOf, until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

const run = promisify(execFile)
let platform: Platform
let eve: Account
let ada: Account
let evil: Project
let victim: Project
let planes: (number | undefined)[]

beforeAll(async () => {
  // The neighbour is asked as fast as it answers, which is faster than one person may.
  platform = await ownPlatform({ environment: { PLINTH_RATE_LIMIT: '1000000' } })
  eve = await newPerson(platform, 'eve')
  ada = await newPerson(platform)
  evil = await createProject(eve, await createOrganization(eve, 'Eve'), 'Evil')
  victim = await createProject(ada, await createOrganization(ada, 'Ada'), 'Books')
  await reaches(eve, evil.ref, ['ACTIVE_HEALTHY'])
  await reaches(ada, victim.ref, ['ACTIVE_HEALTHY'])
  planes = planesNow()
})

/** Where its server is now: while it is paused, a server of another platform may take its port. */
async function login() {
  const { body } = await eve.call('GET', `/platform/projects/${evil.ref}`)
  const port = Number(body['db_port'])
  return {
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: databasePassword,
    database: 'postgres',
  }
}

const planesNow = () =>
  ['control-plane.js', 'data-plane.js'].map((word) => childOf(platform.process.pid ?? 0, word))
const step = story('a tenant with SQL, from a fresh installation')

/** As the owner, from outside; what is refused is told. */
async function typed(statements: readonly string[]): Promise<string[]> {
  return withClient(await login(), async (client) => {
    const refused: string[] = []
    for (const text of statements) {
      const error = await client.query(text).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      if (error) refused.push(text)
      await client.query('rollback').catch(() => undefined)
      await client.query('reset role').catch(() => undefined)
    }
    return refused
  })
}
async function rowsOf<T>(text: string): Promise<T[]> {
  return withClient(await login(), async (client) => {
    await client.query('set search_path = pg_catalog')
    // What the statement answers with is for the caller to say.
    return (await client.query(text)).rows as T[]
  })
}
const asEve = (path: string, method: 'GET' | 'POST' = 'GET', body?: object) =>
  eve.call(method, path, body)

/** Nothing of the tenant has run as a superuser, and none is there that should not be. */
async function expectNoSuperuser(): Promise<void> {
  expect(await rowsOf('select rolname from pg_roles where rolsuper order by 1')).toEqual([
    { rolname: 'supabase_admin' },
  ])
  expect(await rowsOf('select distinct who from trap.ran where super')).toEqual([])
}

step('no statement makes its owner more than they are', async () => {
  expect(await typed(climbs)).toEqual(climbs)
})

step('traps are laid wherever an owner may lay them', async () => {
  await typed(traps)
  await typed(settings)
  // They do catch those who come as the owner.
  await rowsOf('select * from public.shown')
  expect(await rowsOf('select who from trap.ran where not super limit 1')).toEqual([
    { who: 'postgres as postgres' },
  ])
  await expectNoSuperuser()
})

/** Every endpoint of the platform that looks at a project, as its owner. */
const looks = Object.values(api)
  .flatMap((feature) => Object.values(feature))
  .filter(
    ({ method, path }) =>
      method === 'GET' && /^\/(?:platform|v1)\/[^:]*\/:ref(?:\/[^:]*)?$/.test(path),
  )
  .map(({ path }) => path)

step('everything that the platform does with the database falls into none of them', async () => {
  expect(looks.length).toBeGreaterThan(40)
  for (const path of looks) {
    const { status } = await asEve(path.replace(':ref', evil.ref))
    expect(status, path).not.toBe(500)
  }
  const headers = { apikey: evil.serviceKey, authorization: `Bearer ${evil.serviceKey}` }
  const ask = (path: string, body?: object) =>
    fetch(evil.endpoint + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).then(({ status }) => status)
  for (const [path, body] of [
    ['/rest/v1/guarded'],
    ['/rest/v1/shown'],
    ['/rest/v1/rpc/called', {}],
    ['/graphql/v1', { query: '{ __schema { types { name } } }' }],
    ['/auth/v1/signup', { email: 'mallory@example.com', password: 'Str0ng-enough!' }],
    ['/storage/v1/bucket', { name: 'own', public: true }],
    ['/realtime/v1/api/broadcast', { messages: [{ topic: 'a', event: 'b', payload: {} }] }],
  ] as const) {
    expect(await ask(path, body), path).toBeLessThan(600)
  }
  await asEve(`/platform/database/${evil.ref}/hook-enable`, 'POST')
  const made = await asEve(`/platform/database/${evil.ref}/backups`, 'POST')
  expect(made.status).toBeLessThan(300)
  await until(
    'the backup is read back',
    async () => {
      const { body } = await asEve(`/platform/database/${evil.ref}/backups`)
      // What the endpoint answers with, by its contract.
      const backups = body['backups'] as { status: string }[]
      return backups[0]?.status === 'COMPLETED' || backups[0]?.status === 'FAILED'
    },
    90_000,
  )
  await expectNoSuperuser()
  for (const word of ['restart', 'pause', 'restore']) {
    expect((await asEve(`/platform/projects/${evil.ref}/${word}`, 'POST')).status).toBeLessThan(300)
    await reaches(eve, evil.ref, [word === 'pause' ? 'INACTIVE' : 'ACTIVE_HEALTHY'])
  }
  await expectNoSuperuser()
})

step(
  'while it does its worst, the neighbour is answered and no program of the platform ends',
  async () => {
    const hung: Client[] = []
    const address = await login()
    for (let i = 0; i < 16; i++) {
      const client = new Client(address)
      await client.connect()
      // It runs until its server is stopped.
      void client
        .query('select count(*) from generate_series(1, 1000000000000)')
        .catch(() => undefined)
      hung.push(client)
    }
    atEnd(async () => {
      for (const client of hung) await client.end().catch(() => undefined)
    })
    const detail = await asEve(`/platform/projects/${evil.ref}`)
    const marker = { 'x-connection-encrypted': String(detail.body['connectionString']) }
    const thrown = bombs.map((query) =>
      eve
        .call('POST', `/platform/pg-meta/${evil.ref}/query`, { query }, marker)
        .then(({ status }) => status)
        .catch(() => 0),
    )
    const keys = `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`
    thrown.push(
      fetch(`${evil.endpoint}/rest/v1/guarded`, {
        method: 'POST',
        headers: { apikey: evil.anonKey, 'content-type': 'application/json' },
        body: keys,
      })
        .then(({ status }) => status)
        .catch(() => 0),
    )
    let over = false
    void Promise.all(thrown).then(() => (over = true))
    const headers = { apikey: victim.serviceKey, authorization: `Bearer ${victim.serviceKey}` }
    let asked = 0
    while (!over || asked < 30) {
      const answer = await fetch(`${victim.endpoint}/rest/v1/`, {
        headers,
        signal: AbortSignal.timeout(5000),
      })
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
      expect((await ada.call('GET', `/platform/projects/${victim.ref}`)).status).toBe(200)
      asked++
    }
    for (const status of await Promise.all(thrown)) expect(status).not.toBe(500)
    expect(planesNow()).toEqual(planes)
  },
)

step('no address of the platform gives anything of a neighbour', async () => {
  for (const path of looks) {
    const { status } = await asEve(path.replace(':ref', victim.ref))
    // Some want more than a ref, and say so before they look who asks.
    expect([400, 403, 404], path).toContain(status)
  }
  const headers = { apikey: evil.serviceKey, authorization: `Bearer ${evil.serviceKey}` }
  for (const service of ['rest/v1/', 'auth/v1/admin/users', 'storage/v1/bucket', 'graphql/v1']) {
    const { status } = await fetch(`${victim.endpoint}/${service}`, { headers })
    expect(status, service).toBe(401)
  }
})

step(
  'what has broken out touches nothing outside its folder, and ends with its project',
  async () => {
    const { clusters } = await preparePostgres(platform.home)
    const data = join(clusters, 'projects', evil.ref, 'data')
    const { uid } = await stat(data)
    const outside = await mkdtemp(join(tmpdir(), 'plinth-victim-'))
    atEnd(() => rm(outside, { recursive: true, force: true }))
    const file = join(outside, 'file')
    await writeFile(file, 'of somebody else', { mode: 0o600 })
    const ids = runsAsRoot() ? { uid, gid: uid } : {}
    const left = `/tmp/plinth-left-${evil.ref}`
    const script = `
    for name in postgresql.auto.conf.tmp postgresql.auto.conf.new pg_hba.conf pg_ident.conf standby.signal.new; do
      ln -sf ${file} ${data}/$name; done
    cat ${join(clusters, 'projects', victim.ref, 'data', 'PG_VERSION')} && echo in
    : >${left}; setsid sh -c 'trap "" HUP INT TERM; while :; do sleep 1; done' >/dev/null 2>&1 & echo pid $!`
    const { stdout } = await run('sh', ['-c', script], { ...ids, cwd: '/' }).catch(
      (error: unknown) => error as { stdout: string },
    )
    if (runsAsRoot()) expect(stdout).not.toContain('in\n')
    const pid = Number(/pid (\d+)/.exec(stdout)?.[1])
    expect(pid).toBeGreaterThan(0)
    for (const word of ['restart', 'pause']) {
      await asEve(`/platform/projects/${evil.ref}/${word}`, 'POST')
      await reaches(eve, evil.ref, [word === 'pause' ? 'INACTIVE' : 'ACTIVE_HEALTHY'])
    }
    await eve.call('DELETE', `/platform/projects/${evil.ref}`)
    await reaches(eve, evil.ref, ['404'])
    expect(await readFile(file, 'utf8')).toBe('of somebody else')
    const { mode, uid: owner } = await stat(file)
    expect([mode & 0o777, owner]).toEqual([0o600, process.getuid?.()])
    if (runsAsRoot()) {
      expect(await findProcess(pid)).toBeUndefined()
      await expect(stat(left)).rejects.toThrow('ENOENT')
      const { stdout: files } = await run('find', [
        '/tmp',
        '/var/tmp',
        platform.home,
        '-xdev',
        // Others come and go in these folders meanwhile.
        '-ignore_readdir_race',
        '-uid',
        String(uid),
      ])
      expect(files).toBe('')
    } else {
      process.kill(pid, 'SIGKILL')
      await rm(left, { force: true })
    }
  },
)
