import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
} from '../testing/client.ts'
import { anyway, failpoints, isBack, isSane, killControlPlane } from '../testing/faults/kills.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { serversOf } from '../testing/world.ts'
import { computeSizes, serverConnections } from '#contract/projects/compute-sizes'
import { preparePostgres } from '#kit/postgres/runtime'
import { allFaults, rounds } from '#kit/testing/rounds'

const faults = failpoints()
const resting = [
  'ACTIVE_HEALTHY',
  'INACTIVE',
  'INIT_FAILED',
  'PAUSE_FAILED',
  'RESTORE_FAILED',
  '404',
]
let platform: Platform
let ada: Person
let slug: string
let count = 0

// With the trash, as installations have it.
const environment = { ...faults.environment, PLINTH_TRASH_DAYS: '30' }

beforeAll(async () => {
  platform = await ownPlatform({ environment })
  ada = await signUp(platform.url, 'ada@example.com')
  slug = await createOrganization(ada, 'Acme')
})

const orders = {
  pause: (ref: string) => ada.call('POST', `/platform/projects/${ref}/pause`),
  restore: (ref: string) => ada.call('POST', `/platform/projects/${ref}/restore`),
  restart: (ref: string) => ada.call('POST', `/platform/projects/${ref}/restart`),
  resize: (ref: string) =>
    ada.call('POST', `/platform/projects/${ref}/billing/addons`, {
      addon_type: 'compute_instance',
      addon_variant: 'ci_small',
    }),
  remove: (ref: string) => ada.call('DELETE', `/platform/projects/${ref}`),
}

/** Orders a project; when the control plane dies before it can answer, looks whether it was accepted all the same. */
async function order(name: string): Promise<string | undefined> {
  await isBack(platform)
  const made = await anyway(createProject(ada, slug, name))
  if (made) return made.ref
  await isBack(platform)
  const { body } = await ada.call('GET', `/platform/projects?search=${encodeURIComponent(name)}`)
  const found = body['projects'] as { ref: string; name: string }[]
  return found.find((project) => project.name === name)?.ref
}

const fresh = async () => {
  const ref = await order(`Project ${(count += 1)}`)
  if (!ref) throw new Error('The project was not accepted')
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  return ref
}

/** Its removal may still be going on when the next test names a place at which a removal is killed: that would be this one. */
const removed = async (ref: string) => {
  await orders.remove(ref)
  await reaches(ada, ref, ['404'])
}

/** Each order, from a project in the right state, and where it must end whatever happens on the way. */
const stories: Record<
  string,
  {
    from: () => Promise<string>
    give: (ref: string) => Promise<unknown>
    steps: string[]
    ends: string
  }
> = {
  'project.pause': {
    from: fresh,
    give: orders.pause,
    steps: ['stop', 'settle', 'finish'],
    ends: 'INACTIVE',
  },
  'project.resume': {
    from: async () => {
      const ref = await fresh()
      await orders.pause(ref)
      await reaches(ada, ref, ['INACTIVE'])
      return ref
    },
    give: orders.restore,
    steps: ['start', 'settle', 'finish'],
    ends: 'ACTIVE_HEALTHY',
  },
  'project.restart': {
    from: fresh,
    give: orders.restart,
    steps: ['restart', 'settle', 'finish'],
    ends: 'ACTIVE_HEALTHY',
  },
  'project.resize': {
    from: fresh,
    give: orders.resize,
    steps: ['resize', 'settle', 'finish'],
    ends: 'ACTIVE_HEALTHY',
  },
  'project.remove': {
    from: fresh,
    give: orders.remove,
    steps: ['destroy', 'settle', 'finish'],
    ends: '404',
  },
}

const around = (steps: string[]) => steps.flatMap((step) => [`${step}:before`, `${step}:after`])
/** Each order once and each kind of step once, some killed before it and some after. */
const few = [
  'project.pause.stop:after',
  'project.resume.start:before',
  'project.restart.restart:after',
  'project.restart.settle:before',
  'project.resize.settle:before',
  'project.remove.destroy:after',
  'project.remove.finish:before',
]
const places = Object.entries(stories)
  .flatMap(([job, { steps }]) => around(steps).map((step) => ({ job, at: `${job}.${step}` })))
  .filter(({ at }) => allFaults || few.includes(at))

test('the few places are some of all', () => {
  expect(places).toHaveLength(allFaults ? 30 : few.length)
})

test.each(places)('killed at $at, the order is carried out all the same', async ({ job, at }) => {
  const story = stories[job]
  if (!story) throw new Error(`No story for ${job}`)
  const ref = await story.from()
  const reached = faults.arm(at)
  await anyway(story.give(ref))
  await reached()
  await reaches(ada, ref, [story.ends])
  await isSane(platform)
  if (story.ends === 'ACTIVE_HEALTHY') await removed(ref)
})

/** Within the provider, between stopping the server and starting it, and where it runs and no row says so. */
const inResize = ['compute.resize.stopped', 'compute.resize.written', 'project.resize.settle:after']

test.each(allFaults ? inResize : inResize.slice(1, 2))(
  'killed at %s, a project has the size that it was to get, in its server and in its row',
  async (at) => {
    const ref = await fresh()
    await runSql(ada, ref, 'create table kept (id int); insert into kept values (1)')
    const reached = faults.arm(at)
    await anyway(orders.resize(ref))
    await reached()
    await isBack(platform)
    const sizes = async () => (await ada.call('GET', `/platform/projects/${ref}`)).body
    await expect
      .poll(sizes, { timeout: 60_000 })
      .toMatchObject({ infra_compute_size: 'small', status: 'ACTIVE_HEALTHY' })
    const places = "select current_setting('max_connections')::int as n, id from kept"
    const { all } = serverConnections(computeSizes.small.directConnections)
    // A data plane whose stream of changes broke with the control plane hears of it a moment later.
    await expect
      .poll(() => runSql(ada, ref, places).catch(String), { timeout: 60_000 })
      .toEqual([{ n: all, id: 1 }])
    await isSane(platform)
    await removed(ref)
  },
)

/** Within the provider, once what was the primary is fenced off, and where the replica is the primary and no row says so. */
const inPromotion = [
  'project.promote.settle:before',
  'compute.promote.stopped',
  'compute.promote.fenced',
  'compute.promote.recovered',
  'compute.promote.named',
  'project.promote.settle:after',
]

test.each(allFaults ? inPromotion : inPromotion.slice(0, 1))(
  'killed at %s, a project goes on as its replica, with all that was written',
  async (at) => {
    const ref = await fresh()
    await orders.resize(ref)
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    const path = `/platform/projects/${ref}/read-replicas`
    const made = await ada.call('POST', path)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const states = async () => JSON.stringify((await ada.call('GET', path)).body['replicas'])
    await expect.poll(states, { timeout: 60_000 }).toContain('"streaming"')
    await runSql(ada, ref, 'create table kept (id int); insert into kept values (1)')
    const reached = faults.arm(at)
    await anyway(ada.call('POST', `${path}/${String(made.body['identifier'])}/promote`, {}))
    await reached()
    await isBack(platform)
    await expect.poll(states, { timeout: 60_000 }).toBe('[]')
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    const asked = 'select pg_is_in_recovery() as copy, id from kept'
    await expect
      .poll(() => runSql(ada, ref, asked).catch(String), { timeout: 60_000 })
      .toEqual([{ copy: false, id: 1 }])
    await isSane(platform)
    await removed(ref)
  },
)

test.each(allFaults ? around(['provision', 'settle', 'finish']) : ['provision:after'])(
  'killed at project.create.%s, an accepted project comes up',
  async (at) => {
    const reached = faults.arm(`project.create.${at}`)
    const ref = await order(`Project ${(count += 1)}`)
    await reached()
    if (!ref) throw new Error('An accepted project was lost')
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    await isSane(platform)
    await removed(ref)
  },
)

const kills = rounds(4, 40)

test(
  `${kills} kills at random moments of create, pause, resume, restart, resize and delete`,
  async () => {
    const refs = await Promise.all([fresh(), fresh(), fresh()])
    for (let round = 1; round <= kills; round++) {
      await isBack(platform)
      const created = order(`Random ${round}`)
      const given = refs.map((ref) => {
        const order = (['pause', 'restore', 'restart', 'resize'] as const)[randomInt(4)] ?? 'pause'
        return anyway(orders[order](ref))
      })
      await delay(randomInt(250))
      // Every fourth time the whole platform dies, otherwise the control plane alone.
      if (round % 4 === 0) {
        platform.process.kill('SIGKILL')
        const { home, ports } = platform
        platform = await ownPlatform({ home, ports, environment })
        await Promise.all([created, ...given])
      } else {
        await killControlPlane(platform)
        await Promise.all([created, ...given])
      }
      for (const ref of refs) await reaches(ada, ref, resting)
      await isSane(platform)
      const made = await created
      if (made) {
        await reaches(ada, made, ['ACTIVE_HEALTHY'])
        // Its end falls into the next round, which has to be sane with it.
        await orders.remove(made)
      }
    }
    await isSane(platform)
  },
  600_000 + kills * 15_000,
)

test('a killed database is noticed and started again; the others never notice', async () => {
  const [victim, other] = await Promise.all([fresh(), fresh()])
  await runSql(ada, victim ?? '', 'create table kept (id int); insert into kept values (1)')
  const { clusters } = await preparePostgres(platform.home)
  const pids = serversOf(clusters).get(victim ?? '') ?? []
  const others = serversOf(clusters).get(other ?? '') ?? []
  process.kill(Math.min(...pids), 'SIGKILL')
  await reaches(ada, victim ?? '', ['ACTIVE_UNHEALTHY'])
  expect((await ada.call('GET', '/platform/organizations')).status).toBe(200)
  await reaches(ada, victim ?? '', ['ACTIVE_HEALTHY'])
  expect(await runSql(ada, victim ?? '', 'select id from kept')).toEqual([{ id: 1 }])
  expect(serversOf(clusters).get(other ?? '')).toContain(Math.min(...others))
  await isSane(platform)
})
