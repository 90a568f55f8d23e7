import { randomUUID } from 'node:crypto'
import type { Parsed } from '#contract/endpoint'
import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier } from '#contract/billing/plans'
import {
  maxLogDrains,
  type LogDrain,
  type LogDrainTest,
  type LogDrainType,
} from '#contract/observability/log-drain-shapes'
import type { logDrains as api } from '#contract/observability/log-drains'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Reach } from '#kit/network/reach'
import type { Audited } from '../../audited.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import {
  parseConfig,
  secretNames,
  wholeConfig,
  withoutSecrets,
  type ParsedConfig,
} from './config.ts'
import type { DrainReportStore } from './reports-store.ts'
import type { Sealing } from './sealing.ts'
import { settleSending } from './sending-store.ts'
import { stateOf } from './state.ts'
import type { DrainRow, LogDrainStore, Owner, Place, ReportRow } from './store.ts'

type Deps = {
  store: LogDrainStore
  reports: DrainReportStore
  sealing: Sealing
  audited: Audited
  record: RecordChange
  /** Has the data planes look again, when the transaction commits, at what is of no project. */
  notifyAny: (tx: Tx) => Promise<void>
  /** Which addresses drains may send to. */
  reach: Reach
  send: (drain: { type: LogDrainType; config: Record<string, unknown> }) => Promise<LogDrainTest>
  now: () => Date
}
type By = { caller: Caller; origin: Origin }
type New = Omit<Parsed<typeof api.create>, 'ref'>
/** Of programs, which may say which kind a drain is. */
type Changed = Omit<Parsed<typeof api.update>, 'ref'> & { type?: LogDrainType }
type Tested = Omit<Parsed<typeof api.test>, 'ref'>
type Told = { change?: Record<string, unknown> }

const planNeeded = 'Log drains are available on the Team plan and above'
const nameOf = {
  project: 'log-drains',
  organization: 'audit-log-drains',
} as const

/** Where the logs of projects and organizations are sent. Secrets go in, and come out for the data plane only. */
export function createLogDrains(deps: Deps) {
  const { store, reports, sealing, now } = deps

  const missing = (owner: Owner) =>
    new ApiError(owner.of === 'project' ? 'project_not_found' : 'organization_not_found')
  async function placeOf(owner: Owner, tx?: Tx): Promise<Place> {
    const place = await store.place(owner, tx)
    if (!place) throw missing(owner)
    return place
  }
  const isIncluded = ({ tier }: Place) => hasFeature(planOfTier[tier], 'security.logDrain')
  function gate(place: Place): void {
    if (!isIncluded(place)) throw new ApiError('plan_limit', planNeeded)
  }

  function checkType(row: DrainRow, type: LogDrainType): void {
    if (row.type !== type)
      throw new ApiError('invalid_input', `type: This log drain is of type ${row.type}`)
  }

  const shape = (row: DrainRow, of: readonly ReportRow[]): LogDrain => ({
    token: row.token,
    name: row.name,
    description: row.description,
    type: row.type,
    config: row.config,
    enabled: row.enabled,
    inserted_at: row.inserted_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    state: stateOf(
      of.filter(({ drain_id }) => drain_id === row.id),
      now(),
    ),
  })
  const shown = async (rows: readonly DrainRow[]): Promise<LogDrain[]> => {
    const said = await reports.ofDrains(rows.map(({ id }) => id))
    return rows.map((row) => shape(row, said))
  }
  async function find(place: Place, token: string, tx?: Tx): Promise<DrainRow> {
    const row = (await store.list(place, tx)).find((one) => one.token === token)
    if (!row) throw new ApiError('log_drain_not_found')
    return row
  }
  const get = async (owner: Owner, token: string): Promise<LogDrain> => {
    const [drain] = await shown([await find(await placeOf(owner), token)])
    if (!drain) throw new ApiError('log_drain_not_found')
    return drain
  }

  /** One change, with its audit entry, its price and the notice to the data planes, while nobody else changes the owner. */
  async function change(
    owner: Owner,
    { caller, origin }: By,
    action: 'create' | 'update' | 'remove',
    work: (tx: Tx, place: Place) => Promise<Told>,
  ): Promise<void> {
    const name = `${nameOf[owner.of]}.${action}`
    const settled = async (tx: Tx): Promise<Told> => {
      const place = await placeOf(owner, tx)
      const told = await work(tx, place)
      if (told.change) await settleSending(tx, now(), place.organization_id)
      return told
    }
    if (owner.of === 'project') {
      await deps.audited({ caller, ref: owner.ref, origin }, name, settled)
      return
    }
    await store.inOrganization(owner.slug, async (tx, organizationId) => {
      if (organizationId === undefined) throw missing(owner)
      const told = await settled(tx)
      if (!told.change) return
      await deps.record(tx, {
        organizationId,
        actor: caller,
        action: name,
        target: `organization:${owner.slug}`,
        change: told.change,
        origin,
      })
      await deps.notifyAny(tx)
    })
  }

  /** What the audit log says of a drain: no secret, only which there are. */
  const noted = (
    {
      name,
      description,
      type,
      enabled,
    }: Pick<DrainRow, 'name' | 'description' | 'type' | 'enabled'>,
    config: ParsedConfig,
  ) => ({
    name,
    description,
    type,
    enabled,
    config: config.open,
    secrets: secretNames(config),
  })

  return {
    /** Those that are left from another plan are shown, too, so that they can be deleted. */
    async list(owner: Owner): Promise<LogDrain[]> {
      return shown(await store.list(await placeOf(owner)))
    },

    async create(owner: Owner, { name, description, type, config }: New, by: By) {
      const token = randomUUID()
      await change(owner, by, 'create', async (tx, place) => {
        gate(place)
        const parsed = parseConfig(type, config, deps.reach)
        if ((await store.list(place, tx)).length >= maxLogDrains)
          throw new ApiError('too_many_log_drains')
        const row = await store.insert(tx, place, {
          token,
          name,
          description,
          type,
          config: JSON.stringify(parsed.open),
          sealed_secrets: sealing.seal(token, parsed),
          enabled: true,
          since: now(),
          inserted_at: now(),
          updated_at: now(),
        })
        return { change: { after: noted(row, parsed) } }
      })
      return get(owner, token)
    },

    /** What is left out stays as it is; so do secrets, unless the address changes. */
    async update(owner: Owner, { token, config, type, ...given }: Changed, by: By) {
      await change(owner, by, 'update', async (tx, place) => {
        gate(place)
        const row = await find(place, token, tx)
        if (type !== undefined) checkType(row, type)
        const before = sealing.open(row)
        const parsed =
          config === undefined ? before : parseConfig(row.type, config, deps.reach, before)
        const after = {
          name: given.name ?? row.name,
          description: given.description ?? row.description,
          enabled: given.enabled ?? row.enabled,
        }
        const entries = [noted(row, before), noted({ ...after, type: row.type }, parsed)] as const
        const isNew = JSON.stringify(wholeConfig(before)) !== JSON.stringify(wholeConfig(parsed))
        if (!isNew && JSON.stringify(entries[0]) === JSON.stringify(entries[1])) return {}
        await store.update(
          tx,
          row.id,
          { ...after, config: parsed.open, sealed_secrets: sealing.seal(token, parsed) },
          now(),
        )
        if (isNew || after.enabled !== row.enabled) await reports.forgetFailures(tx, row.id)
        return { change: { before: entries[0], after: entries[1] } }
      })
      return get(owner, token)
    },

    /** On any plan: what is kept of a drain can always be deleted. */
    async remove(owner: Owner, token: string, by: By): Promise<{ token: string }> {
      await change(owner, by, 'remove', async (tx, place) => {
        const row = await find(place, token, tx)
        await store.remove(tx, row.id)
        // Without opening its secrets: a drain can be deleted when nobody can read them any more.
        const { name, type, config } = row
        return { change: { before: { name, type, config } } }
      })
      return { token }
    },

    /** Sends one entry. The answer of the other side may say what it was sent, which nobody is shown. */
    async test(owner: Owner, { token, type, config }: Tested): Promise<LogDrainTest> {
      const place = await placeOf(owner)
      gate(place)
      const row = token === undefined ? undefined : await find(place, token)
      if (row) checkType(row, type)
      const parsed = parseConfig(type, config, deps.reach, row && sealing.open(row))
      const answer = await deps.send({ type, config: wholeConfig(parsed) })
      return { ...answer, detail: withoutSecrets(answer.detail, parsed).slice(0, 500) }
    },
  }
}
export type LogDrains = ReturnType<typeof createLogDrains>
