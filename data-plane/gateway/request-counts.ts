import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  latencyBounds,
  type Counted,
  type CountedService,
  type RequestCount,
} from '#contract/projects/project-home'
import { createHandOn } from '#kit/http/hand-on'
import type { Log } from '#kit/log'

type Options = { send: (counts: RequestCount[]) => Promise<void>; log: Log; everyMs?: number }

export type RequestCounts = {
  /** Counts one request that took `ms`; `keyed` tells whether it carried a key. */
  note(ref: string, service: Counted, status: number, ms: number, keyed: boolean): void
  /** Adds what a worker of a function took of the processors, and the memory that it had. */
  noteLoad(ref: string, service: Counted, load: Load): void
  /** Counts every request of a service's scope that got through to a project; `keyOf` tells whether by a key. */
  watch(
    scope: FastifyInstance,
    service: CountedService,
    keyOf: (request: FastifyRequest) => Keyed,
  ): void
  close(): Promise<void>
}
export type Load = { cpuMs: number; memoryMb: number }
/** Undefined: the request belongs to no project. */
type Keyed = { ref: string; keyed: boolean } | undefined

const classOf = (ms: number): number => {
  const at = latencyBounds.findIndex((bound) => ms <= bound)
  return at < 0 ? latencyBounds.length : at
}

/** Counts what the services are asked, by the minute, and hands the counts on every few seconds. */
export function createRequestCounts({ send, log, everyMs = 5000 }: Options): RequestCounts {
  const waiting = createHandOn<RequestCount>({
    send,
    takeBack,
    // Minutes of services of projects.
    maxWaiting: 50_000,
    failure: 'request counts wait: nobody takes them',
    log,
    everyMs,
  })

  /** The count of this minute; undefined when too many wait. */
  function current(ref: string, service: Counted): RequestCount | undefined {
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    const key = `${ref} ${service} ${minute}`
    const before = waiting.get(key)
    if (before) return before
    const histogram = Array.from({ length: latencyBounds.length + 1 }, () => 0)
    const none = { requests: 0, errors: 0, keyed: false, cpuMs: 0, memoryMb: 0 }
    const count = { ref, service, minute, ...none, histogram }
    return waiting.add(key, count) ? count : undefined
  }

  function note(ref: string, service: Counted, status: number, ms: number, keyed: boolean) {
    const count = current(ref, service)
    if (!count) return
    count.requests += 1
    if (status >= 500) count.errors += 1
    if (keyed) count.keyed = true
    const at = classOf(ms)
    count.histogram[at] = (count.histogram[at] ?? 0) + 1
  }

  function noteLoad(ref: string, service: Counted, { cpuMs, memoryMb }: Load) {
    const count = current(ref, service)
    if (!count) return
    count.cpuMs += Math.round(cpuMs)
    count.memoryMb = Math.max(count.memoryMb, Math.round(memoryMb))
  }

  function takeBack(counts: readonly RequestCount[]) {
    for (const count of counts) {
      const key = `${count.ref} ${count.service} ${count.minute}`
      const since = waiting.get(key)
      if (!since) {
        waiting.add(key, count)
        continue
      }
      since.requests += count.requests
      since.errors += count.errors
      since.keyed ||= count.keyed
      since.cpuMs += count.cpuMs
      since.memoryMb = Math.max(since.memoryMb, count.memoryMb)
      since.histogram = since.histogram.map((n, at) => n + (count.histogram[at] ?? 0))
    }
  }

  return {
    note,
    noteLoad,
    watch(scope, service, keyOf) {
      scope.addHook('onResponse', (request, reply, done) => {
        const of = keyOf(request)
        if (of) note(of.ref, service, reply.statusCode, reply.elapsedTime, of.keyed)
        done()
      })
    },
    close: () => waiting.close(),
  }
}
