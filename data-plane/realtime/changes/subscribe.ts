import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '#kit/log'
import type { Channel } from '../channel.ts'
import { idOf, SubscribeError, subscriptionOf, type Feed } from './feed.ts'
import type { Flow } from '../flow.ts'
import type { Joined } from '../join.ts'
import type { Subscriptions } from './subscriptions.ts'

type Parts = {
  pool: () => Pool
  feed: Feed
  flow: Flow
  noted: Subscriptions
  log: Log
  ref: string
}

const waits = { retry: 5000, replication: 10_000 }

/**
 * Begins what a channel has asked for beside its topic, and says in system messages how it went.
 * @returns what the answer to the join says about it
 */
export function subscribe(parts: Parts, { channel, config }: Joined): object {
  const { flow } = parts
  if (config.replicationReady) {
    void flow.live(waits.replication).then((live) => {
      if (live) channel.system('system', 'ok', 'Replication connection established')
      else channel.shutDown('Replication connection could not be established')
    })
  }
  if (config.changes.length > 0) void listen(parts, channel, config.changes)
  return {
    postgres_changes: config.changes.map((requested) => ({ ...requested, id: idOf(requested) })),
  }
}

async function listen(
  { pool, feed, flow, noted, log, ref }: Parts,
  channel: Channel,
  changes: Joined['config']['changes'],
): Promise<void> {
  let isOpen = true
  channel.onClose(() => (isOpen = false))
  while (isOpen) {
    try {
      const subscriptions = []
      for (const requested of changes)
        subscriptions.push(await subscriptionOf(pool(), channel, requested))
      if (!(await flow.live())) throw new Error('Changes are not read at the moment')
      if (!isOpen) return
      for (const one of subscriptions) feed.add(one)
      await noted.note(channel, subscriptions)
      if (!isOpen) return
      return channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
    } catch (error) {
      if (!isOpen) return
      if (error instanceof SubscribeError) {
        return channel.system('postgres_changes', 'error', error.message)
      }
      log.info({ err: error, ref }, 'A client cannot listen to changes yet')
      channel.system('postgres_changes', 'error', 'Unable to connect to the project database')
      await delay(waits.retry, undefined, { ref: false })
    }
  }
}
