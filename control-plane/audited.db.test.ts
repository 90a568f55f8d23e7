import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '#kit/http'
import { silentLog } from '#kit/log'
import { createAudited } from './audited.ts'
import { person, startControlPlane, type TestControlPlane } from './testing/control-plane.ts'
import { newcomer, organizationOf } from './testing/people.ts'
import { insertProject } from './testing/victim.ts'

const connections = 20
/** More projects than the platform database has connections for. */
const refs = Array.from({ length: connections + 5 }, (_, i) =>
  String.fromCharCode(97 + i).repeat(20),
)
let plane: TestControlPlane

beforeAll(async () => {
  plane = await startControlPlane(silentLog)
  const ada = await newcomer(plane, 'ada')
  const { id } = await organizationOf(ada, 'Acme', 'tier_pro')
  for (const ref of refs) await insertProject(plane, id, ref)
})
afterAll(() => plane.end())

const somebody = (): Caller => ({
  kind: 'session',
  userId: randomUUID(),
  email: 'somebody@example.com',
  sessionId: randomUUID(),
  aal: 'aal1',
  authorize: () => Promise.resolve(),
})
const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }

/** Changes whose own databases do not answer before they are let go. */
function slow() {
  const audited = createAudited({
    db: plane.db,
    record: () => Promise.resolve(),
    notify: () => Promise.resolve(),
  })
  const begun: string[] = []
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const change = (caller: Caller, ref: string) =>
    audited({ caller, ref, origin }, 'projects.update', async () => {
      begun.push(ref)
      await held
      return {}
    })
  return { begun, letGo, change }
}

test('whoever changes many slow projects at once holds up neither others nor their changes', async () => {
  const { begun, letGo, change } = slow()
  const [owner, other] = [somebody(), somebody()]
  const theirs = refs.slice(0, -1).map((ref) => change(owner, ref))
  await expect.poll(() => begun.length).toBe(3)
  const own = change(other, refs.at(-1) ?? '')
  await expect.poll(() => begun.at(-1)).toBe(refs.at(-1))
  const { status } = await person(plane, 'eve@example.com').call('GET', '/platform/organizations')
  expect(status).toBe(200)
  expect(begun).toHaveLength(4)
  letGo()
  await Promise.all([...theirs, own])
  expect(begun).toHaveLength(refs.length)
})

test('however many people change slow projects, connections are left for all else', async () => {
  const { begun, letGo, change } = slow()
  const all = refs.map((ref) => change(somebody(), ref))
  await expect.poll(() => begun.length).toBe(12)
  expect(plane.pool.waitingCount).toBe(0)
  const { status } = await person(plane, 'eve@example.com').call('GET', '/platform/organizations')
  expect(status).toBe(200)
  expect(begun).toHaveLength(12)
  letGo()
  await Promise.all(all)
  expect(begun).toHaveLength(refs.length)
})
