import type { Endpoint } from '#contract/endpoint'
import type { Action } from '#contract/permissions'
import * as projectDatabase from '#contract/projects/project-database'
import { ApiError } from '#kit/errors'
import { implementRaw, type Caller, implement } from '#kit/http'
import type { DataPlane, Login } from '../../data-plane/client.ts'
import { migrationsRoutes } from './migrations-routes.ts'
import { v1QueryRoutes } from './v1-query-route.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forwardCall } from '#kit/http/forward'
import { dataPlaneApi } from '#contract/data-plane-api'
import { v1 } from '#contract/v1/v1'

const passedOn = ['x-pg-application-name', 'accept'] as const

/** Sends an authorized metadata call on to the data plane. A caller who goes away cancels the query. */
async function forward(
  dataPlane: DataPlane,
  { login, by }: { login: Login; by: string | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const path = request.url.replace(/^\/platform\/pg-meta\//, '/internal/pg-meta/')
  const { url, headers } = dataPlane.onward(path, {
    'x-plinth-login': login,
    ...(by === undefined ? {} : { 'x-plinth-caller': encodeURIComponent(by) }),
  })
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return forwardCall(url, headers, request, reply)
}

type Deps = {
  dataPlane: DataPlane
  can: (caller: Caller, ref: string, action: Action, resource: string) => Promise<boolean>
  /** Whether a marker is the one that was given out for this project. */
  isMarkerOf: (marker: string, ref: string) => boolean
}

/**
 * The metadata API of every project. Permission and the encrypted-connection marker are checked here; the work is
 * done in the data plane, under the customer's own role or, for members who may only read, a read-only one.
 */
export const pgMetaRoutes = (deps: Deps) => [
  ...forwarded(deps),
  ...typesRoutes(deps),
  ...v1QueryRoutes(deps),
  ...migrationsRoutes(deps),
]

const forwarded = (deps: Deps) =>
  Object.values(projectDatabase)
    .flatMap((family): Endpoint[] => Object.values(family))
    .map((endpoint) =>
      implementRaw(endpoint, async (input, caller, { request, reply }) => {
        const ref = String(input['ref'])
        const marker = request.headers['x-connection-encrypted']
        if (typeof marker !== 'string' || !deps.isMarkerOf(marker, ref)) {
          throw new ApiError('missing_connection')
        }
        const writes = caller && (await deps.can(caller, ref, 'tenant:Sql:Admin:Write', 'tables'))
        // A role can only be taken by who may become it; the transactions of such a run only read all the same.
        const mayWrite = writes && (input['read_only'] !== true || input['as'] !== undefined)
        const login = mayWrite ? 'postgres' : 'plinth_read_only'
        return forward(deps.dataPlane, { login, by: caller?.email }, request, reply)
      }),
    )

/** The types of a project's database for programs, read as the login that only reads. */
function typesRoutes({ dataPlane }: { dataPlane: DataPlane }) {
  const typesFor = async (ref: string, language: string, query: Record<string, string>) => ({
    types: await dataPlane.ask(dataPlaneApi.types, {
      params: { ref, language },
      query,
      login: 'plinth_read_only',
      as: 'plinth-types',
    }),
  })
  return [
    implement(v1.types, ({ ref, included_schemas }) =>
      typesFor(ref, 'typescript', { included_schemas, detect_one_to_one_relationships: 'true' }),
    ),
    implement(v1.otherTypes, ({ ref, language, included_schemas }) =>
      typesFor(ref, language, { included_schemas }),
    ),
  ]
}
