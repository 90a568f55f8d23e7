import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { WebSocketServer } from 'ws'

/** Sockets that cost the bench as little as possible: the handshake and frames by hand, and only bytes are counted. */
export type Crowd = { sockets: Socket[]; received(): number; close(): void }

const handshake = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** A text frame of a client; a mask of zeros changes nothing. */
export function clientFrame(text: string): Buffer {
  const body = Buffer.from(text)
  const long = body.length > 125
  const head = long
    ? [0x81, 0xfe, body.length >> 8, body.length & 255, 0, 0, 0, 0]
    : [0x81, 0x80 | body.length, 0, 0, 0, 0]
  return Buffer.concat([Buffer.from(head), body])
}

/** Opens sockets, a few at once; each says `hello` and waits for an answer when there is something to say. */
export async function openCrowd(
  port: number,
  path: string,
  count: number,
  hello?: string,
): Promise<Crowd> {
  let bytes = 0
  const sockets: Socket[] = []
  const one = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.write(handshake(path))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(answer.toString())
    if (hello !== undefined) {
      socket.write(clientFrame(hello))
      let got = ''
      while (!got.includes('presence_state') && !got.includes('"status":"ok"')) {
        const [data] = (await once(socket, 'data')) as [Buffer]
        got += data.toString('latin1')
      }
    }
    socket.on('data', (data: Buffer) => (bytes += data.length))
    sockets.push(socket)
  }
  while (sockets.length < count) {
    await Promise.all(Array.from({ length: Math.min(50, count - sockets.length) }, one))
  }
  return {
    sockets,
    received: () => bytes,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The baseline: every text goes to everybody else, by the library alone. Runs in a program of its own. */
export function serveBare(): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      if (!Buffer.isBuffer(data)) return
      const text = data.toString()
      for (const other of server.clients) if (other !== socket) other.send(text)
    })
  })
  server.on('listening', () => process.send?.(server.address()))
}

export async function startBare(file: string): Promise<{ program: ChildProcess; port: number }> {
  const program = fork(file, ['bare'])
  const [address] = (await once(program, 'message')) as [AddressInfo]
  return { program, port: address.port }
}
