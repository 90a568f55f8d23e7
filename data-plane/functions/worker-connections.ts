import { createConnection, type Socket } from 'node:net'

/** Who has a connection and hears what comes by it. */
export type Listener = {
  /** The bytes are there until this returns. False: none more for now. */
  data(bytes: Buffer): boolean
  /** What was written is on its way. */
  drain(): void
  /** It is closed and gives nothing any more. */
  closed(): void
}
export type Connection = {
  readonly socket: Socket
  listener: Listener | undefined
  /** Until when the other side promises to keep it open while it rests. */
  goodUntil: number
}
export type Connections = ReturnType<typeof createConnections>

const mostResting = 256
const bufferBytes = 64 * 1024

/** Connections to one worker's socket. Each serves one request at a time, and the next one when an answer came whole. */
export function createConnections(path: string) {
  const resting: Connection[] = []
  const all = new Set<Connection>()
  // Whoever listens is done with the bytes when the next ones are read, so all connections share the room for them.
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)

  function open(): Connection {
    const socket = createConnection({
      path,
      onread: {
        buffer,
        callback: (count) => connection.listener?.data(buffer.subarray(0, count)) ?? drop(),
      },
    })
    const connection: Connection = { socket, listener: undefined, goodUntil: Infinity }
    // Nobody has asked: what comes by itself can only be a mistake.
    const drop = () => {
      socket.destroy()
      return false
    }
    socket.on('drain', () => connection.listener?.drain())
    socket.on('end', () => socket.destroy())
    // It is closed right behind it, which is what counts.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      all.delete(connection)
      const at = resting.indexOf(connection)
      if (at >= 0) resting.splice(at, 1)
      connection.listener?.closed()
    })
    all.add(connection)
    return connection
  }

  return {
    take(listener: Listener): Connection {
      let found = resting.pop()
      while (found && found.goodUntil < performance.now()) {
        found.socket.destroy()
        found = resting.pop()
      }
      const connection = found ?? open()
      connection.listener = listener
      return connection
    },
    /** An answer came whole, and the connection can serve another request. */
    giveBack(connection: Connection, keptMs: number | undefined): void {
      connection.listener = undefined
      if (connection.socket.destroyed) return
      // A moment earlier than the other side, so that the two do not miss each other.
      connection.goodUntil = keptMs === undefined ? Infinity : performance.now() + keptMs - 1000
      if (resting.length < mostResting) resting.push(connection)
      else connection.socket.destroy()
    },
    destroy(): void {
      for (const { socket } of all) socket.destroy()
    },
  }
}
