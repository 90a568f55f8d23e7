import type { Duplex } from 'node:stream'
import type { Connection } from 'pg'
import { ProtocolError, usualBounds, watchMessages, type Bounds } from './message-watch.ts'

/**
 * A connection of the driver that reads no more than the bounds allow. The driver's parser makes strings of whatever
 * comes, inside the handler of a socket: what it throws there would end this process, and one that waits for 1 GB fills it.
 */
export function boundConnection(connection: Connection, bounds: Bounds = usualBounds): Connection {
  // The types of pg leave out where it begins to read, which is after the switch to TLS where there is one.
  const own = connection as Connection & { attachListeners(stream: Source): void }
  const attach = own.attachListeners.bind(connection)
  own.attachListeners = () => attach(watched(connection.stream, bounds))
  return connection
}

type Listener = (bytes: Buffer) => void
/** As much of a stream as the driver's parser wants of it. */
type Source = { on(event: string, listener: Listener): unknown }

function watched(stream: Duplex, bounds: Bounds): Source {
  const watch = watchMessages(bounds)
  const guard = (listener: Listener) => guarded(stream, listener, watch, bounds.resultBytes)
  return {
    on: (event, listener) => stream.on(event, event === 'data' ? guard(listener) : listener),
  }
}

/** Bytes of one connection after which others are given a turn: a socket is read up to 2 MB at a time where so much has come. */
const maxAtOnce = 64 * 1024
/** Of what a result may have: who keeps more than this part of it is given longer turns, 64 MB in a second at most. */
const longPart = 1 / 16

/** Hands bytes on until something is wrong with them, which ends the connection and fails what waits for it. */
export function guarded(
  stream: Duplex,
  listener: Listener,
  watch: (bytes: Buffer) => Error | readonly Buffer[] = (bytes) => [bytes],
  /** Of a result that is kept; one that is handed on is slowed down by whoever it goes to. */
  resultBytes = Number.POSITIVE_INFINITY,
): Listener {
  let isBroken = false
  let since = 0
  /** Bytes that came without a pause, and when the last of them did. */
  let burst = 0
  let last = 0
  const stillComing = () => burst > resultBytes * longPart
  const breakOff = (error: Error) => {
    isBroken = true
    stream.pause()
    // Whoever has just been connected needs this moment to listen.
    setImmediate(() => stream.destroy(error))
  }
  const giveTurn = () => {
    since = 0
    // Whoever has paused it themselves goes on when they like.
    if (stream.isPaused()) return
    stream.pause()
    const goOn = () => {
      if (!isBroken && !stream.destroyed) stream.resume()
    }
    if (stillComing()) setTimeout(goOn, 1)
    else setImmediate(goOn)
  }
  return (bytes) => {
    if (isBroken) return
    const parts = watch(bytes)
    if (parts instanceof Error) return breakOff(parts)
    try {
      for (const part of parts) listener(part)
    } catch (cause) {
      const isNamed = cause instanceof ProtocolError
      breakOff(
        isNamed ? cause : new ProtocolError('The database sent what cannot be read', { cause }),
      )
      return
    }
    const now = performance.now()
    burst = now - last > 20 ? bytes.length : burst + bytes.length
    last = now
    since += bytes.length
    if (since >= maxAtOnce) giveTurn()
  }
}
