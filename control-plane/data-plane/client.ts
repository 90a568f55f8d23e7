import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { DataPlaneCall } from '#contract/data-plane-api'
import { ApiError } from '#kit/errors'
import { probeHeader, probeToken } from '#kit/http/probes'
import type { Log } from '#kit/log'
import { refusalOf } from './refusal.ts'

/** Whose connection to a project's database a call has: its owner's, or one that can only read. */
export type Login = 'postgres' | 'plinth_read_only'

type Given<Body> = {
  /** What stands for the parts of the path that begin with a colon. */
  params?: Record<string, string>
  query?: Record<string, string>
  login?: Login
  /** The name that its connection has in the database. */
  as?: `plinth-${string}`
  /** Mail address of the person for whom it is made. */
  by?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal
} & (Body extends undefined ? { body?: undefined } : { body: Body })

type Asked<C> =
  C extends DataPlaneCall<infer Body, infer Out>
    ? { given: Given<Body>; answer: z.output<Out> }
    : never

export type DataPlaneAddress = { dataPlaneUrl: string; internalToken: string; log: Log }
export type DataPlane = ReturnType<typeof createDataPlane>

/** Milliseconds before a call that changes nothing and that nobody took is made again. */
const waits = [50, 250, 1000]

/** The one way from the control plane to the data plane: our token, a deadline, and its refusals as errors of ours. */
export function createDataPlane({ dataPlaneUrl, internalToken, log }: DataPlaneAddress) {
  const ours = { authorization: `Bearer ${internalToken}` }
  const probing = { [probeHeader]: probeToken(internalToken) }

  /** @throws ApiError service_unavailable when nobody answers, upstream_timeout when it takes too long */
  async function send(
    path: string,
    init: RequestInit,
    { seconds, isRepeatable }: { seconds: number; isRepeatable: boolean },
  ): Promise<Response> {
    const deadline = AbortSignal.timeout(seconds * 1000)
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    for (let attempt = 0; ; attempt++) {
      try {
        return await fetch(dataPlaneUrl + path, { redirect: 'manual', ...init, signal })
      } catch (error) {
        if (init.signal?.aborted) throw error
        if (deadline.aborted) throw new ApiError('upstream_timeout')
        const wait = isRepeatable ? waits[attempt] : undefined
        if (wait === undefined) {
          log.warn({ err: error, path: path.split('?')[0] }, 'the data plane does not answer')
          throw new ApiError('service_unavailable')
        }
        await delay(wait)
      }
    }
  }

  /** The answer as it comes, refused or not. */
  async function open<C extends DataPlaneCall>(
    { method, path, seconds }: C,
    given: Asked<C>['given'],
  ): Promise<Response> {
    const { params = {}, query, login, as, by, body, signal } = given
    const filled = filledPath(path, params)
    const init = {
      method,
      headers: {
        ...ours,
        ...(login && { 'x-plinth-login': login }),
        ...(as && { 'x-pg-application-name': as }),
        ...(by !== undefined && { 'x-plinth-caller': encodeURIComponent(by) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }
    const address = query ? `${filled}?${new URLSearchParams(query)}` : filled
    return send(address, init, { seconds, isRepeatable: method === 'GET' })
  }

  return {
    open,

    /** @throws ApiError with what the data plane refused it for, see `refusalOf` */
    async ask<C extends DataPlaneCall>(
      requested: C,
      given: Asked<C>['given'],
    ): Promise<Asked<C>['answer']> {
      const response = await open(requested, given)
      const text = await response.text()
      const answer = response.ok && requested.isText ? text : parsed(text)
      if (!response.ok) throw refusalOf(response.status, answer)
      // The type of a call has its answer's; a schema that is looked up by it has lost that.
      return requested.returns.parse(answer) as Asked<C>['answer']
    },

    /** A service of a project, asked as anybody could: without our token. */
    service: (ref: string, path: string, init: RequestInit, seconds: number): Promise<Response> =>
      send(`/${ref}${path}`, init, { seconds, isRepeatable: false }),

    /** The same, to see whether it answers at all: no log tells of it. */
    probe: (ref: string, path: string, seconds: number): Promise<Response> =>
      send(`/${ref}${path}`, { headers: probing }, { seconds, isRepeatable: false }),

    /** The auth service of a project, asked as the holder of its secret key would; `path` begins behind `/auth/v1`. */
    authService: (ref: string, path: string, init: RequestInit): Promise<Response> =>
      send(
        `/internal/auth-service/${ref}${path}`,
        { ...init, headers: { ...ours, ...(init.body ? json : {}) } },
        { seconds: 20, isRepeatable: init.method === 'GET' },
      ),

    /** Where a call of the dashboard goes on to as it is, with our token beside it. */
    onward: (path: string, more: Record<string, string>) => ({
      url: dataPlaneUrl + path,
      headers: new Headers({ ...ours, ...more }),
    }),
  }
}

/** A part that is empty or dots would make another path of it, however it is written. */
const filledPath = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    if (/^\.{0,2}$/.test(value)) throw new ApiError('invalid_input', `${name}: is no name`)
    return encodeURIComponent(value)
  })

const json = { 'content-type': 'application/json' }

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // Whatever stands between us and the data plane has answered in its own words.
    return undefined
  }
}
