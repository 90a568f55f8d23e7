import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { anotherMinor, olderVersion } from '#compute/testing/other-programs'
import { Versions } from '#contract/projects/upgrades'
import { locateBinaries } from '#kit/postgres/binaries'
import { rounds } from '#kit/testing/rounds'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
} from '../testing/client.ts'
import { anyway, isBack, isSane, killControlPlane } from '../testing/kills.ts'
import { newHome, type Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

/**
 * The control plane is killed at random moments while projects get another version of PostgreSQL. What is installed changes to
 * and fro, so that each project has something to be brought to every time.
 */
const kills = rounds(1, 40)
const projects = kills > 4 ? 4 : kills
let home: string
let older: string
let installed: string
let platform: Platform
let ada: Person
const refs: string[] = []

/** Stops the platform and starts it with one version of the programs or the other. */
async function install(version: string): Promise<void> {
  const ports = platform?.ports
  await platform?.stop()
  platform = await ownPlatform({
    home,
    ...(ports && { ports }),
    environment: version === olderVersion ? { PLINTH_POSTGRES_DIR: older } : {},
  })
}

beforeAll(async () => {
  installed = (await locateBinaries()).version
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
}, 180_000)

test(
  `${kills} kills while it grows, by another version of PostgreSQL: it runs on the one that its row names, with what it had`,
  async () => {
    let wanted = olderVersion
    for (let round = 0; round < kills; round++) {
      if (round % projects === 0) {
        wanted = wanted === olderVersion ? installed : olderVersion
        await install(wanted)
      }
      const ref = refs[round % projects] ?? ''
      const path = `/platform/projects/${ref}/upgrade`
      await reaches(ada, ref, ['ACTIVE_HEALTHY'])
      const blocked = async () => Versions.parse((await ada.call('GET', path)).body).blockers
      await expect.poll(blocked, { timeout: 30_000 }).toEqual([])
      const [answer] = await Promise.all([
        anyway(ada.call('POST', path)),
        killControlPlane(platform, randomInt(1200)),
      ])
      await isBack(platform)
      await reaches(ada, ref, ['ACTIVE_HEALTHY'])
      const seen = async () => Versions.parse((await ada.call('GET', path)).body)
      // What was not accepted before the kill is ordered now.
      if (answer?.status !== 201 && (await seen()).current !== wanted) {
        await expect.poll(blocked, { timeout: 30_000 }).toEqual([])
        expect((await ada.call('POST', path)).status).toBe(201)
        await reaches(ada, ref, ['ACTIVE_HEALTHY'])
      }
      expect(await seen()).toMatchObject({ current: wanted, last: { outcome: 'upgraded' } })
      await expect
        .poll(
          () =>
            runSql(
              ada,
              ref,
              "select current_setting('server_version') as version, id from kept",
            ).catch(String),
          { timeout: 30_000 },
        )
        .toEqual([{ version: wanted, id: 1 }])
      await isSane(platform)
    }
  },
  120_000 + kills * 60_000,
)
