import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/** What a server does to a connection instead of answering. */
export type Attack = (to: Socket) => void

/** A message of the protocol: its kind, its length, its body. `length` can be a lie. */
export function message(kind: string, body: Buffer | string = '', length?: number): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(length ?? bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

/** A row of one value, whose length can be a lie as well. */
export function rowOf(value: Buffer, length = value.length): Buffer {
  const head = Buffer.alloc(6)
  head.writeInt16BE(1, 0)
  head.writeInt32BE(length, 2)
  return message('D', Buffer.concat([head, value]), length + 10)
}

const gigabyte = 2 ** 30
const taken = Buffer.concat([message('1'), message('2')])
/** The description of one column of text, named a. */
const column = Buffer.from('0001610000000000000000000019ffffffffffff0000', 'hex')

/** What Postgres refuses to be known by, by what the caller should hear of it. */
export const attacks: Record<'tooLarge' | 'broken', Record<string, Attack>> = {
  tooLarge: {
    'a value of 1 GB': (to) => {
      to.write(Buffer.concat([taken, message('T', column), rowOf(Buffer.alloc(100), gigabyte)]))
    },
    'rows without end': (to) => {
      to.write(Buffer.concat([taken, message('T', column)]))
      const rows = Buffer.concat(Array.from({ length: 1000 }, () => rowOf(Buffer.alloc(1000, 'x'))))
      const more = () => {
        while (!to.destroyed && to.write(rows));
      }
      to.on('drain', more)
      more()
    },
  },
  broken: {
    'half a message': (to) => to.end(message('T', column).subarray(0, 9)),
    'half a header': (to) => to.end(message('T', column).subarray(0, 3)),
    'a kind that does not exist': (to) => to.write(message('q', 'what')),
    'a length of nothing': (to) => to.write(message('D', 'x', 0)),
    'a length below nothing': (to) => to.write(message('D', 'x', -1)),
    'an error without an end': (to) => to.write(message('E', 'SERROR\0MNo')),
    'an error of nothing': (to) => to.write(message('E')),
    'a row with fewer than no values': (to) =>
      to.write(Buffer.concat([taken, message('T', column), message('D', Buffer.from([255, 255]))])),
    'a row that is shorter than it says': (to) =>
      to.write(Buffer.concat([taken, message('T', column), message('D', '\0\u0009\0\0')])),
    'an authentication that nobody knows': (to) => to.write(message('R', '\0\0\0\u0063')),
    'no more than a beginning': (to) => to.end(Buffer.concat([taken, message('T', column)])),
    'nothing at all': (to) => to.end(),
    'a reset': (to) => to.resetAndDestroy(),
  },
}

export type HostileDatabase = {
  port: number
  /** What becomes of connections on which `word` is said from now on; without one, the database answers. */
  attackWith(attack: Attack | undefined): void
  close(): Promise<void>
}

/**
 * A real database at 127.0.0.1 as long as nobody says `word`; who does is attacked and never gets an answer. So every
 * path can be walked up to the statement that matters.
 */
export async function startHostileDatabase(
  { host, port }: { host: string; port: number },
  word: string,
): Promise<HostileDatabase> {
  let attack: Attack | undefined
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const real = createConnection(`${host}/.s.PGSQL.${port}`)
    let isAttacked = false
    for (const [one, other] of [
      [client, real],
      [real, client],
    ] as const) {
      sockets.add(one)
      // An attack ends connections, also with resets: the other side only goes with them.
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    real.on('data', (bytes) => {
      if (!isAttacked) client.write(bytes)
    })
    client.on('data', (bytes) => {
      if (isAttacked) return
      isAttacked = attack !== undefined && bytes.includes(word)
      if (isAttacked) attack?.(client)
      else real.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    attackWith: (next) => (attack = next),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
