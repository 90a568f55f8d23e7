import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { LogDrain, LogDrainOrder } from '#contract/observability/log-drain-shapes'
import type { Tier } from '#contract/billing/plans'
import type { RoleName } from '#contract/permissions'
import { silentLog } from '#kit/log'
import { internalToken, startControlPlane, type Person } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'
import { insertProject, ownRef } from './victim.ts'

type Sent = { url: string; body: { type: string; config: Record<string, unknown> } }

/**
 * A control plane with an organization `mine` and one project in it, a clock that stands until it is moved, and a server that
 * stands where the data plane would: it keeps what it is asked, and answers what it is told to.
 */
export async function startDrains() {
  const sent: Sent[] = []
  const answer: { value: unknown; status: number } = { value: {}, status: 200 }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      sent.push({ url: request.url ?? '', body: JSON.parse(body) as Sent['body'] })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.value))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const clock = { now: new Date('2026-11-10T12:00:00Z') }
  const plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`, {
    now: () => clock.now,
  })
  const ada = await newcomer(plane, 'ada')
  const stranger = await newcomer(plane, 'stranger')
  const organization = (await organizationOf(ada, 'Mine')).id
  await insertProject(plane, organization, ownRef)
  const members = new Map<string, Person>()
  const join = async (role: RoleName, name = role.toLowerCase()) => {
    const member = await newcomer(plane, name)
    await plane.db
      .insertInto('platform.members')
      .values({ organization_id: organization, user_id: member.userId, role })
      .execute()
    return member
  }
  for (const role of ['Administrator', 'Developer', 'Read-only'] as const)
    members.set(role, await join(role))
  const internal = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${internalToken}` }
    const response = await plane.app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() as Record<string, unknown> }
  }

  return {
    plane,
    ada,
    stranger,
    organization,
    ref: ownRef,
    sent,
    answer,
    clock,
    internal,
    path: `/platform/projects/${ownRef}/analytics/log-drains`,
    auditPath: '/platform/organizations/mine/analytics/audit-log-drains',
    as(role: 'Administrator' | 'Developer' | 'Read-only'): Person {
      const found = members.get(role)
      if (!found) throw new Error(`Nobody is ${role}`)
      return found
    },
    /** One more, who has called nothing yet. */
    administrator: () => join('Administrator', randomUUID()),
    pass(ms: number): void {
      clock.now = new Date(clock.now.getTime() + ms)
    },
    /** As the operator would set it. */
    onTier: (tier: Tier) => internal('PUT', '/internal/billing/organizations/mine', { tier }),
    /** Returns its token. */
    async make(path: string, drain: object = webhook()): Promise<string> {
      const { status, body } = await ada.call('POST', path, drain)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return String(body['token'])
    },
    async list(path: string, who: Person = ada): Promise<LogDrain[]> {
      const { status, body } = await who.call('GET', path)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return Object.values(body) as LogDrain[]
    },
    async orders(): Promise<LogDrainOrder[]> {
      return Object.values((await internal('GET', '/internal/log-drains')).body) as LogDrainOrder[]
    },
    report: (token: string, more: object = {}, start = ownStart) =>
      internal('POST', '/internal/log-drains', {
        reports: [{ ...reported, token, start, ...more }],
      }),
    forget: () =>
      sql`truncate platform.log_drains, platform.log_drain_reports, platform.add_on_usage`.execute(
        plane.db,
      ),
    async end(): Promise<void> {
      server.close()
      await plane.end()
    },
  }
}
export type DrainsWorld = Awaited<ReturnType<typeof startDrains>>

const ownStart = '11111111-1111-4111-8111-111111111111'
const reported = {
  month: '2026-11',
  delivered_until: null,
  last_success_at: null,
  failing_since: null,
  last_error: null,
  next_attempt_at: null,
  events: 0,
  bytes: 0,
  lost: 0,
}

export const webhook = (more: object = {}) => ({
  name: 'Archive',
  type: 'webhook',
  config: { url: 'https://logs.example.com/in', headers: { 'X-Key': canary } },
  ...more,
})
/** In no answer, no entry and no log. */
export const canary = 'canary-4f1b9c'
