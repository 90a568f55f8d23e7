import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { expect, test } from 'vitest'
import { allFaults, rounds } from '#kit/testing/rounds'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import type { Person, Project } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import type { Platform } from '../testing/platform.ts'
import { diskOfItsOwn } from '../testing/faults/power.ts'
import { childOf, until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

/** Rows that have to be acknowledged between two faults, and how many faults there are: 1,000,000 rows over 50 in a release. */
const faults = rounds(1, 50)
const rowsPerFault = allFaults ? 20_000 : 2000
const rowsPerCall = 200

const disk = diskOfItsOwn()
if (disk) atEnd(() => disk.remove())

let platform: Platform
let ada: Person

/** What was acknowledged to somebody, by project. */
type Kept = { project: Project; calls: Set<number>; doubted: Set<number>; files: string[] }

async function freshProject(slug: string, name: string): Promise<Kept> {
  const project = await createProject(ada, slug, name)
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
  await runSql(
    ada,
    project.ref,
    `create table kept (call int, n int, primary key (call, n));
     grant all on kept to service_role; notify pgrst, 'reload schema'`,
  )
  return { project, calls: new Set(), doubted: new Set(), files: [] }
}

const client = ({ project }: Kept) =>
  createClient(project.endpoint, project.serviceKey, {
    auth: { persistSession: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })

/** Writes until `enough` rows were acknowledged; what fails on the way may have been written all the same. */
async function write(kept: Kept, enough: number): Promise<void> {
  const wanted = kept.calls.size + Math.ceil(enough / rowsPerCall)
  await until(
    'the rows are written',
    async () => {
      const call = kept.calls.size + kept.doubted.size
      const rows = Array.from({ length: rowsPerCall }, (_, n) => ({ call, n }))
      const { error } = await client(kept).from('kept').insert(rows)
      if (error) kept.doubted.add(call)
      else kept.calls.add(call)
      return kept.calls.size >= wanted
    },
    120_000,
  )
}

async function upload(kept: Kept): Promise<void> {
  const name = `file-${kept.files.length}`
  const { error } = await client(kept).storage.from('kept').upload(name, name.repeat(10_000))
  expect(error).toBeNull()
  kept.files.push(name)
}

/** Each call is there with all of its rows, or is one that nobody was told of. */
async function expectKept(kept: Kept): Promise<void> {
  const found = (await runSql(
    ada,
    kept.project.ref,
    'select call, count(*)::int as rows from kept group by call order by call',
  )) as { call: number; rows: number }[]
  expect(found.filter(({ rows }) => rows !== rowsPerCall)).toEqual([])
  const there = new Set(found.map(({ call }) => call))
  expect([...kept.calls].filter((call) => !there.has(call))).toEqual([])
  for (const name of kept.files) {
    const { data, error } = await client(kept).storage.from('kept').download(name)
    expect(error).toBeNull()
    expect(await data?.text()).toBe(name.repeat(10_000))
  }
}

async function deploy(kept: Kept, n: number): Promise<void> {
  const { status } = await ada.call(
    'POST',
    `/platform/projects/${kept.project.ref}/functions/kept/versions`,
    {
      files: [{ path: 'index.ts', content: `Deno.serve(() => new Response('version ${n}'))` }],
      verify_jwt: false,
    },
  )
  expect(status).toBe(201)
}

/** The platform is there again, and signs in whoever it knew. */
const isBack = () =>
  until(
    'the platform answers',
    async () =>
      (await ada.call('GET', '/platform/organizations').catch(() => undefined))?.status === 200,
  )

const ends = {
  async power() {
    const { home, ports } = platform
    await disk?.cutPower()
    platform = await ownPlatform({ home, ports })
  },
  async platform() {
    const { home, ports } = platform
    platform.process.kill('SIGKILL')
    platform = await ownPlatform({ home, ports })
  },
  async 'data-plane'() {
    const pid = childOf(platform.process.pid ?? 0, 'data-plane.js')
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  },
}
const kinds = ['power', 'platform', 'power', 'data-plane'] as const

test.runIf(disk !== undefined)(
  `${faults} cuts of the power and kills: what was acknowledged is there`,
  async () => {
    platform = await ownPlatform({ home: disk?.home ?? '' })
    ada = await signUp(platform.url, 'ada@example.com')
    const slug = await createOrganization(ada, 'Acme')
    // The first start has made keys, a template and a server: they have to be there as well.
    await ends.power()
    await isBack()

    const shop = await freshProject(slug, 'Shop')
    expect((await client(shop).storage.createBucket('kept')).error).toBeNull()
    for (let fault = 0; fault < faults; fault++) {
      const kind = kinds[fault % kinds.length] ?? 'power'
      // Some are made, changed or ended right before: their files are the newest on the disk.
      const isFirst = fault % 10 === 0
      const fresh = isFirst ? await freshProject(slug, `Fresh ${fault}`) : undefined
      await write(shop, rowsPerFault)
      await upload(shop)
      await deploy(shop, fault)
      if (fresh) await write(fresh, rowsPerCall)
      let goesOn = true
      const writing = (async () => {
        while (goesOn) await write(shop, rowsPerCall).catch(() => undefined)
      })()
      // In the middle of whatever is being written then.
      await delay(randomInt(300))
      await ends[kind]()
      goesOn = false
      await writing
      await isBack()
      for (const kept of [shop, ...(fresh ? [fresh] : [])]) {
        await reaches(ada, kept.project.ref, ['ACTIVE_HEALTHY'])
        await until('its data API answers', async () => {
          const { error } = await client(kept).from('kept').select('n').limit(1)
          return error === null
        })
        await expectKept(kept)
      }
      const answer = await fetch(`${shop.project.endpoint}/functions/v1/kept`)
      expect(await answer.text()).toBe(`version ${fault}`)
      if (fresh) await ada.call('DELETE', `/platform/projects/${fresh.project.ref}`)
    }
    expect(shop.calls.size * rowsPerCall).toBeGreaterThanOrEqual(faults * rowsPerFault)
  },
  240_000 + faults * 40_000,
)
