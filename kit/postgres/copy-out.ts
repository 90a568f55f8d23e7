import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { watchMessages } from './message-watch.ts'

/** What is copied is not kept, and may be of any size. */
const unbound = { messageBytes: Infinity, resultBytes: Infinity }

/**
 * A COPY ... TO STDOUT, for `client.query`. The library reads a copy by itself, past the parser of the driver, and would
 * look for ever for the end of a message of less than no bytes.
 */
export function copyOut(client: Client, sql: string) {
  const copy: ReturnType<typeof to> & { _parse?(bytes: Buffer): boolean } = to(sql)
  const parse = copy._parse?.bind(copy)
  if (!parse) throw new Error('The library reads copies in another way')
  const watch = watchMessages(unbound)
  copy._parse = (bytes) => {
    const parts = watch(bytes)
    // What comes behind the copy is the driver's, and the library gives it all at once.
    if (!(parts instanceof Error))
      return parse(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
    client.connection.stream.destroy(parts)
    return false
  }
  return copy
}
