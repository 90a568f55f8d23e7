import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeHome } from '#compute/testing/home'
import { Pool } from '#kit/postgres/client'
import { processesOf, signal } from '#kit/postgres/processes'
import { findRunning } from '#kit/postgres/server'
import { createServerWatch } from '#kit/postgres/server-watch'
import { startPlatformCluster, type PlatformCluster } from './platform/platform-cluster.ts'

let home: string
let dataDir: string
let cluster: PlatformCluster
let pool: Pool
const lines: string[] = []

beforeAll(async () => {
  const made = await makeHome()
  const { runtime } = made
  home = made.home
  dataDir = join(runtime.clusters, 'platform/data')
  cluster = await startPlatformCluster(home, runtime, (line) => lines.push(line))
  pool = new Pool({ connectionString: cluster.url, connectionTimeoutMillis: 2000 })
})
afterAll(async () => {
  await pool.end()
  await cluster.stop()
  await rm(home, { recursive: true, force: true })
})

/** The processes of a killed server answer on for a moment: only another server is one that is back. */
const isBack = async (killed: number) => {
  const server = await findRunning(dataDir)
  if (!server?.ready || server.pid === killed) return false
  return pool.query('select 1').then(
    () => true,
    () => false,
  )
}

test('the database of the platform is started again when it was killed, each time', async () => {
  await pool.query('create table kept (id int)')
  for (let round = 1; round <= 2; round += 1) {
    const pid = (await findRunning(dataDir))?.pid ?? Number.NaN
    signal(pid, 'SIGKILL')
    await expect.poll(() => isBack(pid)).toBe(true)
    expect(lines).toEqual(Array(round).fill("the platform's database ended and is started again"))
  }
  expect((await pool.query('select from kept')).rowCount).toBe(0)
})

test('one that is stopped stays so, and leaves no process', async () => {
  const isRunning = createServerWatch(dataDir, 60_000)
  expect(await isRunning()).toBe(true)
  await cluster.stop()
  expect(await isRunning()).toBe(false)
  expect(await findRunning(dataDir)).toBeUndefined()
  expect(await processesOf(dataDir)).toEqual([])
})
