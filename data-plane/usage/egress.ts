import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { meteredServices, type MeteredService } from '#contract/billing/usage-metrics'
import type { Meter } from './meter.ts'

type Options = {
  meter: Meter
  /** The project that a request is for; undefined while, or where, there is none. */
  projectOf: (request: FastifyRequest) => string | undefined
  everyMs?: number | undefined
}
type Open = { ref: string; service: MeteredService; socket: Socket }
/** An answer that is being written. A connection that has ended knows no address, and its request has it no more. */
type Answer = { reply: FastifyReply; socket: Socket; leaves: boolean }

export type Egress = {
  /** Counts what goes out on a connection that is no request of the server's any more, until it ends. */
  watchSocket(open: Open): void
}

/** Of `/{ref}/{service}/v1/…`, which every spelling of an address was brought to. */
function serviceOf(url: string): MeteredService | undefined {
  const begin = url.indexOf('/', 1) + 1
  const name = url.slice(begin, url.indexOf('/', begin))
  return meteredServices.find((service) => service === name)
}

/**
 * Counts the bytes that services put on their connections: what a connection has written since the last answer belongs to this one.
 * Answers and sockets that go on are looked at every few seconds, so that a long download counts while it lasts.
 */
export function watchEgress(app: FastifyInstance, options: Options): Egress {
  const { meter, projectOf, everyMs = 5000 } = options
  /** Bytes of a connection that were counted, or belong to nobody. */
  const counted = new WeakMap<Socket, number>()
  /** In the order in which they came, which on one connection is that of their answers. */
  const answers = new Map<FastifyRequest, Answer>()
  const sockets = new Set<Open & { leaves: boolean }>()

  /** The functions of a project call it from this machine: that leaves nobody's network. */
  const leavesBy = (socket: Socket) => socket.localAddress !== undefined

  function take({ socket, leaves }: { socket: Socket; leaves: boolean }): number {
    const written = socket.bytesWritten
    const bytes = written - (counted.get(socket) ?? 0)
    counted.set(socket, written)
    return leaves ? bytes : 0
  }

  function count(request: FastifyRequest, answer: Answer): void {
    const bytes = take(answer)
    if (!(bytes > 0)) return
    const ref = projectOf(request)
    const service = serviceOf(request.url)
    if (ref === undefined || !service) return
    // A function names its own headers.
    const isCached = service === 'storage' && answer.reply.getHeader('cf-cache-status') === 'HIT'
    meter.add(ref, isCached ? 'egress_cached' : `egress_${service}`, bytes)
  }

  function settle(request: FastifyRequest, answer: Answer): void {
    if (!answers.delete(request)) return
    count(request, answer)
    const ref = projectOf(request)
    const service = serviceOf(request.url)
    if (ref !== undefined && service) meter.add(ref, `requests_${service}`, 1)
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const answer = { reply, socket, leaves: leavesBy(socket) }
    answers.set(request, answer)
    // Before the server's own listener, which lets the next answer write.
    reply.raw.prependOnceListener('finish', () => settle(request, answer))
    reply.raw.once('close', () => settle(request, answer))
    done()
  })

  function look(): void {
    for (const [request, answer] of answers) count(request, answer)
    for (const open of sockets) lookAt(open)
  }
  const lookAt = ({ ref, service, ...connection }: Open & { leaves: boolean }) =>
    meter.add(ref, `egress_${service}`, take(connection))
  const timer = setInterval(look, everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))

  return {
    watchSocket(opened) {
      const open = { ...opened, leaves: leavesBy(opened.socket) }
      sockets.add(open)
      open.socket.once('close', () => {
        sockets.delete(open)
        lookAt(open)
      })
    },
  }
}
