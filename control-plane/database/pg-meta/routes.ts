import type { Endpoint } from '#contract/endpoint'
import type { Action } from '#contract/permissions'
import { projectDatabase } from '#contract/projects/project-database'
import { ApiError } from '#kit/errors'
import { implementRaw, type Caller } from '#kit/http'
import type { DataPlane } from '../../data-plane/client.ts'
import { forward } from './forward.ts'
import { migrationsRoutes } from './migrations-routes.ts'
import { typesRoutes } from './types-route.ts'
import { v1QueryRoutes } from './v1-query-route.ts'

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
