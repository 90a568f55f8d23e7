import type { Client, Pool } from 'pg'
import type { Carrier } from './bus.ts'

type Options = {
  pool: () => Pool
  /** A connection that only listens. */
  dedicated: () => Promise<Client>
}

const channel = 'plinth_realtime'

/** By NOTIFY of the project's own database: nothing else has to be there. */
export function notifyCarrier({ pool, dedicated }: Options): Carrier {
  return {
    // A payload has fewer than 8000 bytes.
    maxLength: 7900,
    async publish(texts) {
      // A transaction delivers equal texts once, so each is one of its own.
      for (const text of texts) await pool().query('select pg_notify($1, $2)', [channel, text])
    },
    async listen(heard) {
      const client = await dedicated()
      client.on('notification', ({ payload }) => {
        if (payload !== undefined) heard(payload)
      })
      await client.query('listen plinth_realtime')
      return () => client.end()
    },
  }
}
