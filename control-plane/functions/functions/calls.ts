import type { Output, Parsed } from '#contract/endpoint'
import { FunctionEvent, type WantedEvents } from '#contract/functions/functions-events'
import { FunctionTrial, type FunctionCode } from '#contract/functions/functions-internal'
import type { functions as api } from '#contract/functions/functions'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import type { Deployment } from './deployment.ts'

type Deps = {
  dataPlaneUrl: string
  internalToken: string
  connection: (ref: string) => Promise<{ anonKey: string; serviceKey: string }>
  log: Log
}

/** Milliseconds that the test panel waits for a function. */
const longestTest = 60_000
/** The same that one is tried for, with those before it. */
const longestTrial = 100_000
const mostShown = 1_000_000
/** What the caller of a function cannot set: they are about the connection. */
const own = /^(?:host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer)$/i

/** What the control plane asks of the data plane that runs the functions. @throws ApiError service_unavailable */
export function createFunctionCalls({ dataPlaneUrl, internalToken, connection, log }: Deps) {
  const ask = (path: string, init: RequestInit, waitMs: number) =>
    fetch(`${dataPlaneUrl}${path}`, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    }).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'TimeoutError') {
        throw new ApiError('upstream_timeout', 'The function did not respond in time')
      }
      log.warn({ err: error }, 'the data plane does not answer')
      throw new ApiError('service_unavailable')
    })

  return {
    async events(ref: string, wanted: WantedEvents): Promise<FunctionEvent[]> {
      const query = new URLSearchParams({ limit: String(wanted.limit) })
      if (wanted.function_id) query.set('function_id', wanted.function_id)
      if (wanted.kind) query.set('kind', wanted.kind)
      const headers = { authorization: `Bearer ${internalToken}` }
      const answer = await ask(`/internal/function-events/${ref}?${query}`, { headers }, 15_000)
      if (!answer.ok) throw new ApiError('service_unavailable')
      return FunctionEvent.array().parse(await answer.json())
    },

    /** Starts the code once, before it is kept. @throws ApiError function_does_not_start, service_unavailable */
    async tryOut(ref: string, code: Deployment): Promise<void> {
      const body: FunctionCode = {
        entrypointPath: code.entrypoint_path,
        importMapPath: code.import_map_path ?? null,
        files: code.files.map(({ path, content }) => ({
          path,
          content: content.toString('base64'),
        })),
      }
      const answer = await ask(
        `/internal/function-trials/${ref}`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${internalToken}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        longestTrial,
      )
      if (answer.status === 429) throw new ApiError('rate_limited')
      if (!answer.ok) throw new ApiError('service_unavailable')
      const { outcome, reason, place } = FunctionTrial.parse(await answer.json())
      if (outcome !== 'failed') return
      const said = place === undefined ? reason : `${place}: ${reason}`
      throw new ApiError('function_does_not_start', `The function does not start. ${said}`)
    },

    async test(input: Parsed<typeof api.test>): Promise<Output<typeof api.test>> {
      const { ref, function_slug: slug, method, path, role, body } = input
      const { anonKey, serviceKey } = await connection(ref)
      const headers = new Headers()
      headers.set('authorization', `Bearer ${role === 'anon' ? anonKey : serviceKey}`)
      for (const { name, value } of input.headers.filter((each) => !own.test(each.name))) {
        headers.set(name, value)
      }
      const carries = method !== 'GET' && method !== 'HEAD' && body !== ''
      if (carries && !headers.has('content-type')) headers.set('content-type', 'application/json')
      const startedAt = performance.now()
      const url = `/${ref}/functions/v1/${slug}${path}`
      const init = { method, headers, ...(carries ? { body } : {}) }
      const answer = await ask(url, init, longestTest)
      const text = await textOf(answer)
      return {
        status: answer.status,
        headers: [...answer.headers].map(([name, value]) => ({ name, value })),
        body: text,
        duration_ms: Math.round(performance.now() - startedAt),
      }
    },
  }
}
export type FunctionCalls = ReturnType<typeof createFunctionCalls>

/** As much of an answer as is shown. An answer without an end is cut where it is when time is over. */
async function textOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (text.length >= mostShown) break
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') {
      return `${text}\n(the answer broke off)`
    }
  }
  return text.slice(0, mostShown)
}
