import { randomInt } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { places, rounds } from '#kit/testing/rounds'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
  type Project,
} from '../testing/client.ts'
import { anyway, failpoints, isSane, killControlPlane } from '../testing/faults/kills.ts'
import type { Platform } from '../testing/platform.ts'
import { until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

/** The control plane is killed at each step of deleting a project, bringing it back and removing it for good. */
const faults = failpoints()
let platform: Platform
let ada: Person
let slug: string
let books: Project
let trash: string

beforeAll(async () => {
  const environment = { ...faults.environment, PLINTH_TRASH_DAYS: '30' }
  platform = await ownPlatform({ environment })
  ada = await signUp(platform.url, 'ada@example.com')
  slug = await createOrganization(ada, 'Acme')
  trash = `/platform/organizations/${slug}/trash`
  books = await createProject(ada, slug, 'Books')
  await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
  await runSql(ada, books.ref, `create table notes (text text); insert into notes values ('kept')`)
})

const notes = () =>
  expect
    .poll(() => anyway(runSql(ada, books.ref, 'select text from notes')), { timeout: 60_000 })
    .toEqual([{ text: 'kept' }])
type Line = { ref: string; state: string }
const lines = async () =>
  (await anyway(ada.call('GET', trash)))?.body['projects'] as Line[] | undefined
const remove = (ref: string) => ada.call('DELETE', `/platform/projects/${ref}`)
const restore = (ref: string) => ada.call('POST', `${trash}/${ref}/restore`)
const removeNow = (ref: string) => ada.call('DELETE', `${trash}/${ref}`)
const waits = (ref: string) =>
  until('it waits', async () =>
    Boolean((await lines())?.some((one) => one.ref === ref && one.state === 'waiting')),
  )
const gone = (ref: string) =>
  until('it is gone', async () => (await lines())?.every((one) => one.ref !== ref) ?? false)

async function killedAt(point: string, order: () => Promise<unknown>): Promise<void> {
  const reached = faults.arm(point)
  await anyway(order())
  await reached()
}

const inRemoval = [
  'project.remove.settle:before',
  'project.remove.settle:after',
  'project.remove.destroy:after',
] as const
test.each(places(inRemoval, ['project.remove.settle:before']))(
  'killed at %s, the deleted project waits and comes back',
  async (point) => {
    await killedAt(point, () => remove(books.ref))
    await waits(books.ref)
    await isSane(platform)
    await restore(books.ref)
    await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
    await notes()
    await isSane(platform)
  },
)

const inReturn = [
  'project.bring-back.settle:before',
  'project.bring-back.settle:after',
  'project.bring-back.start:after',
] as const
test.each(places(inReturn, ['project.bring-back.start:after']))(
  'killed at %s, the project comes back',
  async (point) => {
    await remove(books.ref)
    await waits(books.ref)
    await killedAt(point, () => restore(books.ref))
    await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
    await notes()
    await isSane(platform)
  },
)

const inPurge = [
  'compute.destroy.stopped',
  'compute.destroy.discarded',
  'project.purge.forget:before',
  'project.purge.destroy:after',
] as const
test.each(places(inPurge, ['compute.destroy.discarded', 'project.purge.forget:before']))(
  'killed at %s, nothing is left of what is removed for good',
  async (point) => {
    const other = await createProject(ada, slug, 'Other')
    await reaches(ada, other.ref, ['ACTIVE_HEALTHY'])
    await remove(other.ref)
    await waits(other.ref)
    await killedAt(point, () => removeNow(other.ref))
    await gone(other.ref)
    await isSane(platform)
  },
)

const kills = rounds(2, 40)
test(
  `${kills} kills at random moments of deleting and bringing back`,
  async () => {
    for (let round = 1; round <= kills; round++) {
      const order = round % 2 === 1 ? remove(books.ref) : restore(books.ref)
      await Promise.all([anyway(order), killControlPlane(platform, randomInt(400))])
      // Accepted before the kill, or ordered now.
      if (round % 2 === 1) {
        await until('it is deleted', async () => {
          if ((await lines())?.some(({ ref }) => ref === books.ref)) return true
          await anyway(remove(books.ref))
          return false
        })
        await waits(books.ref)
      } else {
        await until('it is restored', async () => {
          const found = await lines()
          if (found?.every(({ ref }) => ref !== books.ref)) return true
          await anyway(restore(books.ref))
          return false
        })
        await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
        await notes()
      }
      await isSane(platform)
    }
  },
  kills * 60_000 + 60_000,
)
