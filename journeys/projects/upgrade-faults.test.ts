import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { anotherMinor, olderVersion } from '#compute/testing/other-programs'
import { Versions } from '#contract/projects/upgrades'
import { locateBinaries } from '#kit/postgres/binaries'
import { allFaults, rounds } from '#kit/testing/rounds'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
} from '../testing/client.ts'
import { anyway, failpoints, isBack, isSane, killControlPlane } from '../testing/faults/kills.ts'
import { newHome, type Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

/**
 * The control plane is killed while projects get another version of PostgreSQL. What is installed changes to and fro, so that each
 * project has something to be brought to every time.
 */
const faults = failpoints()
/** Within the provider, between stopping the server and starting it, and around where the row says which version it has. */
const places = [
  'compute.upgrade.written',
  'compute.upgrade.stopped',
  'project.upgrade.settle:before',
  'project.upgrade.settle:after',
].slice(0, allFaults ? 4 : 1)
const kills = rounds(1, 40)
const projects = kills > 4 ? 4 : 1
let home: string
let older: string
let newest: string
let platform: Platform
let ada: Person
let installed = ''
const refs: string[] = []

/** Stops the platform and starts it with one version of the programs or the other. */
async function install(version: string): Promise<void> {
  const ports = platform?.ports
  await platform?.stop()
  const environment = {
    ...faults.environment,
    ...(version === olderVersion ? { PLINTH_POSTGRES_DIR: older } : {}),
  }
  platform = await ownPlatform({ home, ...(ports && { ports }), environment })
  installed = version
}
const installOther = () => install(installed === olderVersion ? newest : olderVersion)

beforeAll(async () => {
  newest = (await locateBinaries()).version
  home = await newHome()
  older = await anotherMinor(join(home, 'older'), olderVersion)
  await install(olderVersion)
  ada = await signUp(platform.url, 'ada@example.com')
  const slug = await createOrganization(ada, 'Acme')
  for (let nth = 1; nth <= projects; nth++) {
    const { ref } = await createProject(ada, slug, `Books ${nth}`)
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    await runSql(ada, ref, 'create table kept (id int); insert into kept values (1)')
    refs.push(ref)
  }
})

const versions = async (ref: string) =>
  Versions.parse((await ada.call('GET', `/platform/projects/${ref}/upgrade`)).body)
const upgrade = (ref: string) => ada.call('POST', `/platform/projects/${ref}/upgrade`)
const ready = async (ref: string) => {
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await expect.poll(async () => (await versions(ref)).blockers, { timeout: 60_000 }).toEqual([])
}
const version = "select current_setting('server_version') as version, id from kept"

/** It runs on what is installed, as its row says, with what it had. */
async function isUpgraded(ref: string): Promise<void> {
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  expect(await versions(ref)).toMatchObject({ current: installed, last: { outcome: 'upgraded' } })
  await expect
    .poll(() => runSql(ada, ref, version).catch(String), { timeout: 60_000 })
    .toEqual([{ version: installed, id: 1 }])
  await isSane(platform)
}

test.each(places)('killed at %s, a project runs on the version that its row names', async (at) => {
  await installOther()
  const [first = '', ...others] = refs
  await ready(first)
  const reached = faults.arm(at)
  await anyway(upgrade(first))
  await reached()
  await isBack(platform)
  await isUpgraded(first)
  // The others follow: what is installed next is what they have now.
  for (const ref of others) {
    await ready(ref)
    expect((await upgrade(ref)).status).toBe(201)
    await isUpgraded(ref)
  }
})

test(
  `kills while it grows, by another version of PostgreSQL (${kills}): it runs on the one that its row names, with what it had`,
  async () => {
    for (let round = 0; round < kills; round++) {
      if (round % projects === 0) await installOther()
      const ref = refs[round % projects] ?? ''
      await ready(ref)
      const [answer] = await Promise.all([
        anyway(upgrade(ref)),
        killControlPlane(platform, randomInt(1200)),
      ])
      await isBack(platform)
      await reaches(ada, ref, ['ACTIVE_HEALTHY'])
      // What was not accepted before the kill is ordered now.
      if (answer?.status !== 201 && (await versions(ref)).current !== installed) {
        await ready(ref)
        expect((await upgrade(ref)).status).toBe(201)
      }
      await isUpgraded(ref)
    }
  },
  120_000 + kills * 60_000,
)
