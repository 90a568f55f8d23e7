import { afterAll, beforeAll, expect, test } from 'vitest'
import { NotCoveredError, type DatabaseAddress } from '../../provider.ts'
import { ask, loginsOf, specOf, testRef } from '../../testing/conformance-project.ts'
import { kubernetesHarness, type KubernetesHarness } from '../../testing/kubernetes/harness.ts'
import { customerRole, superuser } from '../objects.ts'

const { customer } = loginsOf({ customer: customerRole, admin: superuser })
let harness: KubernetesHarness
let ref: string
let at: DatabaseAddress
const backups = () => {
  const found = harness.provider.backups
  if (!found) throw new Error('This provider keeps no backups')
  return found
}
const password = (project = ref) => specOf(project).passwords.admin
const count = (where: DatabaseAddress, project = ref) =>
  ask(where, customer(project), 'select count(*)::int from notes')
/** A millisecond later: dates here know no parts of one. */
const now = async () =>
  new Date(
    Number(
      await ask(at, customer(ref), 'select ceil(extract(epoch from clock_timestamp()) * 1000)'),
    ),
  )
/** A backup, and a moment at which it has been made for sure. */
async function backedUp(id: string): Promise<void> {
  const { takenAt } = await backups().make({ ref, id }, password())
  await expect.poll(now, { timeout: 20_000 }).toSatisfy((moment: Date) => moment > takenAt)
}

beforeAll(async () => {
  harness = await kubernetesHarness({ withBackups: true })
  await harness.provider.prepare()
  ref = testRef()
  at = await harness.provider.create(specOf(ref))
  await ask(at, customer(ref), 'create table notes (id int); insert into notes values (0)')
})
afterAll(() => harness.close())

test('moments count from the first backup after they were asked for, without a restart', async () => {
  await backedUp('1')
  const started = () => ask(at, customer(ref), 'select pg_postmaster_start_time()::text')
  const since = await started()
  await expect(
    backups().restore(specOf(ref), { ref, until: await now() }, 'order 1'),
  ).rejects.toThrow(NotCoveredError)
  for (let i = 0; i < 2; i++) expect(await backups().setArchive(ref, true)).toEqual(at)
  expect(await backups().windows(ref)).toEqual([])
  const { takenAt } = await backups().make({ ref, id: '2' }, password())
  expect(await backups().windows(ref)).toEqual([{ from: takenAt, to: undefined }])
  expect(await started()).toBe(since)
  await expect.poll(now, { timeout: 20_000 }).toSatisfy((moment: Date) => moment > takenAt)
})

test('any moment comes back, in its place and in a new project, also what a restore has replaced', async () => {
  await ask(at, customer(ref), 'truncate notes; insert into notes values (1)')
  const one = await now()
  await ask(at, customer(ref), 'insert into notes select generate_series(2, 5)')
  const five = await now()
  await ask(at, customer(ref), 'drop table notes')

  const copy = testRef()
  const copyAt = await backups().restore(specOf(copy), { ref, until: five }, 'order 2')
  expect(await count(copyAt, copy)).toBe(5)
  expect(await backups().windows(copy)).toEqual([])
  await harness.provider.destroy(copy)

  at = await backups().restore(specOf(ref), { ref, until: one }, 'order 3')
  expect(await count(at)).toBe(1)
  const [before] = await backups().windows(ref)
  expect(before?.to?.getTime()).toBeGreaterThan(five.getTime())
  await backedUp('3')
  expect(await backups().windows(ref)).toHaveLength(2)
  await ask(at, customer(ref), 'insert into notes values (2)')
  // Nothing was committed after this one: all that there is was before it.
  const last = await now()
  await ask(at, customer(ref), 'select 1')
  at = await backups().restore(specOf(ref), { ref, until: last }, 'order 4')
  expect(await count(at)).toBe(2)
  at = await backups().restore(specOf(ref), { ref, until: five }, 'order 5')
  expect(await count(at)).toBe(5)
  // The first ones have to stay as long as a moment leads to them, and no longer.
  await backups().remove({ ref, id: '2' })
  await expect(backups().restore(specOf(ref), { ref, until: five }, 'order 6')).rejects.toThrow(
    NotCoveredError,
  )
})

test('a project that was stopped is restored to moments before and after that', async () => {
  await backedUp('4')
  await ask(at, customer(ref), 'truncate notes; insert into notes values (1), (2)')
  const two = await now()
  await ask(at, customer(ref), 'insert into notes values (3)')
  await harness.provider.stop(ref)
  const copy = testRef()
  for (const [until, rows] of [
    [two, 2],
    [new Date(), 3],
  ] as const) {
    const copyAt = await backups().restore(specOf(copy), { ref, until }, `order ${rows} of a copy`)
    expect(await count(copyAt, copy)).toBe(rows)
    await harness.provider.destroy(copy)
  }
  await backups().setArchive(ref, false)
  const windows = await backups().windows(ref)
  expect(windows.at(-1)?.to).toBeInstanceOf(Date)
  at = await harness.provider.start(ref)
  expect(await count(at)).toBe(3)
})

test('what a project was leaves nothing behind, in the bucket neither', async () => {
  await harness.provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
  expect(await backups().refs()).toEqual([])
  expect(harness.operator.errors).toEqual([])
})
