import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import { gigabyte } from '#contract/billing/usage'
import type { MeteredMetric, UsageBucket, UsageSighting } from '#contract/billing/usage-metrics'
import { event } from '#data-plane/testing/logs/events'
import { openStore } from '#data-plane/testing/logs/store'
import { newProjectRef } from '#kit/ids'
import { createLog } from '#kit/log'
import { computeInMemory } from './compute-in-memory.ts'
import { internalToken, startControlPlane } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'
import { createTruth } from './soak-truth.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
/**
 * Far behind the machine's own clock, which the database stamps rows with: what it stamps is always of a time before, whenever this
 * runs. The 31st of a leap year, so that cycles are of 29, 31 and 30 days.
 */
const begin = Date.parse('2040-01-31T10:30:00Z')
/** Warnings that are part of what happens here. */
const expectedWarnings = [
  'Usage came too late, or from a clock that is ahead',
  'the restriction of an organization has changed',
  'a project is paused by the platform',
  // A job that is under way was begun by the machine's own clock, years before.
  '"condition":"job_stuck"',
  // On a machine that is busy with other things; whoever waited asks again, and what is not done in the end is found below.
  'timeout exceeded when trying to connect',
]

export type SoakProject = {
  ref: string
  id: string
  storedBytes: number
  state: 'used' | 'quiet' | 'removed'
  /** When it was removed, in milliseconds. */
  removedAt?: number
  /** How much it is used, beside others. */
  share: number
}
export type SoakOrganization = { id: string; slug: string; tier: Tier; projects: SoakProject[] }
/** Something that is on its way. `dueAt`: when it comes, in milliseconds. */
type OnItsWay = {
  dueAt: number
  bucket?: UsageBucket
  sighting?: UsageSighting
  isTooLate: boolean
}

/** Numbers from 0 up to 1, the same ones in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * A platform on which weeks pass in seconds: the whole control plane by a clock that stands until it is moved, real files of logs, and services that send
 * what they have counted as real ones do, some of it again, late, too late, or for a process that was killed. `stepHours` pass at once.
 */
export async function startSoak({ stepHours }: { stepHours: number }) {
  let clock = begin
  const now = () => new Date(clock)
  const random = numbersFrom(7)
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))

  const projects = new Map<string, SoakProject>()
  const logs = await openStore({ now: () => clock })
  const dataPlane = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      answer(`${request.method} ${request.url}`, Buffer.concat(parts).toString()).then(
        (body) => response.end(JSON.stringify(body)),
        (error: unknown) => {
          response.statusCode = 500
          response.end(JSON.stringify({ code: 'internal', message: String(error) }))
        },
      )
    })
  })
  async function answer(asked: string, body: string): Promise<object> {
    const [, stored] = /^GET \/internal\/storage\/(\w+)\/usage$/.exec(asked) ?? []
    if (stored !== undefined) {
      const bytes = projects.get(stored)?.storedBytes ?? 0
      return { buckets: [{ id: 'files', objects: 1, bytes }], trash: { objects: 0, bytes: 0 } }
    }
    const [, dropped] = /^DELETE \/internal\/logs\/(\w+)$/.exec(asked) ?? []
    if (dropped !== undefined) {
      await logs.store.drop(dropped)
      return {}
    }
    if (asked === 'GET /internal/logs') return logs.store.projects()
    if (asked === 'POST /internal/logs/retention') {
      // What the control plane sends; it is its own contract that is looked at here.
      const { projects: kept } = JSON.parse(body) as { projects: { ref: string; since: number }[] }
      for (const { ref, since } of kept) await logs.store.retain(ref, since)
      return { kept: kept.length }
    }
    throw new Error(`Nobody answers ${asked}`)
  }
  dataPlane.listen(0, '127.0.0.1')
  await once(dataPlane, 'listening')

  const complaints: string[] = []
  const log = createLog('soak', 'warn', {
    write(line: string) {
      if (!expectedWarnings.some((words) => line.includes(words))) complaints.push(line)
    },
  })
  const compute = computeInMemory({
    disk: () => ({ database: gigabyte / 4, other: gigabyte / 8 }),
    load: () => ({ cpuSeconds: clock / 4000, memoryBytes: 3e8, connections: 7 }),
  })
  const plane = await startControlPlane(
    log,
    // It listens on a port of IP.
    `http://127.0.0.1:${(dataPlane.address() as AddressInfo).port}`,
    { now, compute: compute.provider },
  )
  const ada = await newcomer(plane, 'ada')
  const truth = createTruth()
  const onTheirWay: OnItsWay[] = []
  /** The processes that count now; two serve everything. */
  let starts = [randomUUID(), randomUUID()]
  let kills = 0
  let refused = 0
  let expectedRefusals = 0

  async function addProject(
    organization: SoakOrganization,
    { state = 'used', storedBytes, share = 1 }: Partial<SoakProject> & { storedBytes: number },
  ): Promise<SoakProject> {
    const ref = newProjectRef()
    compute.add(ref)
    const { rows } = await sql<{ id: string }>`
      insert into platform.projects (ref, organization_id, name, status, region, cloud_provider, compute_size, db_version, sealed_secrets, inserted_at)
      values (${ref}, ${organization.id}, ${ref}, 'ACTIVE_HEALTHY', 'local', 'AWS', 'micro', '17.10', '', ${now()}) returning id`.execute(
      plane.db,
    )
    await plane.db
      .updateTable('platform.compute_usage')
      .set({ started_at: now() })
      .where('project_ref', '=', ref)
      .execute()
    const made = { ref, id: rows[0]?.id ?? '', storedBytes, state, share }
    projects.set(ref, made)
    organization.projects.push(made)
    return made
  }

  async function addOrganization(name: string, tier: Tier): Promise<SoakOrganization> {
    return { ...(await organizationOf(ada, name, tier)), tier, projects: [] }
  }

  async function send(report: { buckets: UsageBucket[]; sightings: UsageSighting[] }) {
    const response = await plane.app.inject({
      method: 'POST',
      url: '/internal/usage',
      headers: { authorization: `Bearer ${internalToken}` },
      payload: report,
    })
    if (response.statusCode !== 200) throw new Error(`Usage was refused: ${response.body}`)
    return response.json<{ refused: number }>().refused
  }

  /** When something comes: at once, or days later from the journal of a process that is gone; once in a while too late. */
  function due(minute: number): Pick<OnItsWay, 'dueAt' | 'isTooLate'> {
    const kind = random()
    if (kind < 0.85) return { dueAt: clock, isTooLate: false }
    if (kind < 0.97) return { dueAt: clock + between(6, 100) * hourMs, isTooLate: false }
    return { dueAt: minute * 60_000 + 7.3 * dayMs, isTooLate: true }
  }

  /** At most, of a project in six hours. */
  const amounts = {
    egress_rest: 3 * gigabyte,
    egress_storage: 2 * gigabyte,
    egress_database: gigabyte,
    egress_cached: gigabyte,
    requests_rest: 50_000,
    function_invocations: 50_000,
    realtime_messages: 150_000,
  } satisfies Partial<Record<MeteredMetric, number>>
  function countOf({ ref, share }: SoakProject): void {
    const amount = (most: number) => between(1, Math.round(most * share))
    const lastMinute = Math.floor(clock / 60_000) - 1
    const first = lastMinute - stepHours * 60 + 1
    for (const [metric, most] of Object.entries(amounts)) {
      const start = starts[between(0, 1)] ?? ''
      const minute = between(first, lastMinute)
      const value = amount((most * stepHours) / 6)
      // The metrics are those of `amounts`.
      const bucket = { start, ref, metric: metric as MeteredMetric, minute, value }
      onTheirWay.push({ ...due(minute), bucket })
      // What it had counted before comes, too, and often after what it has counted since.
      const before = { ...bucket, value: between(0, value) }
      if (random() < 0.5) onTheirWay.push({ ...due(minute), bucket: before })
    }
    // Each at a minute that is a multiple of three: no process was there in the minute before or after.
    const minute = Math.ceil(first / 3) * 3 + 3 * between(0, stepHours * 20 - 2)
    for (const start of starts) {
      const bucket = {
        start,
        ref,
        metric: 'realtime_connections' as const,
        minute,
        value: amount(400),
      }
      onTheirWay.push({ ...due(minute), bucket })
    }
    for (let count = 0; count < 3; count += 1) {
      // Of few users, so that many are seen again, in the same cycle and in the next.
      const hash = Buffer.alloc(16, between(0, 120)).toString('base64url')
      const seen = between(first, lastMinute)
      onTheirWay.push({ ...due(seen), sighting: { ref, kind: 'users', hash, minute: seen } })
    }
  }

  /** All that has come by now, in any order, and a third of it twice. */
  async function deliver(): Promise<void> {
    const come = onTheirWay.filter(({ dueAt }) => dueAt <= clock)
    const left = onTheirWay.filter(({ dueAt }) => dueAt > clock)
    onTheirWay.splice(0, onTheirWay.length, ...left)
    const mixed = come
      .map((one) => ({ one, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ one }) => one)
    for (let from = 0; from < mixed.length; from += 40) {
      const part = mixed.slice(from, from + 40)
      const report = {
        buckets: part.flatMap(({ bucket }) => bucket ?? []),
        sightings: part.flatMap(({ sighting }) => sighting ?? []),
      }
      const times = random() < 0.3 ? 2 : 1
      for (let time = 0; time < times; time += 1) {
        refused += await send(report)
        expectedRefusals += part.filter(({ isTooLate }) => isTooLate).length
      }
      for (const { bucket, sighting, isTooLate } of part) {
        if (isTooLate) continue
        if (bucket) truth.bucket(bucket)
        if (sighting) truth.sighting(sighting)
      }
    }
  }

  /** Of a project that was removed there are some for another day, from processes that have not heard of it. */
  async function writeLogs(): Promise<void> {
    for (const { ref, removedAt = Infinity } of projects.values())
      for (let back = 0; back < 3 && clock < removedAt + dayMs; back += 1) {
        const timestamp = (clock - back * 2 * hourMs) * 1000
        logs.store.append(ref, [{ ...event(randomBytes(8).toString('hex'), 0), timestamp }])
      }
    await logs.store.flush()
  }

  /** Jobs that were accepted have come to their ends. */
  const jobsDone = () =>
    vi.waitFor(
      async () => {
        const open = await plane.db
          .selectFrom('platform.jobs')
          .select('name')
          .where('finished_at', 'is', null)
          .execute()
        if (open.length > 0)
          throw new Error([...open.map(({ name }) => name), ...complaints].join('\n'))
      },
      { timeout: 120_000, interval: 10 },
    )

  async function payAll(): Promise<void> {
    const open = await plane.db
      .selectFrom('platform.invoices')
      .select('id')
      .where('status', '=', 'open')
      .execute()
    for (const { id } of open) {
      const { statusCode, body } = await plane.app.inject({
        method: 'POST',
        url: `/internal/billing/invoices/${id}/paid`,
        headers: { authorization: `Bearer ${internalToken}` },
        payload: {},
      })
      if (statusCode !== 200) throw new Error(body)
    }
  }

  async function look(): Promise<void> {
    for (const { run } of plane.rounds) await run()
    await jobsDone()
    for (const { ref, storedBytes, state } of projects.values())
      if (state !== 'removed') truth.storage(ref, Math.floor(clock / hourMs), storedBytes)
  }

  return {
    plane,
    ada,
    truth,
    complaints,
    logsFolder: logs.folder,
    now,
    kills: () => kills,
    refusals: () => ({ refused, expected: expectedRefusals }),
    addOrganization,
    addProject,
    tidyLogs: () => logs.store.tidyAll(),

    /** Some hours pass: services count and send, everything that is done by the clock is done, bills are paid. */
    async step(): Promise<void> {
      clock += stepHours * hourMs
      if (random() < 0.1) {
        kills += 1
        starts = starts.map((start, at) => (at === kills % 2 ? randomUUID() : start))
      }
      for (const project of projects.values()) if (project.state === 'used') countOf(project)
      await deliver()
      await writeLogs()
      await look()
      await payAll()
    },

    async remove(project: SoakProject): Promise<void> {
      const { status } = await ada.call('DELETE', `/platform/projects/${project.ref}`)
      if (status !== 200) throw new Error(`It cannot be deleted: ${status}`)
      await jobsDone()
      project.state = 'removed'
      project.removedAt = clock
      // The row has these from clocks that are not moved with ours.
      await plane.db
        .updateTable('platform.projects')
        .set({ status_since: now() })
        .where('ref', '=', project.ref)
        .execute()
    },

    async end(): Promise<void> {
      await plane.end()
      dataPlane.closeAllConnections()
      dataPlane.close()
      await logs.close()
    },
  }
}
export type Soak = Awaited<ReturnType<typeof startSoak>>
