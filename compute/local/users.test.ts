import { mkdtemp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { runsAsRoot } from '#kit/postgres/os-user'
import { createUserRanges, rangeSize } from './user-ranges.ts'
import { openUsers } from './users.ts'

let top: string
let ranges: string
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'plinth-users-'))
  ranges = join(top, 'ranges')
})
afterEach(() => rm(top, { recursive: true, force: true }))

async function makeHome(name: string): Promise<string> {
  const home = join(top, name)
  await mkdir(home)
  return home
}
const open = (home: string, used: number[] = []) =>
  openUsers({ home, ranges, used: new Set(used), log: silentLog })
const giveIn = async (home: string, used?: number[]) =>
  (await (await open(home, used)).give())?.uid ?? NaN

test('two installations never have the same range, also when the lot says so', async () => {
  const [one, other] = [await makeHome('one'), await makeHome('other')]
  const lots = [800_003_000, 800_003_000, 800_003_000, 800_009_000]
  const choose = () => lots.shift() ?? NaN
  expect(await createUserRanges(ranges, one).take(choose)).toBe(800_003_000)
  expect(await createUserRanges(ranges, other).take(choose)).toBe(800_009_000)
  expect(await createUserRanges(ranges, one).hold(800_003_000)).toBe(true)
  expect(await createUserRanges(ranges, other).hold(800_003_000)).toBe(false)
})

test('users and groups that the machine has are passed over', async () => {
  const taken = createUserRanges(ranges, await makeHome('one'))
  const lots = [0, 65_000, 800_000_000]
  expect(await taken.take(() => lots.shift() ?? NaN)).toBe(800_000_000)
})

test('a home that was moved takes its range along; one that was copied gets another', async () => {
  const [one, moved] = [await makeHome('one'), join(top, 'moved')]
  const base = await createUserRanges(ranges, one).take()
  await rename(one, moved)
  expect(await createUserRanges(ranges, moved).hold(base)).toBe(true)
  expect(await createUserRanges(ranges, await makeHome('copy')).hold(base)).toBe(false)
})

if (!runsAsRoot())
  test('without root there are no users to give', async () => {
    const users = await open(await makeHome('one'))
    expect([await users.give(), users.template, users.owns(800_000_000)]).toEqual([
      undefined,
      undefined,
      false,
    ])
  })

test.runIf(runsAsRoot())('numbers go up, side by side and from one start to the next', async () => {
  const home = await makeHome('one')
  const users = await open(home)
  const first = await Promise.all([users.give(), users.give(), users.give()])
  const uids = first.map((user) => user?.uid ?? NaN)
  expect(uids).toEqual([0, 1, 2].map((i) => (uids[0] ?? NaN) + i))
  expect(uids).not.toContain(users.template?.uid)
  expect(await giveIn(home)).toBe((uids[2] ?? NaN) + 1)
  expect(uids.every((uid) => users.owns(uid))).toBe(true)
  expect(users.owns(700_001)).toBe(false)
})

test.runIf(runsAsRoot())(
  'a range that is used up is followed by another, and stays its own',
  async () => {
    const home = await makeHome('one')
    const first = await giveIn(home)
    const file = join(home, 'users.json')
    const state = JSON.parse(await readFile(file, 'utf8')) as { next: number; ranges: number[] }
    const end = (state.ranges[0] ?? NaN) + rangeSize
    await writeFile(file, JSON.stringify({ ...state, next: end - 1 }))
    const users = await open(home)
    expect((await users.give())?.uid).toBe(end - 1)
    const next = (await users.give())?.uid ?? NaN
    expect(next < end - rangeSize || next > end).toBe(true)
    expect([first, end - 1, next].map((uid) => users.owns(uid))).toEqual([true, true, true])
  },
)

test.runIf(runsAsRoot())(
  'a users.json that is older than the projects, or damaged, gives nothing again',
  async () => {
    const home = await makeHome('one')
    const file = join(home, 'users.json')
    const first = await giveIn(home)
    const older = await readFile(file, 'utf8')
    const later = [await giveIn(home), await giveIn(home)]
    await writeFile(file, older)
    expect(await giveIn(home, later)).toBe(Math.max(...later) + 1)
    await writeFile(file, '{')
    const afresh = await giveIn(home)
    expect(Math.abs(afresh - first)).toBeGreaterThanOrEqual(rangeSize - 2)
  },
)

test.runIf(runsAsRoot())(
  'users of earlier versions belong to the installation that comes first',
  async () => {
    const [one, other] = [await makeHome('one'), await makeHome('other')]
    const used = [700_001, 700_002]
    expect((await open(one, used)).owns(700_001)).toBe(true)
    const theirs = await open(other, used)
    expect(theirs.owns(700_001)).toBe(false)
    // What may be another installation's is not ended.
    await theirs.end({ uid: 700_001, gid: 700_001 })
    expect((await open(one, used)).owns(700_002)).toBe(true)
  },
)
