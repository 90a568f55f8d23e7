import type { FastifyReply, FastifyRequest } from 'fastify'
import { exchange } from './exchange.ts'
import { Fault } from './faults.ts'
import { changeProtocol } from './upgrades.ts'
import { isOfConnection, linesOf } from './forwarded-headers.ts'
import type { AnswerHead } from './worker-answer.ts'
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
    const begin = (head: Pick<AnswerHead, 'status' | 'headers'>): boolean => {
      if (head.headers.indexOf('x-plinth-fault') % 2 === 0) {
        stop(new Fault('WORKER_ERROR'))
        return false
      }
      answered = head.status
      reply.hijack()
      // Clients that were sent no interim answer need none; what the platform sets for every answer is the function's job.
      reply.raw.writeHead(head.status, answersHeaders(head.headers, added))
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
          const { rawHeaders: raws } = answer
          const headers = raws.map((each, at) => (at % 2 === 0 ? each.toLowerCase() : each))
          if (!begin({ status: answer.statusCode ?? 500, headers })) return
          answer.pipe(reply.raw)
          answer.once('end', () => settle(() => resolve(answered ?? 0)))
          answer.once('error', () => stop(worker.fault()))
        },
        onEnd: (status) => settle(() => resolve(status)),
      })
      return
    }
    /** What came last of the body goes out with the head, with the end or both. */
    let last: Buffer | undefined
    let goesOut = false
    const going = exchange({
      connections: worker.connections,
      method: raw.method ?? 'GET',
      target,
      headers: linesOf(request),
      from: raw,
      answer: {
        head(head) {
          goesOut = begin(head)
        },
        body(bytes) {
          if (over) return
          if (last) reply.raw.write(last)
          last = Buffer.from(bytes)
        },
        end() {
          if (over) return
          reply.raw.end(last)
          settle(() => resolve(answered ?? 0))
        },
      },
      handedOn() {
        if (over) return
        if (!last && goesOut) reply.raw.flushHeaders()
        if (last && !reply.raw.write(last)) {
          going.pause()
          reply.raw.once('drain', going.resume)
        }
        last = undefined
        goesOut = false
      },
      onBroken,
    })
    upstream = going
  })
}

/** Of the worker's answer what is not about its connection, and what the platform says of it. */
function answersHeaders(headers: readonly string[], added: Record<string, string>): string[] {
  const kept: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    if (!isOfConnection.has(name) && !(name in added)) kept.push(name, value)
  }
  for (const name in added) kept.push(name, added[name] ?? '')
  return kept
}
