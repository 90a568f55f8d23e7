import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Pool, type Dispatcher } from 'undici'

/** Connections to one worker's socket. How long an answer may take is the caller's to say. */
export const connectionsTo = (socketPath: string): Pool =>
  new Pool('http://localhost', {
    connect: { socketPath },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
  })

type Options = {
  connections: Pool
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string | string[] | undefined>
  /** Whose body goes along while the answer comes. */
  from: IncomingMessage
  onHead: (status: number, headers: IncomingHttpHeaders) => void
  onBody: (bytes: Buffer) => void
  onEnd: () => void
  /** The connection broke, or what came is no answer. */
  onBroken: () => void
}

/** One request to a worker and its answer, both at once. */
export function exchange(options: Options) {
  const { connections, method, target, headers, from, onHead, onBody, onEnd, onBroken } = options
  let control: Dispatcher.DispatchController | undefined
  let isOver = false
  const hasBody =
    from.headers['transfer-encoding'] !== undefined || Number(from.headers['content-length']) > 0
  const over = (then: () => void) => {
    if (isOver) return
    isOver = true
    then()
  }
  connections.dispatch(
    {
      method: method as Dispatcher.HttpMethod,
      path: target,
      headers,
      body: hasBody ? bodyOf(from) : null,
    },
    {
      onRequestStart(controller) {
        control = controller
        if (isOver) controller.abort(left)
      },
      onResponseStart(_, status, answered) {
        // More is to come.
        if (status >= 200) onHead(status, answered)
      },
      onResponseData: (_, bytes) => onBody(bytes),
      onResponseEnd: () => over(onEnd),
      onResponseError: () => over(onBroken),
    },
  )
  return {
    /** Nothing more is read until `resume`. */
    pause: () => control?.pause(),
    resume: () => control?.resume(),
    /** Nobody waits for the answer any more. */
    destroy: () => over(() => control?.abort(left)),
  }
}

/**
 * What the caller sends. Their connection outlives the worker's, since somebody wants to hear what went wrong, and what
 * nobody takes any more must not stand in the way of their next request.
 */
function bodyOf(from: IncomingMessage): Readable {
  async function* chunks() {
    try {
      yield* { [Symbol.asyncIterator]: () => from.iterator({ destroyOnReturn: false }) }
    } finally {
      from.resume()
    }
  }
  // Undici takes whatever gives chunks, and has a type for streams only.
  return chunks() as unknown as Readable
}

const left = new Error('Nobody waits for the answer')
