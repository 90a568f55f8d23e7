import type { IncomingHttpHeaders, OutgoingHttpHeader } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exchange } from './exchange.ts'
import { Fault } from './faults.ts'
import { changeProtocol } from './upgrades.ts'
import { headersOf, isOfConnection } from './forwarded-headers.ts'
import type { Worker } from './worker.ts'

type Options = {
  request: FastifyRequest
  reply: FastifyReply
  worker: Worker
  /** `/slug/rest?query` */
  target: string
  /** What the platform adds to the function's answer. */
  added: Record<string, string>
  wallMs: number
}

/**
 * Sends a request on to its worker and streams the answer back, both ways at once. When the caller goes away, the worker's
 * request ends too. Resolves with the status that was sent, when all of it was.
 * @throws Fault while nothing of an answer was sent
 */
export function forward({ request, reply, worker, target, added, wallMs }: Options) {
  const { raw } = request
  return new Promise<number>((resolve, reject) => {
    let answered: number | undefined
    let over = false
    let upstream: { destroy(): void } | undefined
    const settle = (then: () => void) => {
      if (over) return
      over = true
      clearTimeout(late)
      done()
      then()
      upstream?.destroy()
    }
    const stop = (fault: Fault) => {
      if (over) return
      if (answered === undefined) return settle(() => reject(fault))
      // The caller has to see that the answer is not whole.
      reply.raw.destroy()
      settle(() => resolve(answered ?? 0))
    }
    const done = worker.begin(() => stop(worker.fault()))
    const late = setTimeout(() => stop(new Fault('IDLE_TIMEOUT')), wallMs)
    // A worker that ends closes its connections first; how it ended is known a moment later.
    const onBroken = () => {
      if (over) return
      const wait = setTimeout(() => stop(new Fault('WORKER_ERROR')), 5000)
      void worker.gone.then(() => {
        clearTimeout(wait)
        stop(worker.fault())
      })
    }
    const isUpgrade = raw.headers.upgrade !== undefined
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished && !isUpgrade) settle(() => resolve(answered ?? 499))
    })
    const begin = (status: number, headers: IncomingHttpHeaders): boolean => {
      if (headers['x-plinth-fault'] !== undefined) {
        stop(new Fault('WORKER_ERROR'))
        return false
      }
      answered = status
      reply.hijack()
      // Clients that were sent no interim answer need none; what the platform sets for every answer is the function's job.
      reply.raw.writeHead(status, headersOfAnswer(headers, added))
      return true
    }
    if (isUpgrade) {
      const { socketPath } = worker
      upstream = changeProtocol({
        request,
        reply,
        socketPath,
        target,
        onBroken,
        onChanged(status) {
          answered = status
          // For as long as both are there; the wall is for those who wait for an answer.
          clearTimeout(late)
        },
        onAnswer(answer) {
          if (!begin(answer.statusCode ?? 500, answer.headers)) return
          answer.pipe(reply.raw)
          answer.once('end', () => settle(() => resolve(answered ?? 0)))
          answer.once('error', () => stop(worker.fault()))
        },
        onEnd: (status) => settle(() => resolve(status)),
      })
      return
    }
    /** Small answers go out in one piece: head, body and end. What takes longer goes out as it comes. */
    let last: Buffer | undefined
    let isWaiting = false
    const goOut = () => {
      isWaiting = false
      if (over) return
      if (!last) reply.raw.flushHeaders()
      else if (!reply.raw.write(last)) {
        going.pause()
        reply.raw.once('drain', going.resume)
      }
      last = undefined
    }
    const wait = () => {
      // All that was read at once is handed on before this runs.
      if (!isWaiting) queueMicrotask(goOut)
      isWaiting = true
    }
    const going = exchange({
      connections: worker.connections,
      method: raw.method ?? 'GET',
      target,
      headers: headersOf(request),
      from: raw,
      onHead(status, headers) {
        if (!over && begin(status, headers)) wait()
      },
      onBody(bytes) {
        if (over) return
        if (last) reply.raw.write(last)
        last = bytes
        wait()
      },
      onEnd() {
        if (over) return
        reply.raw.end(last)
        settle(() => resolve(answered ?? 0))
      },
      onBroken,
    })
    upstream = going
  })
}

/** Names and values in turn, as they are written: an object of them would be taken apart again. */
function headersOfAnswer(
  headers: IncomingHttpHeaders,
  added: Record<string, string>,
): OutgoingHttpHeader[] {
  const kept: OutgoingHttpHeader[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !isOfConnection.has(name) && !(name in added)) kept.push(name, value)
  }
  for (const name in added) kept.push(name, added[name] ?? '')
  return kept
}
