import { randomInt } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { Replicas } from '#contract/projects/replicas'
import { computeSizes, serverConnections } from '#contract/projects/compute-sizes'
import { rounds } from '#kit/testing/rounds'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
} from '../testing/client.ts'
import { anyway, isBack, isSane, killControlPlane } from '../testing/faults/kills.ts'
import type { Platform } from '../testing/platform.ts'
import { ageResizes } from '../testing/platform-database.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

/** The control plane is killed at random moments while a project gets another size, and while it gets and loses a read replica. */
let platform: Platform
let ada: Person
let ref: string
let slug: string

beforeAll(async () => {
  platform = await ownPlatform()
  ada = await signUp(platform.url, 'ada@example.com')
  slug = await createOrganization(ada, 'Acme')
  ref = await kept('Books', 'micro')
})

async function kept(name: string, size: string): Promise<string> {
  const made = await createProject(ada, slug, name, size)
  await reaches(ada, made.ref, ['ACTIVE_HEALTHY'])
  await runSql(ada, made.ref, 'create table kept (id int); insert into kept values (1)')
  return made.ref
}
/** A data plane whose stream of changes broke with the control plane hears of it a moment later. */
const says = (query: string, rows: object[], of = ref) =>
  expect.poll(() => runSql(ada, of, query).catch(String), { timeout: 60_000 }).toEqual(rows)

type Size = 'micro' | 'small'
const resizes = rounds(2, 40)
test(
  `kills while it grows, by another size (${resizes}): it has the size that its row names, and what it had`,
  async () => {
    let size: Size = 'micro'
    for (let round = 1; round <= resizes; round++) {
      const wanted: Size = size === 'micro' ? 'small' : 'micro'
      const order = ada.call('POST', `/platform/projects/${ref}/billing/addons`, {
        addon_type: 'compute_instance',
        addon_variant: `ci_${wanted}`,
      })
      const [answer] = await Promise.all([
        anyway(order),
        killControlPlane(platform, randomInt(1200)),
      ])
      await isBack(platform)
      await reaches(ada, ref, ['ACTIVE_HEALTHY'])
      const { body } = await ada.call('GET', `/platform/projects/${ref}`)
      expect(answer?.status === 201 ? [wanted] : [size, wanted]).toContain(
        body['infra_compute_size'],
      )
      if (body['infra_compute_size'] === wanted) size = wanted
      const { all } = serverConnections(computeSizes[size].directConnections)
      await says("select current_setting('max_connections')::int as n, id from kept", [
        { n: all, id: 1 },
      ])
      await isSane(platform)
      await ageResizes(platform)
    }
  },
  60_000 + resizes * 60_000,
)

const copies = rounds(2, 60)
test(
  `kills while it grows, by a read replica (${copies}): it is whole and follows, or nothing is left of it`,
  async () => {
    const shop = await kept('Shop', 'small')
    const path = `/platform/projects/${shop}/read-replicas`
    const replicas = async () =>
      Replicas.parse((await ada.call('GET', path)).body).replicas.map(
        ({ identifier, state, status }) => ({ identifier, is: state ?? status }),
      )
    const slots = 'select count(*)::int as n from pg_replication_slots'
    let [has] = await replicas()
    for (let round = 1; round <= copies; round++) {
      const before = has
      const order = before
        ? ada.call('DELETE', `${path}/${before.identifier}`)
        : ada.call('POST', path)
      const [answer] = await Promise.all([
        anyway(order),
        killControlPlane(platform, randomInt(before ? 800 : 2500)),
      ])
      await isBack(platform)
      const follows = [{ identifier: expect.any(String), is: 'streaming' }]
      const accepted = answer !== undefined && answer.status < 300
      const ends = accepted ? [before ? [] : follows] : [[], follows]
      await expect.poll(replicas, { timeout: 60_000 }).toSatisfy((found) =>
        ends.some((end) => {
          try {
            expect(found).toEqual(end)
            return true
          } catch {
            return false
          }
        }),
      )
      ;[has] = await replicas()
      await says(slots, [{ n: has ? 1 : 0 }], shop)
      await says('select id from kept', [{ id: 1 }], shop)
      await isSane(platform)
    }
  },
  60_000 + copies * 60_000,
)
