import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Action } from '#contract/permissions'
import { v1 } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implementRaw, type Caller } from '#kit/http'
import { dataPlaneApi } from '#contract/data-plane-api'
import type { DataPlane } from '../../data-plane/client.ts'
import { refusalOf } from '../../data-plane/refusal.ts'

type Deps = {
  dataPlane: DataPlane
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
export function v1QueryRoutes({ dataPlane, can }: Deps) {
  async function run({ ref, readOnly, caller, ...sql }: Query, reply: FastifyReply) {
    const mayWrite = caller && (await can(caller, ref, 'tenant:Sql:Admin:Write', 'tables'))
    const gone = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort()
    })
    const response = await dataPlane
      .open(dataPlaneApi.query, {
        params: { ref },
        login: mayWrite && !readOnly ? 'postgres' : 'plinth_read_only',
        as: 'plinth-management-api',
        body: sql,
        signal: gone.signal,
      })
      .catch((error: unknown) => {
        if (gone.signal.aborted) return undefined
        throw error
      })
    if (!response) return reply.hijack()
    if (response.ok && response.body) {
      void reply.status(201).type('application/json; charset=utf-8')
      // The same stream; two declarations of its type.
      return Readable.fromWeb(response.body as ReadableStream)
    }
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status !== 400) throw refusalOf(response.status, body)
    const { message, formattedError } = Refusal.parse(body)
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
