import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from './faults.ts'
import type { Worker } from './worker.ts'

/** Headers about one connection only (RFC 9110 §7.6.1). */
const hop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

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
    const stop = (fault: Fault) => {
      if (over) return undefined
      if (answered !== undefined) {
        // The caller has to see that the answer is not whole.
        reply.raw.destroy()
        return settle(() => resolve(answered ?? 0))
      }
      return settle(() => reject(fault))
    }
    const done = worker.begin(() => stop(worker.fault()))
    const late = setTimeout(() => stop(new Fault('IDLE_TIMEOUT')), wallMs)
    let over = false
    const settle = (then: () => void, isWhole = false) => {
      if (over) return
      over = true
      clearTimeout(late)
      done()
      then()
      // The connection of an answer that came whole serves the next request.
      if (!isWhole) upstream.destroy()
    }
    const upgrades = raw.headers.upgrade !== undefined
    const upstream = httpRequest({
      socketPath: worker.socketPath,
      agent: upgrades ? false : worker.agent,
      method: raw.method,
      path: target,
      headers: headersOf(request, upgrades),
    })
    // A worker that ends closes its connections first; how it ended is known a moment later.
    upstream.on('error', () => {
      if (over) return
      const wait = setTimeout(() => stop(new Fault('WORKER_ERROR')), 5000)
      void worker.gone.then(() => {
        clearTimeout(wait)
        stop(worker.fault())
      })
    })
    upstream.once('response', (answer) => {
      const fault = answer.headers['x-plinth-fault']
      if (fault !== undefined) return stop(new Fault('WORKER_ERROR'))
      answered = answer.statusCode ?? 500
      reply.hijack()
      // Clients that were sent no interim answer need none; what the platform sets for every answer is the function's job.
      reply.raw.writeHead(answered, { ...answersHeaders(answer), ...added })
      // What of the body came with the head goes out with it; a body that is long in coming does not keep the head back.
      reply.raw.cork()
      reply.raw.flushHeaders()
      answer.pipe(reply.raw)
      setImmediate(() => reply.raw.uncork())
      answer.once('end', () => settle(() => resolve(answered ?? 0), true))
      answer.once('error', () => stop(worker.fault()))
      return undefined
    })
    upstream.once('upgrade', (answer, socket, head) => {
      answered = answer.statusCode ?? 101
      reply.hijack()
      join(raw.socket, socket, head, answer)
      // For as long as both are there; the wall is for those who wait for an answer.
      clearTimeout(late)
      socket.once('close', () => settle(() => resolve(101)))
    })
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished && !upgrades) settle(() => resolve(answered ?? 499))
    })
    if (upgrades) upstream.end()
    else raw.pipe(upstream)
  })
}

function headersOf(request: FastifyRequest, upgrades: boolean): OutgoingHttpHeaders {
  const { headers } = request.raw
  const kept = Object.entries(headers).filter(([name]) => !hop.has(name))
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-for': request.ip,
    'x-forwarded-proto': request.protocol,
    'x-request-id': request.id,
    ...(upgrades ? { connection: 'upgrade', upgrade: headers.upgrade } : {}),
  }
}

function answersHeaders(answer: IncomingMessage): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !hop.has(name)))
}

/** Two sockets as one, behind the answer that changes the protocol. */
function join(client: Duplex, worker: Duplex, head: Buffer, answer: IncomingMessage): void {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`]
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`)
  }
  client.write(`${lines.join('\r\n')}\r\n\r\n`)
  if (head.length > 0) client.write(head)
  client.pipe(worker).pipe(client)
  const both = () => {
    client.destroy()
    worker.destroy()
  }
  for (const socket of [client, worker]) socket.once('error', both).once('close', both)
}
