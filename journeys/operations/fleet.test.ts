import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { root } from '#kit/root'
import { newTablesGranted } from '#kit/testing/new-tables'
import { rounds } from '#kit/testing/rounds'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import type { Person, Project } from '../testing/client.ts'
import type { Platform } from '../testing/platform.ts'
import { childrenOf, lives, until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { wrongsOf } from '../testing/world.ts'

/** How often a program is killed while everything is used: a few times, or 60. */
const kills = rounds(4, 60)
const size = { control: 2, data: 3 }

let platform: Platform
let ada: Person
let slug: string
let project: Project

beforeAll(async () => {
  platform = await ownPlatform({ fleet: size })
  ada = await signUp(platform.url, 'ada@example.com')
  slug = await createOrganization(ada, 'Acme')
  project = await createProject(ada, slug, 'Shop')
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
  await runSql(ada, project.ref, newTablesGranted)
  await runSql(
    ada,
    project.ref,
    `create table orders (id int primary key);
     insert into storage.buckets (id, name, public) values ('files', 'files', true)`,
  )
})

const programs = (word: string) => childrenOf(platform.process.pid ?? 0, word)
const client = () =>
  createClient(project.endpoint, project.serviceKey, {
    auth: { persistSession: false },
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never, heartbeatIntervalMs: 500 },
  })

test('runs as many programs as it is told, and all of them say that they are there', async () => {
  expect(programs('control-plane.js')).toHaveLength(size.control)
  expect(programs('data-plane.js')).toHaveLength(size.data)
  expect(programs('compute.js')).toHaveLength(1)
  for (const pid of programs('data-plane.js')) {
    // Nothing that opens every secret, or ends every server.
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    expect(environment).not.toMatch(/PLINTH_COMPUTE_TOKEN|PLINTH_MASTER_KEY/)
  }
})

/** How many of a kind say that they run, as the command tells whoever is on the machine. */
async function running(kind: string): Promise<number> {
  // It ends with 1 where an alert is open, about a disk perhaps.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'start/plinth.mjs'), 'health'],
    { cwd: root, env: { ...process.env, PLINTH_HOME: platform.home } },
  ).catch((error: { stdout: string }) => error)
  return (stdout.match(new RegExp(`^${kind} .* running `, 'gm')) ?? []).length
}

test('who is on the machine sees all of them running, without an account', async () => {
  expect(await running('control-plane')).toBe(size.control)
  expect(await running('data-plane')).toBe(size.data)
})

test('a service that is restarted is restarted in every data plane', async () => {
  const ask = () => client().from('orders').select()
  /** Connections that hear of changes of the schema: one for each data plane that has the project open. */
  const listening = async () =>
    (
      (await runSql(
        ada,
        project.ref,
        `select pid from pg_stat_activity where usename = 'authenticator' and query ilike 'listen%pgrst%'`,
      )) as { pid: number }[]
    ).map(({ pid }) => pid)
  const everybodyListens = () =>
    expect
      .poll(
        async () => {
          await Promise.all(Array.from({ length: 12 }, ask))
          return (await listening()).length
        },
        { timeout: 60_000 },
      )
      .toBe(size.data)
  await everybodyListens()
  const before = await listening()
  await ada.call('POST', `/platform/projects/${project.ref}/services/rest/restart`)
  await expect
    .poll(async () => (await listening()).filter((pid) => before.includes(pid)), {
      timeout: 60_000,
    })
    .toEqual([])
  expect((await ask()).error).toBeNull()
  await everybodyListens()
})

/** Does something again and again until the end; what fails may be repeated, what was acknowledged is kept. */
function load(work: (n: number) => Promise<{ error: unknown }>) {
  const acknowledged: number[] = []
  const failures: unknown[] = []
  let over = false
  async function run(): Promise<void> {
    for (let n = 1; !over; n += 1) {
      const { error } = await work(n)
      if (error) failures.push(error)
      else acknowledged.push(n)
      await delay(20)
    }
  }
  const running = run()
  return {
    acknowledged,
    failures: () => failures,
    async end() {
      over = true
      await running
    },
  }
}

/** What customers of the shop do all the time. */
const customers = (shop: ReturnType<typeof client>, first: number) => ({
  rows: load((n) => Promise.resolve(shop.from('orders').insert({ id: first + n }))),
  people: load((n) =>
    shop.auth.admin.createUser({ email: `buyer-${first + n}@example.com`, email_confirm: true }),
  ),
  files: load((n) => shop.storage.from('files').upload(`${first + n}.txt`, `file ${first + n}`)),
})

test(
  'restarted one after the other, as for a new version, they fail nobody',
  { timeout: 300_000 },
  async () => {
    const loads = customers(client(), 1_000_000)
    const kinds = { 'data-plane': size.data, 'control-plane': size.control }
    for (const [kind, count] of Object.entries(kinds)) {
      for (const pid of programs(`${kind}.js`)) {
        process.kill(pid, 'SIGTERM')
        await until(`${kind} ends`, () => !lives(pid))
        await until(`${kind} runs again`, async () => (await running(kind)) === count)
      }
    }
    await Promise.all(Object.values(loads).map(({ end }) => end()))
    for (const [name, { acknowledged, failures }] of Object.entries(loads)) {
      expect(failures(), name).toEqual([])
      expect(acknowledged.length, name).toBeGreaterThan(20)
    }
  },
)

test(
  `after ${kills} kills of any of its programs nothing that was acknowledged is lost, and nothing is there twice`,
  { timeout: 900_000 },
  async () => {
    const shop = client()
    const loads = customers(shop, 0)
    const heard = new Set<number>()
    const channel = shop.channel('news')
    channel.on('broadcast', { event: 'n' }, ({ payload }) => heard.add(Number(payload['n'])))
    channel.subscribe()

    const projects: Project[] = []
    for (let done = 0; done < kills; done += 1) {
      const words = ['control-plane.js', 'data-plane.js', 'control-plane.js', 'compute.js']
      const word = words[done % words.length] ?? ''
      // One that was killed before may just be coming back.
      await until(`one of ${word} runs`, () => programs(word).length > 0)
      if (done % 4 < 3 && projects.length < 8) {
        // Its answer may be lost with the program that had it; then it was not accepted.
        const accepted = await createProject(ada, slug, `Side ${done}`).catch(() => undefined)
        if (accepted) projects.push(accepted)
      }
      const before = Object.values(loads).map(({ acknowledged }) => acknowledged.length)
      const victims = programs(word)
      const pid = victims[randomInt(victims.length)]
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      await until(
        'everything goes on',
        () =>
          Object.values(loads).every(
            ({ acknowledged }, i) => acknowledged.length > (before[i] ?? 0) + 2,
          ),
        60_000,
      )
    }
    await Promise.all(Object.values(loads).map(({ end }) => end()))

    for (const { ref } of projects) await reaches(ada, ref, ['ACTIVE_HEALTHY'], 120_000)
    const sql = async (query: string) => (await runSql(ada, project.ref, query)) as { n: number }[]
    const stored = new Set((await sql('select id as n from orders')).map(({ n }) => n))
    expect(loads.rows.acknowledged.filter((n) => !stored.has(n))).toEqual([])
    const buyers = await sql(
      `select substring(email from 'buyer-([0-9]+)@')::int as n from auth.users`,
    )
    expect(new Set(buyers.map(({ n }) => n)).size).toBe(buyers.length)
    expect(loads.people.acknowledged.filter((n) => !buyers.some((row) => row.n === n))).toEqual([])
    for (const n of loads.files.acknowledged) {
      const { data } = await shop.storage.from('files').download(`${n}.txt`)
      expect(await data?.text(), `file ${n}`).toBe(`file ${n}`)
    }
    // Whoever is connected is back, also in another program than who sends.
    let sent = 0
    await until('a message arrives', async () => {
      sent += 1
      // Each request comes to the next data plane, and one of them has the subscriber.
      await shop.channel('elsewhere').httpSend('n', { n: sent })
      await client().channel('news').httpSend('n', { n: sent })
      await delay(100)
      return heard.size >= size.data
    })
    await shop.removeAllChannels()
    await until('jobs are over', async () => (await wrongsOf(platform)).length === 0, 60_000)
    expect(await wrongsOf(platform)).toEqual([])
  },
)

test('a limit holds for all data planes together', { timeout: 120_000 }, async () => {
  // The limit of an address, which is about other things, is out of the way.
  const set = await ada.call('PATCH', `/platform/auth/${project.ref}/config`, {
    RATE_LIMIT_TOKEN_REFRESH: 100_000,
  })
  expect(set.status).toBe(200)
  // Thirty wrong passwords in five minutes; each comes to another data plane.
  const most = 30
  let round = 0
  await until(
    'each knows of the others',
    async () => {
      round += 1
      const email = `nobody-${round}@example.com`
      let refused = 0
      for (let n = 0; n < most + size.data * 2; n += 1) {
        const { error } = await client().auth.signInWithPassword({ email, password: 'wrong' })
        if (error?.status === 429) refused += 1
      }
      return refused === size.data * 2
    },
    90_000,
  )
})

test('each data plane tells what went through any of them', async () => {
  const asked = size.data * 3
  const marker = String(2_000_000_000 + randomInt(100_000_000))
  for (let n = 0; n < asked; n += 1) await client().from('orders').select().eq('id', marker)
  const found = async () => {
    const hourMs = 3_600_000
    const { status, body } = await ada.call('POST', `/platform/projects/${project.ref}/logs/page`, {
      sources: ['edge_logs'],
      from: new Date(Date.now() - hourMs).toISOString(),
      to: new Date(Date.now() + hourMs).toISOString(),
      search: marker,
    })
    expect(status).toBe(200)
    return (body['events'] as unknown[]).length
  }
  // Each question comes to the next one.
  for (let n = 0; n < size.data; n += 1) await expect.poll(found).toBe(asked)
})

test('it ends in good order, with all programs that it has begun', async () => {
  const pids = ['control-plane.js', 'data-plane.js', 'compute.js'].flatMap(programs)
  expect(await platform.stop()).toBeLessThan(20_000)
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
