import { dataPlaneApi } from '#contract/data-plane-api'
import type { Output, Parsed } from '#contract/endpoint'
import type { FunctionCode } from '#contract/functions/functions-internal'
import type { functions as api } from '#contract/functions/functions'
import { ApiError } from '#kit/errors'
import type { DataPlane } from '../../data-plane/client.ts'
import type { Deployment } from './deployment.ts'

type Deps = {
  dataPlane: DataPlane
  connection: (ref: string) => Promise<{ anonKey: string; serviceKey: string }>
}

/** Seconds that the test panel waits for a function. */
const longestTest = 60
const maxShown = 1_000_000
/** What the caller of a function cannot set: they are about the connection. */
const own = /^(?:host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer)$/i

/** What the control plane asks of the data plane that runs the functions. @throws ApiError service_unavailable */
export function createFunctionCalls({ dataPlane, connection }: Deps) {
  /** Of a function it is said that it takes too long, not of a database. */
  const inTime = <T>(asked: Promise<T>): Promise<T> =>
    asked.catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'upstream_timeout')
        throw new ApiError('upstream_timeout', 'The function did not respond in time')
      throw error
    })

  return {
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
      const { outcome, reason, place } = await inTime(
        dataPlane.ask(dataPlaneApi.functionTrial, { params: { ref }, body }),
      )
      if (outcome !== 'failed') return
      const output = place === undefined ? reason : `${place}: ${reason}`
      throw new ApiError('function_does_not_start', `The function does not start. ${output}`)
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
      const init = { method, headers, ...(carries ? { body } : {}) }
      const url = `/functions/v1/${slug}${path}`
      const answer = await inTime(dataPlane.service(ref, url, init, longestTest))
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
      if (text.length >= maxShown) break
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') {
      return `${text}\n(the answer broke off)`
    }
  }
  return text.slice(0, maxShown)
}
