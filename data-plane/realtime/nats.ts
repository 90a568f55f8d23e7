import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Carrier } from './bus.ts'

export type Nats = {
  /** For one project. */
  carrier(ref: string): Carrier
  close(): Promise<void>
}

/** By a NATS server, one connection for all projects of this process, made at first need. */
export function createNats(url: string): Nats {
  let connection: Promise<NatsConnection> | undefined
  async function open(): Promise<NatsConnection> {
    connection ??= connect({ servers: url, name: 'plinth', maxReconnectAttempts: -1 })
    try {
      return await connection
    } catch (error) {
      connection = undefined
      throw error
    }
  }
  return {
    carrier(ref) {
      const subject = `plinth.realtime.${ref}`
      return {
        // Half of what a server takes unless told otherwise.
        maxLength: 500_000,
        async publish(texts) {
          const nats = await open()
          for (const text of texts) nats.publish(subject, text)
          await nats.flush()
        },
        async listen(heard) {
          const nats = await open()
          const subscription = nats.subscribe(subject, {
            callback: (error, message) => {
              if (!error) heard(message.string())
            },
          })
          await nats.flush()
          return async () => subscription.unsubscribe()
        },
      }
    },
    async close() {
      const nats = await connection?.catch(() => undefined)
      await nats?.drain()
    },
  }
}
