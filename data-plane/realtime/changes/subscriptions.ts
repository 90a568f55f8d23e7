import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Log } from '#kit/log'
import type { Channel } from '../channel.ts'
import type { Subscription } from './feed.ts'
import { dropSubscription, keepSubscriptions, noteSubscription } from './subscriptions-store.ts'

type Options = { pool: () => Pool; log: Log; ref: string }

/** What channels of this process listen to, noted in the database for whoever looks. Nothing waits for it or fails by it. */
export class Subscriptions {
  private readonly ids = new Set<string>()
  private readonly options: Options

  constructor(options: Options) {
    this.options = options
  }

  async note(channel: Channel, subscriptions: readonly Subscription[]): Promise<void> {
    const id = randomUUID()
    const listeners = subscriptions.map(({ schema, table, filter, event }) => ({
      schema,
      table: table ?? null,
      filters: filter === undefined ? [] : [filter],
      event,
    }))
    this.ids.add(id)
    const { claims } = channel.reader
    const noted = this.attempt((pool) => noteSubscription(pool, { id, claims, listeners }))
    channel.onClose(() => {
      this.ids.delete(id)
      // In this order, however soon the channel ends.
      void noted.then(() => this.attempt((pool) => dropSubscription(pool, id)))
    })
    await noted
  }

  keep(): Promise<void> {
    return this.attempt((pool) => keepSubscriptions(pool, [...this.ids]))
  }

  private async attempt(work: (pool: Pool) => Promise<void>): Promise<void> {
    const { pool, log, ref } = this.options
    try {
      await work(pool())
    } catch (error) {
      log.info({ err: error, ref }, 'What clients listen to could not be noted')
    }
  }
}
