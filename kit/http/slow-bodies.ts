import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export type BodyPace = {
  /** Milliseconds that a body may take however small it is. */
  graceMs: number
  /** Beyond that it may take another second for as many bytes as this. */
  bytesPerSecond: number
  /** Milliseconds between two looks. */
  lookMs: number
  /** Whose bodies may come as slowly as they like. */
  isExempt?: (request: IncomingMessage) => boolean
}

/** A connection of the slowest telephone carries more; a body that trickles is there to hold a place. */
export const usualPace: BodyPace = { graceMs: 30_000, bytesPerSecond: 2048, lookMs: 5000 }

type Coming = { response: ServerResponse; since: number; before: number }

/**
 * Cuts off requests whose bodies trickle: 408 where nothing was answered yet, then the connection ends. A body that goes on at
 * a fair pace may be as long as its service lets it be. Node itself limits how long the headers of a request may take.
 */
export function limitSlowBodies(server: Server, pace: BodyPace = usualPace): void {
  const coming = new Map<IncomingMessage, Coming>()
  const timer = setInterval(look, pace.lookMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && (length === undefined || length === '0')) return
    if (pace.isExempt?.(request)) return
    coming.set(request, { response, since: performance.now(), before: request.socket.bytesRead })
    request.once('close', () => coming.delete(request))
  })

  function look(): void {
    const now = performance.now()
    for (const [request, { response, since, before }] of coming) {
      const { complete, socket } = request
      if (complete) {
        coming.delete(request)
        continue
      }
      const bytes = socket.bytesRead - before
      if (now - since > pace.graceMs + (bytes / pace.bytesPerSecond) * 1000)
        cutOff(request, response)
    }
  }

  function cutOff(request: IncomingMessage, response: ServerResponse): void {
    coming.delete(request)
    const { socket } = request
    // Past whoever waits for the body, who finds its connection gone.
    if (response.headersSent) socket.destroy()
    else socket.end(refusal, () => socket.destroy())
  }
}

const text = JSON.stringify({
  code: 'request_timeout',
  message: 'The request body arrived too slowly',
})
const refusal = [
  'HTTP/1.1 408 Request Timeout',
  'content-type: application/json; charset=utf-8',
  `content-length: ${text.length}`,
  'connection: close',
  '',
  text,
].join('\r\n')
