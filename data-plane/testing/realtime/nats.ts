import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** As much of a NATS server as clients need who publish and subscribe (NATS client protocol). */
export async function startNats(): Promise<{ url: string; published(): number; close(): void }> {
  const subscribed = new Map<Socket, Map<string, string>>()
  let published = 0
  const info = {
    server_id: 'test',
    version: '2.10.0',
    proto: 1,
    headers: true,
    max_payload: 1_048_576,
  }

  function publish(subject: string, payload: Buffer): void {
    published++
    for (const [socket, subjects] of subscribed) {
      for (const [id, expected] of subjects) {
        if (expected !== subject) continue
        socket.write(`MSG ${subject} ${id} ${payload.length}\r\n`)
        socket.write(payload)
        socket.write('\r\n')
      }
    }
  }

  const server = createServer((socket) => {
    const subjects = new Map<string, string>()
    subscribed.set(socket, subjects)
    socket.on('error', () => undefined)
    socket.on('close', () => subscribed.delete(socket))
    socket.write(`INFO ${JSON.stringify(info)}\r\n`)
    let rest = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data])
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const [command = '', ...words] = rest.toString('utf8', 0, end).split(' ')
        if (command === 'PUB') {
          const size = Number(words.at(-1))
          if (rest.length < end + 2 + size + 2) return
          publish(words[0] ?? '', Buffer.from(rest.subarray(end + 2, end + 2 + size)))
          rest = rest.subarray(end + 2 + size + 2)
          continue
        }
        rest = rest.subarray(end + 2)
        if (command === 'PING') socket.write('PONG\r\n')
        else if (command === 'SUB') subjects.set(words.at(-1) ?? '', words[0] ?? '')
        else if (command === 'UNSUB') subjects.delete(words[0] ?? '')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this shape.
  const { port } = server.address() as AddressInfo
  return {
    url: `nats://127.0.0.1:${port}`,
    published: () => published,
    close: () => {
      server.close()
      for (const socket of subscribed.keys()) socket.destroy()
    },
  }
}
