import type { IncomingMessage } from 'node:http'
import { createAnswerReader, type AnswerParts } from './worker-answer.ts'
import type { Connections } from './worker-connections.ts'

type Options = {
  connections: Connections
  method: string
  /** Path and query. */
  target: string
  /** Lines `name: value`, each with its end. */
  headers: string
  /** Whose body goes along while the answer comes. */
  from: IncomingMessage
  answer: AnswerParts
  /** What has come of the answer was handed on, as far as it came. */
  handedOn: () => void
  /** The connection broke, or what came is no answer. */
  onBroken: () => void
}

/** One request to a worker and its answer, both at once. */
export function exchange(options: Options) {
  const { connections, method, target, headers, from, answer, handedOn, onBroken } = options
  let isOver = false
  let sent = false
  let goesOn = true
  let keptMs: number | undefined
  const reader = createAnswerReader(method, {
    head(head) {
      ;({ keptMs } = head)
      answer.head(head)
    },
    body: answer.body,
    end(isReusable) {
      isOver = true
      stopSending()
      if (isReusable && sent) connections.giveBack(connection, keptMs)
      else connection.socket.destroy()
      answer.end(isReusable)
    },
  })
  function broken(): void {
    if (isOver) return
    isOver = true
    stopSending()
    connection.socket.destroy()
    onBroken()
  }
  const connection = connections.take({
    data(bytes) {
      if (isOver) return false
      goesOn = true
      try {
        reader.push(bytes)
      } catch {
        broken()
        return false
      }
      handedOn()
      return goesOn
    },
    drain: () => from.resume(),
    closed() {
      if (!isOver && !reader.close()) broken()
    },
  })
  const { socket } = connection

  const length = from.headers['content-length']
  const isChunked = from.headers['transfer-encoding'] !== undefined
  const framing = isChunked ? 'transfer-encoding: chunked\r\n' : ''
  socket.write(`${method} ${target} HTTP/1.1\r\n${headers}${framing}\r\n`, 'latin1')
  const onData = (bytes: Buffer) => {
    let isTaken: boolean
    if (isChunked) {
      socket.cork()
      socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
      socket.write(bytes)
      isTaken = socket.write('\r\n', 'latin1')
      socket.uncork()
    } else isTaken = socket.write(bytes)
    if (!isTaken) from.pause()
  }
  const onEnd = () => {
    if (isChunked) socket.write('0\r\n\r\n', 'latin1')
    sent = true
  }
  function stopSending(): void {
    if (sent) return
    from.off('data', onData).off('end', onEnd)
    // What nobody takes any more must not stand in the way of the caller's next request.
    from.resume()
  }
  if (isChunked || (length !== undefined && length !== '0'))
    from.on('data', onData).on('end', onEnd)
  else sent = true

  return {
    /** Nothing more is read until `resume`. */
    pause: () => (goesOn = false),
    resume: () => socket.resume(),
    /** Nobody waits for the answer any more. */
    destroy(): void {
      if (isOver) return
      isOver = true
      stopSending()
      socket.destroy()
    },
  }
}
