import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { startBackupWorld, type BackupWorld } from './backups-testing.ts'
import { backupStore } from './store.ts'

const hour = 3_600_000
const day = 24 * hour

let world: BackupWorld
let second: string
beforeAll(async () => {
  world = await startBackupWorld()
  second = await world.createProject('Films')
}, 90_000)
afterAll(() => world.end())

const round = () => world.plane.backupRound()
const reasons = async (of = world.ref) =>
  (await world.list(of)).backups.map(({ reason, status }) => `${String(reason)} ${status}`)
const settled = () => expect.poll(() => world.unfinished(), { timeout: 60_000 }).toBe(0)
const files = async (of = world.ref) => (await world.plane.compute.backups?.list(of)) ?? []
/** The round that is due, with everything that it ordered. */
async function passed(milliseconds: number) {
  world.pass(milliseconds)
  await round()
  await settled()
}

test('a new project has its first scheduled backup after an hour, then one each day', async () => {
  const due = Date.parse(String((await world.list())['next_at']))
  expect(Math.abs(due - Date.now() - hour)).toBeLessThan(120_000)
  await passed(0)
  expect(await reasons()).toEqual([])
  await passed(hour)
  expect(await reasons()).toEqual(['scheduled COMPLETED'])
  expect(await reasons(second)).toEqual(['scheduled COMPLETED'])
  // One that somebody made stands beside it.
  await world.made()
  await passed(23 * hour)
  expect(await reasons()).toEqual(['manual COMPLETED', 'scheduled COMPLETED'])
})
