import type { Socket } from 'node:net'

/** A refused client has this long to take its message. */
const farewellMs = 1000

/** Says the last word to a client. */
export function bye(client: Socket, message: Buffer | string): void {
  client.end(message)
  client.resume()
  const timer = setTimeout(() => client.destroy(), farewellMs)
  client.once('close', () => clearTimeout(timer))
}
