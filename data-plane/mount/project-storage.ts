import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '#kit/log'
import type { Tenant } from '../gateway/gateway.ts'
import { bearerOf } from '../gateway/keys.ts'
import { restrictionOf } from '../projects/restriction.ts'
import { KeyError } from '../gateway/problems.ts'
import { TokenError } from '../gateway/tokens.ts'
import { storageEntry } from './log-entries.ts'
import { s3Refusal, s3RoutesOf } from './project-storage-s3.ts'
import type { StorageOptions } from '../options.ts'
import type { Plane } from '../plane.ts'
import type { OpenProject } from '../projects/open-project.ts'
import { headersJson } from '../rest/requests/session-values.ts'
import { accessTo, type Identity } from '../storage/access.ts'
import type { StorageRoutes } from '../storage/addresses.ts'
import type { Backend } from '../storage/backends/backend.ts'
import { StorageError } from '../storage/errors.ts'
import { s3Routes } from '../storage/s3/s3-routes.ts'
import { storageRoutes } from '../storage/routes.ts'
import { createScrubber } from '../storage/scrubber.ts'
import { dashboardStorageRoutes, type OwnStorage } from '../storage/dashboard/dashboard-routes.ts'
import { createStorageUse, type StorageUseCounts } from '../storage/use-counts.ts'
import type { Storage } from '../storage/transfer/uploads.ts'
import type { Meter } from '../usage/meter.ts'

/** What goes on while an organization is restricted: reading, where it is a POST as well. */
const readsStorage = (method: string, path: string): boolean =>
  method === 'GET' ||
  method === 'HEAD' ||
  (method === 'POST' && /^\/object\/(?:list|list-v2|sign)\//.test(path))

/** What goes on as well while that is for a quota. */
const deletesStorage = (method: string, path: string): boolean =>
  method === 'DELETE' || (method === 'POST' && /^\/bucket\/[^/?]+\/empty(?:\?|$)/.test(path))
/** The same in the S3 protocol, where many objects are deleted with a POST. */
const deletesByS3 = (method: string, path: string): boolean =>
  method === 'DELETE' || (method === 'POST' && /\?(?:.*&)?delete(?:[=&]|$)/.test(path))

/** Where nobody says what the plan keeps. */
const trashDays = 7

const visitor: Identity = { role: 'anon', claims: '{"role":"anon"}' }
const service: Identity = { role: 'service_role', claims: '{"role":"service_role"}' }

/** The service itself; what a person has asked for through our own programs is told with their mail address. */
function serviceFor({ headers }: FastifyRequest): Identity {
  const { 'x-acting-as': person } = headers
  if (typeof person !== 'string') return service
  const claims = { role: service.role, email: decodeURIComponent(person) }
  return { role: service.role, claims: JSON.stringify(claims) }
}

/** The storage of a project as the service itself, for our own programs. */
type OwnStorageOf = (
  project: OpenProject,
  request: FastifyRequest,
  /** Whether somebody uses it, so that it is looked after. */
  how?: { isUse: boolean },
) => OwnStorage

/** Puts the storage of projects behind the gateway, and what the dashboard asks of it below /internal. */
export function mountStorage(plane: Plane, options: StorageOptions): void {
  const { app, gateway, counts, logs, loggedFor, meter, onlyOurs, openForOwn, log } = plane
  const { keepUse: send = () => Promise.resolve() } = options
  const use = createStorageUse({ send, log })
  app.addHook('onClose', () => use.close())
  const { of, ownOf } = createStorages({ ...options, use, meter, log }, gateway.tenantOf)
  const routes: StorageRoutes & { backend: Backend } = {
    backend: options.backend,
    storageOf: (request) => of(request, identityOf(gateway.tenantOf(request), request)),
    visitorOf: (request) => of(request, visitor),
    checkRenders: (request) => {
      const { storage } = gateway.tenantOf(request).project.connection.settings
      if (storage?.imageTransformation === false)
        throw new StorageError('FeatureNotEnabled', 'Image transformations are off in this project')
    },
  }
  const watch = (scope: FastifyInstance) => {
    counts?.watch(scope, 'storage', gateway.admitted)
    scope.addHook('onResponse', (request, reply, done) => {
      const ref = loggedFor(request)
      if (ref !== undefined) logs.note(ref, 'storage_logs', storageEntry(request, reply))
      done()
    })
  }
  void app.register(
    async (scope) => {
      gateway.guard(scope, {
        thirdParty: true,
        keyOptional: true,
        reads: readsStorage,
        deletes: deletesStorage,
      })
      watch(scope)
      await scope.register(storageRoutes, routes)
    },
    { prefix: '/:ref/storage/v1' },
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', async (_, reply) => void reply.type('application/xml'))
      // What is signed with is no key of the gateway's.
      gateway.guard(scope, { open: () => true, refusal: s3Refusal, deletes: deletesByS3 })
      watch(scope)
      await scope.register(s3Routes, s3RoutesOf(gateway, of))
    },
    { prefix: '/:ref/storage/v1/s3' },
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', onlyOurs)
      dashboardStorageRoutes(scope, {
        async ownStorageOf(ref, ...asked) {
          const project = await openForOwn(ref)
          return project && ownOf(project, ...asked)
        },
      })
    },
    { prefix: '/internal/storage' },
  )
}

/** The storage of the project that the gateway has found for a request, for somebody. */
function createStorages(
  {
    backend,
    largest,
    log,
    use,
    orderEmptying,
    meter,
  }: StorageOptions & { use: StorageUseCounts; meter: Meter; log: Log },
  tenantOf: (request: FastifyRequest) => Tenant<OpenProject>,
) {
  const scrubber = createScrubber(log)
  function storageFor(
    project: OpenProject,
    request: FastifyRequest,
    path: string,
    identity: Identity,
    isUse = true,
  ): Storage {
    const asked = {
      method: request.method,
      path,
      headers: headersJson(request.headers),
      requestId: request.id,
    }
    const { ref, sealingKey, settings } = project.connection
    const access = accessTo(project, identity, asked)
    const max = Math.min(largest, settings.storage?.fileSizeLimit ?? largest)
    const storage: Storage = {
      ref,
      backend,
      largest: max,
      sealingKey,
      log,
      access,
      trashDays: settings.storage?.trashDays ?? trashDays,
      orderEmptying: orderEmptying && ((bucket) => orderEmptying(ref, bucket)),
      use: {
        sent: use.of(ref).sent,
        rendered(origin) {
          use.of(ref).rendered(origin)
          meter.seen(ref, 'images', origin)
        },
      },
      purgeSoon: () => scrubber.purgeSoon(storage),
    }
    if (isUse) scrubber.seen(storage, project)
    return storage
  }
  const ownOf: OwnStorageOf = (project, request, { isUse } = { isUse: true }) => {
    const { url, publicUrl = url } = project.connection
    const storage = storageFor(project, request, '/', serviceFor(request), isUse)
    return { storage, url, publicUrl, restriction: restrictionOf(project.connection) }
  }
  return {
    of(request: FastifyRequest, identity: Identity): Storage {
      const { project, target } = tenantOf(request)
      return storageFor(project, request, target.split('?', 1)[0] ?? '', identity)
    },
    ownOf,
  }
}

/** Unlike for the data API, no key at all is a question of this service's own (contract §1). */
function identityOf(tenant: Tenant<OpenProject>, { headers }: FastifyRequest): Identity {
  const { key } = tenant
  const shows = key.token !== undefined || key.sha256 !== undefined
  if (!shows && bearerOf(headers.authorization) === undefined) {
    const message = "headers must have required property 'authorization'"
    throw new StorageError('InvalidRequest', message, { error: 'Error' })
  }
  try {
    return tenant.identity()
  } catch (error) {
    if (!(error instanceof TokenError) && !(error instanceof KeyError)) throw error
    throw new StorageError('InvalidJWT', error.message, { status: 403, error: 'Unauthorized' })
  }
}
