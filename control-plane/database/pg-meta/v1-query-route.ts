import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Action } from '#contract/permissions'
import { v1 } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implementRaw, type Caller } from '#kit/http'
import type { Forward } from './forward.ts'

type Deps = Forward & {
  can: (caller: Caller, ref: string, action: Action, resource: string) => Promise<boolean>
}
type Query = {
  ref: string
  query: string
  parameters: unknown[]
  readOnly: boolean
  caller: Caller | undefined
}

const Refusal = z.object({
  message: z.string().default('Query failed'),
  formattedError: z.string().optional(),
})

/** SQL of tools and agents, in the shapes that they know: 201 with the rows, 400 with the database's own words. */
export function v1QueryRoutes({ dataPlaneUrl, internalToken, can }: Deps) {
  async function run({ ref, readOnly, caller, ...sql }: Query, reply: FastifyReply) {
    const mayWrite = caller && (await can(caller, ref, 'tenant:Sql:Admin:Write', 'tables'))
    const gone = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort()
    })
    const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${ref}/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${internalToken}`,
        'content-type': 'application/json',
        'x-plinth-login': mayWrite && !readOnly ? 'postgres' : 'plinth_read_only',
        'x-pg-application-name': 'plinth-management-api',
      },
      body: JSON.stringify(sql),
      signal: gone.signal,
    }).catch((error: unknown) => {
      if (gone.signal.aborted) return undefined
      reply.log.error({ err: error }, 'data plane does not answer')
      throw new ApiError('service_unavailable')
    })
    if (!response) return reply.hijack()
    if (response.ok && response.body) {
      void reply.status(201).type('application/json; charset=utf-8')
      // The same stream; two declarations of its type.
      return Readable.fromWeb(response.body as ReadableStream)
    }
    if (response.status !== 400) throw refusalOf(response.status)
    const { message, formattedError } = Refusal.parse(await response.json())
    throw new ApiError('query_failed', `Failed to run sql query: ${formattedError ?? message}`)
  }

  return [
    implementRaw(v1.query, ({ read_only, ...sql }, caller, { reply }) =>
      run({ ...sql, readOnly: read_only, caller }, reply),
    ),
    implementRaw(v1.readOnlyQuery, (sql, caller, { reply }) =>
      run({ ...sql, readOnly: true, caller }, reply),
    ),
  ]
}

function refusalOf(status: number): ApiError {
  if (status === 408) return new ApiError('query_timeout')
  if (status === 402) return new ApiError('organization_restricted')
  return new ApiError(status === 404 ? 'project_not_found' : 'project_unreachable')
}
