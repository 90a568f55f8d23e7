import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunning } from '#kit/postgres/server'
import type { DatabaseAddress } from '../../provider.ts'
import { ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'
import { openCgroups } from './cgroups.ts'
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
}, 60_000)
afterAll(() => harness.close())

async function sql(ref: string, text: string): Promise<unknown> {
  const address = at[ref]
  if (!address) throw new Error(`${ref} does not run`)
  return ask(address, customer(ref), text)
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
  await expect.poll(() => sql(greedy, 'select 1').catch(() => 0), { timeout: 20_000 }).toBe(1)
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
  const told = await read(server, 'cgroup')
  if (groups.controllers.length > 0) expect(told).toMatch(group)
  for (const ref of [greedy, neighbour]) await provider.stop(ref)
  // What would be bounded anew is not there any more.
  for (const line of told.split('\n').filter((one) => group.test(one))) {
    const [, controller = '', path = ''] = line.split(':')
    const folder = join('/sys/fs/cgroup', controller, path)
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(dirname(folder))).toBe(false)
  }
})
