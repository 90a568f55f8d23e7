import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { findRunning } from '#kit/postgres/server'
import type { DatabaseAddress } from '../../provider.ts'
import { admin, ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'
import { openCgroups } from './cgroups.ts'
import { openContainment } from './containment.ts'
import { boundsOf } from './size.ts'

/** A project of the smallest size whose owner takes all the memory that they can, and one beside it. */
const limits = { maxConnections: 30 }
const bounds = boundsOf(limits.maxConnections)
const greedy = testRef()
const neighbour = testRef()
let harness: LocalHarness
let at: Record<string, DatabaseAddress>

beforeAll(async () => {
  harness = await localHarness()
  const { provider } = harness
  await provider.prepare()
  const started = []
  for (const ref of [greedy, neighbour]) {
    await provider.create({ ...specOf(ref), limits })
    started.push([ref, await provider.start(ref)] as const)
  }
  at = Object.fromEntries(started)
})
afterAll(() => harness.close())

async function sql(ref: string, text: string): Promise<unknown> {
  const address = at[ref]
  if (!address) throw new Error(`${ref} does not run`)
  return ask(address, customer(ref), text)
}
async function asAdmin(ref: string, ...texts: string[]): Promise<unknown> {
  const address = at[ref]
  if (!address) throw new Error(`${ref} does not run`)
  return ask(address, admin(ref), ...texts)
}
const began = (ref: string) => sql(ref, 'select pg_postmaster_start_time()::text')
const serverOf = async (ref: string) => {
  const server = await findRunning(`${harness.folder(ref)}/data`)
  if (!server) throw new Error(`No server runs for ${ref}`)
  return server.pid
}
const read = (pid: number, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8')

test('every process of a server is in the group of its project, where the machine has groups', async () => {
  const groups = await openCgroups(harness.options.home)
  const server = await serverOf(greedy)
  const children = (await read(server, `task/${server}/children`)).trim().split(' ').map(Number)
  expect(children.length).toBeGreaterThan(3)
  for (const pid of [server, ...children]) {
    const lines = (await read(pid, 'cgroup')).split('\n')
    for (const controller of groups.controllers) {
      const line =
        lines.find((one) => one.includes(`:${controller}:`)) ??
        lines.find((one) => one.startsWith('0::'))
      expect(line, `${controller} of ${pid}`).toMatch(new RegExp(`/plinth-[0-9a-f]{12}/${greedy}$`))
    }
    expect(await read(pid, 'status')).toMatch(/^NoNewPrivs:\t1$/m)
    expect(await read(pid, 'limits')).toMatch(
      new RegExp(`^Max address space +${bounds.memoryOfOne} +${bounds.memoryOfOne} `, 'm'),
    )
  }
})

test('a server sees an own, mostly read-only view of files and its own processes, where the machine gives one', async () => {
  const { rungs } = await openContainment({
    home: harness.options.home,
    data: '/',
    log: silentLog,
  })
  const hasView = rungs.includes('a view of files and processes of its own')
  const server = await serverOf(greedy)
  const mounts = (await read(server, 'mounts')).split('\n').map((line) => line.split(' '))
  const last = (place: string) => mounts.findLast(([, where]) => where === place)?.[3] ?? ''
  expect(await realpath(`/proc/${server}/cwd`)).toBe(`${harness.folder(greedy)}/data`)
  if (!hasView) return
  expect(last('/')).toMatch(/^ro\b/)
  expect(last(`${harness.folder(greedy)}/data`)).toMatch(/^rw,nosuid,nodev,noexec/)
  expect(last('/tmp')).toMatch(/^rw,nosuid,nodev,noexec/)
  expect(last('/proc')).toContain('hidepid')
  const { uid } = await stat(`${harness.folder(greedy)}/data`)
  expect(await read(server, 'status')).toMatch(
    new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'),
  )
  expect(await read(server, 'status')).toMatch(/^Groups:\t *$/m)
  // By whoever has broken out of the server.
  const out = async (program: string) => {
    await asAdmin(greedy, `create table if not exists said (line text)`, 'truncate said')
    await asAdmin(greedy, `copy said from program '${program}'`)
    return asAdmin(greedy, `select coalesce(string_agg(line, ','), '') from said`)
  }
  const file = `/tmp/left-by-${greedy}`
  expect(await out(`touch ${file} && ls ${file}`)).toBe(file)
  expect(existsSync(file)).toBe(false)
  const neighbours = await serverOf(neighbour)
  expect(await out(`ls -d /proc/${neighbours} || echo none`)).toBe('none')
  expect(await out('touch /var/lib/x && echo written || echo none')).toBe('none')
  const own = `${harness.folder(greedy)}/data/own`
  expect(await out(`cp /bin/true ${own}; chmod 755 ${own}; ${own} && echo ran || echo none`)).toBe(
    'none',
  )
  expect(await out(`rm ${own} && echo gone`)).toBe('gone')
})

test('reads and writes of a disk are bounded, where the machine has groups for that', async () => {
  const groups = await openCgroups(harness.options.home, '/')
  const held = spawn('sleep', ['60'])
  await groups.enter('held', [Number(held.pid)], bounds)
  const lines = (await read(Number(held.pid), 'cgroup')).split('\n')
  const content = async (folder: string, line: string | undefined, file: string) =>
    readFile(join(folder, line?.split(':')[2] ?? '', file), 'utf8')
  if (groups.controllers.includes('io')) {
    const one = lines.find((line) => line.includes(':blkio:'))
    const limits = one
      ? await content('/sys/fs/cgroup/blkio', one, 'blkio.throttle.write_bps_device')
      : await content(
          '/sys/fs/cgroup',
          lines.find((line) => line.startsWith('0::')),
          'io.max',
        )
    expect(limits).toContain(String(bounds.diskBytes))
  }
  held.kill('SIGKILL')
  await once(held, 'exit')
  await groups.leave('held')
})

test('the main process is spared when memory ends, and what it starts is not', async () => {
  const server = await serverOf(greedy)
  const children = (await read(server, `task/${server}/children`)).trim().split(' ').map(Number)
  const own = (await readFile('/proc/self/oom_score_adj', 'utf8')).trim()
  expect((await read(server, 'oom_score_adj')).trim()).toBe(own)
  for (const pid of children) expect((await read(pid, 'oom_score_adj')).trim()).toBe('500')
})

test('a query that takes too much memory is ended alone, with the words of Postgres', async () => {
  const before = await began(greedy)
  const hog = 'select array_agg(repeat(n::text, 200000)) from generate_series(1, 100000) n'
  await expect(sql(greedy, hog)).rejects.toThrow('out of memory')
  expect(await began(greedy)).toBe(before)
  expect(await sql(greedy, 'select 1')).toBe(1)
})

test('many that take too much together end within their own project', async () => {
  const groups = await openCgroups(harness.options.home)
  if (!groups.controllers.includes('memory')) return
  const before = await began(neighbour)
  // Each is below the bound of one process.
  const each = `select length(string_agg(repeat(n::text, 100000), '')) from generate_series(1, 500) n, pg_sleep(0)`
  const hogs = await Promise.allSettled(Array.from({ length: 6 }, () => sql(greedy, each)))
  expect(hogs.some(({ status }) => status === 'rejected')).toBe(true)
  await expect.poll(() => sql(greedy, 'select 1').catch(() => 0)).toBe(1)
  expect(await began(neighbour)).toBe(before)
  expect(await sql(neighbour, 'select 1')).toBe(1)
})

test('a server that goes on while the platform starts anew keeps its bounds; one that has ended leaves no group', async () => {
  const groups = await openCgroups(harness.options.home)
  const provider = await harness.reopen()
  const address = await provider.start(neighbour)
  expect(address).toEqual(at[neighbour])
  const group = new RegExp(`/plinth-[0-9a-f]{12}/${neighbour}$`, 'm')
  const server = await serverOf(neighbour)
  const content = await read(server, 'cgroup')
  if (groups.controllers.length > 0) expect(content).toMatch(group)
  for (const ref of [greedy, neighbour]) await provider.stop(ref)
  // What would be bounded anew is not there any more.
  for (const line of content.split('\n').filter((one) => group.test(one))) {
    const [, controller = '', path = ''] = line.split(':')
    const folder = join('/sys/fs/cgroup', controller, path)
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(dirname(folder))).toBe(false)
  }
})
