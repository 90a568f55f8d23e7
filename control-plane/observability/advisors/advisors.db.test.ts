import { createServer, type Server } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LintReport } from '#contract/observability/advisors'
import { lintRules } from '#contract/observability/lints'
import type { RoleName } from '#contract/permissions'
import { silentLog } from '#kit/log'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'

/** Stands where the data plane would. */
let server: Server
let plane: TestControlPlane
let ada: Person
let reader: Person
let stranger: Person
let answer: { status: number; body: unknown }
const base = `/platform/projects/${ownRef}`
const exceptions = `${base}/notifications/advisor/exceptions`

const finding = (name: 'no_primary_key' | 'rls_disabled_in_public', key: string) => ({
  name,
  title: lintRules[name].title,
  level: lintRules[name].level,
  facing: 'EXTERNAL' as const,
  categories: [name === 'no_primary_key' ? ('PERFORMANCE' as const) : ('SECURITY' as const)],
  description: lintRules[name].description,
  detail: 'Somewhere.',
  remediation: lintRules[name].link,
  metadata: { schema: 'public', name: key },
  cache_key: `${name}.${key}`,
})
const report: LintReport = {
  lints: [finding('no_primary_key', 'a'), finding('rls_disabled_in_public', 'b')],
  skipped: [{ name: 'auth_otp_long_expiry', reason: 'Not known' }],
}

async function join(role: RoleName, organizationId: string): Promise<Person> {
  const member = await newcomer(plane, role.toLowerCase())
  await sql`insert into platform.members (organization_id, user_id, role)
    values (${organizationId}, ${member.userId}, ${role})`.execute(plane.db)
  return member
}

beforeAll(async () => {
  answer = { status: 200, body: report }
  server = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`)
  ada = await newcomer(plane, 'ada')
  stranger = await newcomer(plane, 'stranger')
  const { id: organization } = await organizationOf(ada, 'Mine')
  await insertProject(plane, organization, ownRef)
  reader = await join('Read-only', organization)
})
afterAll(async () => {
  server.close()
  await plane.end()
})

const rule = { lint_name: 'no_primary_key', scope: 'project', note: 'A log needs none' }
const listOf = async (who: Person) =>
  (await who.call('GET', exceptions)).body['exceptions'] as Record<string, unknown>[]

test('strangers find nothing, unknown rules are refused, and members who only read decide for themselves alone', async () => {
  expect((await stranger.call('GET', `${base}/advisors`)).status).toBe(404)
  expect((await stranger.call('POST', exceptions, rule)).status).toBe(404)
  expect((await ada.call('POST', exceptions, { ...rule, lint_name: 'made_up' })).status).toBe(400)
  expect((await ada.call('POST', exceptions, { ...rule, scope: 'world' })).status).toBe(400)
  expect((await reader.call('POST', exceptions, rule)).status).toBe(403)
  expect((await reader.call('POST', exceptions, { ...rule, scope: 'person' })).status).toBe(201)
  expect(await listOf(ada)).toEqual([])
  const [own] = await listOf(reader)
  const foreign = `${exceptions}/${String(own?.['id'])}`
  expect((await ada.call('DELETE', foreign)).status).toBe(404)
  expect((await reader.call('DELETE', foreign)).status).toBe(200)
})

test('a database that does not answer is said to be one', async () => {
  answer = { status: 503, body: { code: 'project_unreachable' } }
  const { status, body } = await ada.call('GET', `${base}/advisors`)
  expect([status, body['code']]).toEqual([503, 'project_unreachable'])
  answer = { status: 200, body: report }
})

test('the database’s findings come with the platform’s own, and apart for programs', async () => {
  const { body } = await ada.call('GET', `${base}/advisors`)
  const found = body['lints'] as { name: string }[]
  expect(found.map(({ name }) => name)).toEqual([
    'no_primary_key',
    'rls_disabled_in_public',
    'no_backup_admin',
  ])
  expect(body['skipped']).toEqual(report.skipped)
  const named = async (which: string) =>
    (
      (await ada.call('GET', `/v1/projects/${ownRef}/advisors/${which}`)).body['lints'] as {
        name: string
      }[]
    ).map(({ name }) => name)
  expect(await named('security')).toEqual(['rls_disabled_in_public', 'no_backup_admin'])
  expect(await named('performance')).toEqual(['no_primary_key'])
})

test('a second administrator mends what the organization lacks', async () => {
  const deputy = await newcomer(plane, 'deputy')
  const members = sql`insert into platform.members (organization_id, user_id, role)
    select organization_id, ${deputy.userId}, 'Administrator' from platform.projects where ref = ${ownRef}`
  await members.execute(plane.db)
  const { body } = await ada.call('GET', `${base}/advisors`)
  expect(JSON.stringify(body)).not.toContain('no_backup_admin')
})

test('a finding and its whole rule are ignored apart; the same again changes the note; all of it is in the audit log', async () => {
  const whole = await ada.call('POST', exceptions, rule)
  expect(whole.status).toBe(201)
  expect(whole.body).toMatchObject({ cache_key: null, created_by: 'ada@example.com' })
  const one = await ada.call('POST', exceptions, { ...rule, cache_key: 'no_primary_key.a' })
  const again = await ada.call('POST', exceptions, { ...rule, note: 'Still not' })
  expect(again.body['id']).toBe(whole.body['id'])
  // The one that was made last comes first.
  expect((await listOf(reader)).map(({ note }) => note)).toEqual(['A log needs none', 'Still not'])
  expect((await reader.call('DELETE', `${exceptions}/${String(one.body['id'])}`)).status).toBe(403)
  for (const { body } of [whole, one])
    expect((await ada.call('DELETE', `${exceptions}/${String(body['id'])}`)).status).toBe(200)
  expect((await ada.call('DELETE', `${exceptions}/${String(one.body['id'])}`)).status).toBe(404)
  expect(await listOf(ada)).toEqual([])
  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select('action')
    .where('action', 'like', 'advisors.%')
    .orderBy('id')
    .execute()
  expect(entries.map(({ action }) => action)).toEqual([
    ...Array.from({ length: 3 }, () => 'advisors.addException'),
    ...Array.from({ length: 2 }, () => 'advisors.removeException'),
  ])
})

test('two who ignore the same at once make one exception', async () => {
  const made = await Promise.all(
    Array.from({ length: 4 }, () => ada.call('POST', exceptions, { ...rule, cache_key: 'x' })),
  )
  expect(new Set(made.map(({ body }) => body['id'])).size).toBe(1)
})
