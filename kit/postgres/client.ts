import { Client as DriverClient, Pool as DriverPool, type ClientConfig, type PoolConfig } from 'pg'
import { boundConnection } from './bound-connection.ts'
import { sendLargeValues } from './large-values.ts'
import type { Bounds } from './message-watch.ts'

/**
 * The only way to a database (checks/house.ts): whatever its server says or leaves out, this process goes on. A
 * connection that breaks fails the query that runs on it, or the next one; the listener only keeps the same news from
 * ending this process, because the driver's pool listens to idle connections alone.
 */
export class Client extends DriverClient {
  constructor(config?: ClientConfig, bounds?: Bounds) {
    super(config)
    boundConnection(this.connection, bounds)
    sendLargeValues(this.connection)
    this.on('error', () => undefined)
  }
}

/** The driver's pool with connections of this kind, or of one that is made from it. */
export class Pool extends DriverPool {
  constructor(config: PoolConfig, kind: typeof Client = Client) {
    super({ ...config, Client: kind })
    this.on('error', () => undefined)
  }
}

/** One connection for one piece of work, always closed, also when the login failed half way. */
export async function withClient<T>(
  config: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(config)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
