import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Channel } from '../channel.ts'
import {
  matchAll,
  publishedColumns,
  tableFacts,
  visibleRows,
  type TableFacts,
  type Visible,
} from './changes-store.ts'
import { FilterError, holds, misfit, parseFilter, type Condition } from './filter.ts'
import type { RequestedChanges } from '../join-config.ts'
import { outgoing, type Outgoing } from '../outgoing.ts'
import type { Reader } from '../service.ts'
import { dataOf, pick } from './change-data.ts'
import type { Change } from './wal-store.ts'

export type Subscription = {
  id: number
  channel: Channel
  event: string
  schema: string
  /** Undefined: every table of the schema. */
  table: string | undefined
  conditions: Condition[]
  /** The conditions as they came. */
  filter: string | undefined
  /** Undefined: every column. */
  select: string[] | undefined
}

/** What a client wants cannot be had; the message is for it. */
export class SubscribeError extends Error {}

/** The number by which a client knows which of its listeners a change is for: the same for all who want the same. */
export const idOf = (requested: RequestedChanges): number =>
  createHash('sha256').update(JSON.stringify(requested)).digest().readUInt32BE(0) >>> 1 || 1

/** Looks whether there is what a client wants. @throws SubscribeError */
export async function subscriptionOf(
  pool: Pool,
  channel: Channel,
  requested: RequestedChanges,
): Promise<Subscription> {
  const { schema = 'public', table, filter, select } = requested
  const event = typeof requested['event'] === 'string' ? requested['event'].toUpperCase() : ''
  const params = `[event: ${event || '?'}, schema: ${textOf(schema)}, table: ${textOf(table ?? '*')}, filters: ${textOf(filter ?? '')}]`
  const unable = (why: string) =>
    new SubscribeError(`Unable to subscribe to changes with given parameters. ${why}: ${params}`)
  const isKnown = ['*', 'INSERT', 'UPDATE', 'DELETE'].includes(event)
  const hasNames = typeof schema === 'string' && (table == null || typeof table === 'string')
  if (!isKnown || !hasNames) {
    throw new SubscribeError(
      'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to',
    )
  }
  const name = table == null || table === '*' ? undefined : String(table)
  const conditions = typeof filter === 'string' ? conditionsOf(filter) : []
  const columns = await publishedColumns(pool, schema, name)
  if (columns.length === 0 && name !== undefined) {
    throw unable('Please check Realtime is enabled for the given connect parameters')
  }
  for (const condition of conditions) {
    const found = columns.find(({ column }) => column === condition.column)
    if (!found) throw unable(`There is no column ${condition.column}`)
    const bad = misfit(condition, found.type)
    if (bad !== undefined) throw unable(`"${bad}" is no value of type ${found.type}`)
  }
  const names = Array.isArray(select) ? select.filter((one) => typeof one === 'string') : undefined
  if (names && name === undefined) throw unable('select needs a table')
  const missing = names?.find((one) => !columns.some(({ column }) => column === one))
  if (missing !== undefined) throw unable(`There is no column ${missing}`)
  return {
    id: idOf(requested),
    channel,
    event,
    schema,
    table: name,
    conditions,
    filter: typeof filter === 'string' && filter !== '' ? filter : undefined,
    select: names,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function conditionsOf(filter: string): Condition[] {
  try {
    return parseFilter(filter)
  } catch (error) {
    if (error instanceof FilterError) throw new SubscribeError(error.message)
    throw error
  }
}

/** Who listens to changes of tables in this process, and what each of them gets of a change. */
export class Feed {
  private readonly subscriptions = new Set<Subscription>()
  private readonly pool: () => Pool

  constructor(pool: () => Pool) {
    this.pool = pool
  }

  add(subscription: Subscription): void {
    this.subscriptions.add(subscription)
    subscription.channel.onClose(() => this.subscriptions.delete(subscription))
  }

  get isEmpty(): boolean {
    return this.subscriptions.size === 0
  }

  /** Changes of one transaction. Neighbours of one table are looked at together. */
  async deliver(changes: readonly Change[]): Promise<void> {
    for (let from = 0; from < changes.length;) {
      const oid = changes[from]?.table.oid
      let to = from
      while (changes[to]?.table.oid === oid && to < changes.length) to++
      await this.deliverOf(changes.slice(from, to))
      from = to
    }
  }

  private async deliverOf(changes: readonly Change[]): Promise<void> {
    const [first] = changes
    const interested = [...this.subscriptions].filter(
      ({ schema, table }) =>
        schema === first?.table.schema && (table === undefined || table === first.table.name),
    )
    if (!first || interested.length === 0) return
    const facts = await tableFacts(this.pool(), first.table.oid)
    // The table has been dropped since: nobody may see anything of it.
    if (!facts) return
    const readers = [
      ...new Map(interested.map(({ channel: { reader } }) => [printOf(reader), reader])).values(),
    ]
    const keys = changes.map(({ record }) => pick(record ?? {}, facts.keys))
    const { xid, table } = first
    const answers = await visibleRows(this.pool(), {
      xid,
      oid: table.oid,
      keyColumns: facts.keys,
      keys,
      readers,
    })
    const visible = new Map(readers.map((reader, i) => [printOf(reader), answers[i]]))
    for (const [i, change] of changes.entries()) {
      const wanting = await this.wanting(interested, change, facts)
      this.send(change, facts, wanting, i + 1, visible)
    }
  }

  private async wanting(all: Subscription[], change: Change, { types }: TableFacts) {
    const row = change.record ?? change.old ?? {}
    const asked: {
      text: string
      pattern: string
      ignoreCase: boolean
      negated: boolean
      of: Subscription
    }[] = []
    const fits = all.filter((subscription) => {
      if (subscription.event !== '*' && subscription.event !== change.type) return false
      return subscription.conditions.every((condition) => {
        const { column, value, operator, negated } = condition
        const text = row[column]
        if (text === undefined) return false
        const held = holds(condition, text, types[column] ?? 'text')
        if (held === 'ask')
          asked.push({
            text: text ?? '',
            pattern: value,
            ignoreCase: operator === 'imatch',
            negated,
            of: subscription,
          })
        return held !== false
      })
    })
    if (asked.length === 0) return fits
    const found = await matchAll(this.pool(), asked)
    const out = new Set(asked.filter(({ negated }, i) => found[i] === negated).map(({ of }) => of))
    return fits.filter((subscription) => !out.has(subscription))
  }

  private send(
    change: Change,
    facts: TableFacts,
    wanting: Subscription[],
    place: number,
    visible: Map<string, Visible | undefined>,
  ): void {
    const channels = new Map<Channel, Subscription[]>()
    for (const one of wanting)
      channels.set(one.channel, [...(channels.get(one.channel) ?? []), one])
    const made = new Map<string, Outgoing>()
    for (const [channel, wants] of channels) {
      const seen = visible.get(printOf(channel.reader))
      // Who changed their token meanwhile is asked about at the next change.
      if (!seen) continue
      const isShown =
        change.type === 'DELETE' || seen.places === null || seen.places.includes(place)
      const keyless = seen.places !== null && facts.keys.length === 0
      const noColumn = seen.columns.length === 0
      if (!isShown && !noColumn && !keyless) continue
      // Each choice of columns is an answer of its own; most clients choose none.
      const choices = new Map(wants.map(({ select }) => [JSON.stringify(select ?? null), select]))
      for (const [choice, select] of choices) {
        const ids = wants
          .filter((one) => JSON.stringify(one.select ?? null) === choice)
          .map(({ id }) => id)
        const columns = seen.columns.filter(
          (name) => !select || select.includes(name) || facts.keys.includes(name),
        )
        const print = JSON.stringify([channel.topic, ids, columns, keyless])
        let out = made.get(print)
        if (!out) {
          const error = noColumn
            ? 'Error 401: Unauthorized'
            : keyless && !isShown
              ? 'Error 400: Bad Request, no primary key'
              : undefined
          const data = dataOf(change, facts, columns, error)
          out = outgoing({
            topic: channel.topic,
            event: 'postgres_changes',
            payload: { ids, data },
          })
          made.set(print, out)
        }
        channel.deliverChange(out)
      }
    }
  }
}

const printOf = ({ role, claims }: Reader) => `${role} ${claims}`
