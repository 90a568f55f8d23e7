import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UpcomingInvoice } from '#contract/billing/billing-shapes'
import { planLimits } from '#contract/limits'
import { planOfTier } from '#contract/billing/plans'
import { gigabyte, type OrganizationUsage, type UsageMetric } from '#contract/billing/usage'
import { minuteDays, type MeteredMetric } from '#contract/billing/usage-metrics'
import { allFaults, rounds } from '#kit/testing/rounds'
import {
  dayMs,
  hourMs,
  startSoak,
  type Soak,
  type SoakOrganization,
  type SoakProject,
} from '../../testing/soak.ts'

/** Three cycles and a day in a release, one and some days otherwise. */
const days = rounds(36, 92)
const stepHours = allFaults ? 12 : 24
const stepMs = stepHours * hourMs

let soak: Soak
let organizations: Record<'payg' | 'team' | 'capped' | 'greedy' | 'idle', SoakOrganization>
let removed: SoakProject
beforeAll(async () => {
  soak = await startSoak({ stepHours })
  organizations = {
    payg: await soak.addOrganization('Payg', 'tier_payg'),
    team: await soak.addOrganization('Team', 'tier_team'),
    capped: await soak.addOrganization('Capped', 'tier_pro'),
    greedy: await soak.addOrganization('Greedy', 'tier_free'),
    idle: await soak.addOrganization('Idle', 'tier_free'),
  }
  const { payg, team, capped, greedy, idle } = organizations
  // Of a step one hour is measured, and the others count as nothing.
  const stored = (average: number) => ({ storedBytes: average * stepHours * gigabyte })
  await soak.addProject(payg, stored(90))
  removed = await soak.addProject(payg, stored(300))
  await soak.addProject(team, stored(120))
  await soak.addProject(capped, { storedBytes: gigabyte, share: 0.3 })
  await soak.addProject(greedy, { storedBytes: gigabyte / 4, share: 0.15 })
  await soak.addProject(idle, { state: 'quiet', storedBytes: gigabyte / 4 })
})
afterAll(() => soak.end())

type Cycle = { started_at: Date; ended_at: Date }
const cyclesOf = ({ id }: SoakOrganization): Promise<Cycle[]> =>
  soak.plane.db
    .selectFrom('platform.billing_cycles')
    .select(['started_at', 'ended_at'])
    .where('organization_id', '=', id)
    .orderBy('started_at')
    .execute()
const hoursOf = ({ started_at, ended_at }: Cycle) => ({
  from: Math.floor(started_at.getTime() / hourMs),
  to: Math.floor(ended_at.getTime() / hourMs),
})
const refsOf = ({ projects }: SoakOrganization) => projects.map(({ ref }) => ref)
const egress: MeteredMetric[] = ['egress_rest', 'egress_storage', 'egress_database']

/** What was sent of a cycle, as the usage page names it. */
function sent(organization: SoakOrganization, cycle: Cycle): Partial<Record<UsageMetric, number>> {
  const [refs, hours] = [refsOf(organization), hoursOf(cycle)]
  const sum = (...metrics: MeteredMetric[]) => soak.truth.sum(refs, metrics, hours)
  // Of a cycle that goes on, sizes are averaged over the hours that have begun.
  const passed = Math.min(hours.to, Math.floor(soak.now().getTime() / hourMs) + 1)
  return {
    EGRESS: sum(...egress),
    CACHED_EGRESS: sum('egress_cached'),
    API_REQUESTS: sum('requests_rest'),
    FUNCTION_INVOCATIONS: sum('function_invocations'),
    REALTIME_MESSAGE_COUNT: sum('realtime_messages'),
    REALTIME_PEAK_CONNECTIONS: soak.truth.peak(refs, hours),
    MONTHLY_ACTIVE_USERS: soak.truth.seen(refs, 'users', hours),
    STORAGE_SIZE: soak.truth.average(refs, { from: hours.from, to: passed }),
  }
}
async function shown({ slug }: SoakOrganization, cycle: Cycle) {
  const path = `/platform/organizations/${slug}/usage?start=${cycle.started_at.toISOString()}`
  const { status, body } = await soak.ada.call('GET', path)
  expect(status).toBe(200)
  // The contract's own parser has made it.
  const { items } = body as unknown as OrganizationUsage
  return new Map(items.map(({ metric, usage }) => [metric, usage]))
}

/** Prices of requirements §9, in cents and whole packages. */
function owed(used: Partial<Record<UsageMetric, number>>): Record<string, number> {
  const beyond = (metric: UsageMetric, included: number) =>
    Math.max(0, (used[metric] ?? 0) - included)
  const lines = {
    Egress: Math.round((beyond('EGRESS', 250 * gigabyte) / gigabyte) * 9),
    'Cached egress': Math.round((beyond('CACHED_EGRESS', 250 * gigabyte) / gigabyte) * 3),
    'Storage size': Math.round((beyond('STORAGE_SIZE', 100 * gigabyte) / gigabyte) * 2.1),
    'Edge function invocations': Math.ceil(beyond('FUNCTION_INVOCATIONS', 2e6) / 1e6) * 200,
    'Realtime messages': Math.ceil(beyond('REALTIME_MESSAGE_COUNT', 5e6) / 1e6) * 250,
    'Realtime peak connections': Math.ceil(beyond('REALTIME_PEAK_CONNECTIONS', 500) / 1000) * 1000,
  }
  return Object.fromEntries(Object.entries(lines).filter(([, cents]) => cents > 0))
}
/** What an organization is asked for the use of a cycle: by invoices that there are, and by the next one as it is known now. */
async function asked(
  { id, slug }: SoakOrganization,
  cycle: Cycle,
): Promise<Record<string, number>> {
  const rows = await soak.plane.db
    .selectFrom('platform.invoice_lines as line')
    .innerJoin('platform.invoices as invoice', 'invoice.id', 'line.invoice_id')
    .select(['line.description', 'line.amount'])
    .where('invoice.organization_id', '=', id)
    .where('line.kind', '=', 'usage')
    .where('line.period_start', '=', cycle.started_at)
    .execute()
  const path = `/platform/organizations/${slug}/billing/invoices/upcoming`
  const { status, body } = await soak.ada.call('GET', path)
  expect(status).toBe(200)
  // The contract's own parser has made it.
  const { lines } = body as unknown as UpcomingInvoice
  const coming = lines.filter(
    ({ kind, period_start }) => kind === 'usage' && period_start === cycle.started_at.toISOString(),
  )
  const sums: Record<string, number> = {}
  for (const { description, amount } of [...rows, ...coming]) {
    const [name = ''] = description.split(' beyond ')
    sums[name] = (sums[name] ?? 0) + Number(amount)
  }
  return sums
}

const count = async (query: ReturnType<typeof sql<{ n: string }>>) =>
  Number((await query.execute(soak.plane.db)).rows[0]?.n)

/** What has to hold at every moment: nothing is kept longer than it is to be. */
async function expectBounds(): Promise<void> {
  const now = soak.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  // An hour in which rounds come, and two in which nothing can be missing of the hours that are put together.
  const minutes = ago(minuteDays * dayMs + 3 * hourMs)
  expect(
    await count(
      sql`select count(*) as n from platform.usage_minutes where minute < ${minutes} or stale`,
    ),
  ).toBe(0)
  const fine = ago(27 * hourMs)
  expect(
    await count(
      sql`select count(*) as n from platform.metric_samples where seconds = 60 and began_at < ${fine}`,
    ),
  ).toBe(0)
  for (const { tier, projects } of Object.values(organizations)) {
    const kept = planLimits[planOfTier[tier]].logRetentionDays * dayMs
    for (const { id, ref, state } of projects) {
      const samples = state === 'removed' ? now : ago(kept + hourMs)
      expect(
        await count(
          sql`select count(*) as n from platform.metric_samples where project_id = ${id} and began_at < ${samples}`,
        ),
      ).toBe(0)
      const names = await readdir(join(soak.logsFolder, ref)).catch(() => [])
      if (state === 'removed') expect(names).toEqual([])
      else {
        // A day goes when all of it is too old.
        const oldest = ago(kept).toISOString().slice(0, 10)
        expect(names.filter((name) => name < oldest)).toEqual([])
        expect(names.length).toBeGreaterThan(0)
        expect(names.length).toBeLessThanOrEqual(kept / dayMs + 1)
      }
    }
  }
}

async function standingOf({ id }: SoakOrganization): Promise<string> {
  const { restriction_status, restriction_cause } = await soak.plane.db
    .selectFrom('platform.organizations')
    .select(['restriction_status', 'restriction_cause'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return restriction_status === null ? 'good' : `${restriction_status} ${restriction_cause}`
}
/**
 * What the standing of an organization on Free has to be, by what was sent: seven days of grace once in 60 days, three more, and
 * then restricted; a new cycle ends it.
 */
function expectedStanding() {
  let grace: number | undefined
  let since: number | undefined
  let end = 0
  return (isBeyond: boolean, now: number): string => {
    if (!isBeyond) {
      since = undefined
      return 'good'
    }
    if (since === undefined) {
      since = now
      const isFirst = grace === undefined || now - grace >= 60 * dayMs
      if (isFirst) grace = now
      end = isFirst ? now + 7 * dayMs : now
    }
    if (now < end) return 'grace_period quota'
    return now < end + 3 * dayMs ? 'grace_period_over quota' : 'restricted quota'
  }
}

test(
  `${days} days by a clock: usage, invoices, quotas and what is kept stay exact and bounded`,
  { timeout: 900_000 },
  async () => {
    const { payg, greedy, idle } = organizations
    const standing = expectedStanding()
    const standings = { seen: [] as string[], expected: [] as string[] }
    for (let step = 1; step <= (days * dayMs) / stepMs; step += 1) {
      const day = (step * stepMs) / dayMs
      if (day === 9) await soak.remove(removed)
      await soak.step()
      // No round has failed, of any subject, and nothing was warned of.
      expect(soak.complaints).toEqual([])
      const cycle = (await cyclesOf(greedy)).at(-1)
      const beyond = cycle !== undefined && (sent(greedy, cycle).EGRESS ?? 0) > 5 * gigabyte
      standings.seen.push(await standingOf(greedy))
      standings.expected.push(standing(beyond, soak.now().getTime()))
      if (day % 12 === 0) await soak.tidyLogs()
      if (day % 6 === 0) await expectBounds()
    }
    await expectBounds()
    expect(standings.seen).toEqual(standings.expected)
    expect(new Set(standings.seen).size).toBeGreaterThan(3)

    const { refused, expected } = soak.refusals()
    expect(refused).toBe(expected)
    expect(refused).toBeGreaterThan(0)
    expect(soak.kills()).toBeGreaterThan(2)

    for (const organization of Object.values(organizations)) {
      const cycles = await cyclesOf(organization)
      expect(cycles.length).toBe(Math.floor(days / 30) + 1)
      for (const cycle of cycles) {
        const used = sent(organization, cycle)
        const page = await shown(organization, cycle)
        for (const [metric, value] of Object.entries(used))
          // The names are those of `sent`.
          expect([metric, page.get(metric as UsageMetric)]).toEqual([metric, value])
        const isBilled = organization.tier === 'tier_payg' || organization.tier === 'tier_team'
        expect(await asked(organization, cycle)).toEqual(isBilled ? owed(used) : {})
      }
      const invoices = await soak.plane.db
        .selectFrom('platform.invoices')
        .select(['key', 'reason', 'status'])
        .where('organization_id', '=', organization.id)
        .execute()
      const ofCycles = invoices.filter(({ reason }) => reason === 'subscription_cycle')
      const isPaid = planOfTier[organization.tier] !== 'free'
      expect(ofCycles.length).toBe(isPaid ? cycles.length - 1 : 0)
      expect(new Set(invoices.map(({ key }) => key)).size).toBe(invoices.length)
      expect(invoices.filter(({ status }) => status !== 'paid')).toEqual([])
    }
    // Something was billed at all, and by each of the ways to price it.
    const [first] = await cyclesOf(payg)
    expect(Object.keys(first ? await asked(payg, first) : {})).toEqual(
      expect.arrayContaining(['Egress', 'Edge function invocations', 'Storage size']),
    )
    const { ada } = soak
    const paused = await ada.call('GET', `/platform/projects/${idle.projects[0]?.ref}/status`)
    expect(paused.body).toMatchObject({ status: 'INACTIVE' })
  },
)
