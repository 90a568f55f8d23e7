import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/organizations/audit'
import {
  internalToken,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { createAudit } from './audit.ts'
import { auditStore } from './store.ts'

let plane: TestControlPlane
let ada: Person
let id: string
beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  id = (await organizationOf(ada, 'Mine')).id
  await organizationOf(ada, 'Other')
})
afterAll(() => plane.end())

async function following(query: string, organization = id) {
  const response = await plane.app.inject({
    url: `/internal/audit-entries/${organization}${query}`,
    headers: { authorization: `Bearer ${internalToken}` },
  })
  const { entries = [] } = response.json<{ entries?: AuditEntry[] }>()
  return {
    status: response.statusCode,
    entries,
    targets: entries.map((one) => one.target.description),
  }
}
const record = createAudit(auditStore)
const entry = (target: string) => ({
  organizationId: id,
  actor: null,
  action: 'test',
  target,
  change: {},
  origin: null,
})
const write = (target: string) => plane.db.transaction().execute((tx) => record(tx, entry(target)))

test('what is no question is refused, and an organization that is not there is not found', async () => {
  expect((await following('?after=x')).status).toBe(400)
  expect((await following('?limit=501')).status).toBe(400)
  expect((await following('', 'x')).status).toBe(400)
  expect((await following('', '999999')).status).toBe(404)
})

test('entries come oldest first, in pages, from a moment on, and of this organization only', async () => {
  const before = Date.now()
  for (const name of ['one', 'two', 'three']) await write(name)
  const first = await following(`?since=${before}&limit=2`)
  expect(first.targets).toEqual(['one', 'two'])
  const next = await following(`?since=${before}&after=${first.entries[1]?.id}`)
  expect(next.targets).toEqual(['three'])
  expect(next.entries[0]).toMatchObject({ target: { metadata: { org_slug: 'mine' } } })
  expect((await following(`?after=${next.entries[0]?.id}`)).targets).toEqual([])
  expect((await following('')).targets).toEqual(['organization:mine', 'one', 'two', 'three'])
})

test('no entry comes into sight behind one that was read before, however long its change takes', async () => {
  const since = Date.now()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let written = () => {}
  const isWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const slow = plane.db.transaction().execute(async (tx) => {
    await record(tx, entry('slow'))
    written()
    await held
  })
  await isWritten
  const quick = Promise.all(['a', 'b', 'c'].map((name) => write(name)))
  // They wait for the chain, so nobody sees them yet: a reader that saw one would never come back for the slow one.
  const waiting = async () =>
    (
      await plane.pool.query<{ count: number }>(
        "select count(*)::int from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
      )
    ).rows[0]?.count
  await expect.poll(waiting).toBe(3)
  expect((await following(`?since=${since}`)).targets).toEqual([])
  goOn()
  await Promise.all([slow, quick])
  const { targets, entries } = await following(`?since=${since}`)
  expect(targets[0]).toBe('slow')
  expect(targets.toSorted()).toEqual(['a', 'b', 'c', 'slow'])
  const ids = entries.map((one) => Number(one.id))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
})
