import { Client, type ClientConfig } from 'pg'

/**
 * One connection for one piece of work, always closed, also when the login failed half way. A server that dies meanwhile fails the running query, which is
 * where it is handled; the listener only keeps the same news from ending this process.
 */
export async function withClient<T>(
  config: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(config)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
