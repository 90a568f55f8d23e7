import { storageTrash as trash } from '#contract/storage/storage-trash'
import { restrictionErrors, type Restriction } from '../../projects/restriction.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint'
import { storage as api } from '#contract/storage/storage'
import { StoragePurge, StorageRound, StorageUnnamed } from '#contract/storage/storage-jobs'
import { ApiError } from '#kit/errors'
import { addErrorHandling } from '#kit/http/http-errors'
import { readInput } from '#kit/http/http-input'
import { rowsOf } from '../access.ts'
import { changeBucket, createBucket, getBucket, getBuckets, removeBucket } from '../buckets.ts'
import { inPlatformWords } from './dashboard-failures.ts'
import { listFolder } from './dashboard-list.ts'
import {
  beginUploads,
  lookAt,
  makeFolder,
  publicAddress,
  signMany,
  signOne,
  inAddress,
  lookSeconds,
  type Place,
} from './dashboard-objects.ts'
import { route, type DashboardRoute } from './dashboard-route.ts'
import { ofTrash } from './dashboard-trash.ts'
import { copyTo, moveTo, removeObjects } from '../objects.ts'
import { runRound } from '../rounds.ts'
import { sweepUnnamed } from '../scrubber.ts'
import { trashUsage } from '../trash/trash-store.ts'
import { purgeExpired } from '../trash/trash.ts'
import type { Storage } from '../transfer/uploads.ts'
import { usageByBucket, type BucketUsage } from '../usage-store.ts'
import { anyOf } from '../archive/archive.ts'
import { keepChoice } from '../archive/archive-choice.ts'
import { noSuchKey } from '../errors.ts'
import { signGrant } from '../signed-urls.ts'

/** Where several objects are saved as one zip; what cannot be is said before the browser goes there. @throws StorageError */
async function signArchive(
  { storage, base, bucket }: Place,
  paths: readonly string[],
  name: string,
) {
  await getBucket(storage, bucket)
  if (!(await anyOf(storage, bucket, paths))) throw noSuchKey()
  const choice = await keepChoice(storage, paths)
  const grant = { scope: 'archive', url: `${bucket}/${choice}` } as const
  const token = signGrant(grant, lookSeconds, storage.sealingKey)
  const address = `${base}/archive/${inAddress(bucket)}/${choice}`
  return { url: `${address}?token=${token}&download=${encodeURIComponent(name)}` }
}

/** The storage of a project as the service itself, and the address of the project. */
export type OwnStorage = {
  storage: Storage
  /** The address of the project that always works, and the one that people are told. */
  url: string
  publicUrl: string
  restriction: Restriction | undefined
}
type Options = {
  /** Undefined when there is no such project. */
  ownStorageOf: (
    ref: string,
    request: FastifyRequest,
    how?: { isUse: boolean },
  ) => Promise<OwnStorage | undefined>
}

const prefix = '/platform/storage'
const reading = new Set<Endpoint>([
  api.list,
  api.download,
  api.archive,
  api.publicUrl,
  api.sign,
  api.signMany,
])

const deleting = new Set<Endpoint>([trash.purge, trash.empty])

/** @throws ApiError organization_restricted, quota_exceeded: what deletes goes on while it is for a quota */
function refuseRestricted({ restriction }: OwnStorage, deletes: boolean): void {
  if (restriction === undefined || (restriction === 'quota' && deletes)) return
  throw new ApiError(restrictionErrors[restriction])
}

/**
 * What the dashboard asks of a project's storage, below the prefix of `app`. It trusts its caller, the control plane,
 * which has checked who may what, and acts as the service itself.
 */
export function dashboardStorageRoutes(app: FastifyInstance, { ownStorageOf }: Options): void {
  addErrorHandling(app)
  app.post('/rounds', async (request) => {
    // Only our own programs ask, by the same schema.
    const round = StorageRound.parse(request.body)
    const found = await ownStorageOf(round.ref, request)
    if (!found) throw new ApiError('project_not_found')
    refuseRestricted(found, round.kind === 'remove')
    return runRound(found.storage, round).catch((error: unknown) => {
      throw inPlatformWords(error)
    })
  })
  app.post('/purges', async (request) => {
    const { ref } = StoragePurge.parse(request.body)
    // A round of ours is no use of it: all bytes of a project that sleeps are not compared every day.
    const found = await ownStorageOf(ref, request, { isUse: false })
    if (!found) throw new ApiError('project_not_found')
    refuseRestricted(found, true)
    const purged = await purgeExpired(found.storage).catch((error: unknown) => {
      throw inPlatformWords(error)
    })
    return { purged }
  })
  app.post('/unnamed', async (request) => {
    const { ref, remove } = StorageUnnamed.parse(request.body)
    const found = await ownStorageOf(ref, request, { isUse: false })
    if (!found) throw new ApiError('project_not_found')
    const count = await sweepUnnamed(found.storage, { remove }).catch((error: unknown) => {
      throw inPlatformWords(error)
    })
    return { found: count }
  })
  for (const { endpoint, handler } of [...ofBuckets, ...ofObjects, ...ofTrash]) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.slice(prefix.length),
      handler: async (request, reply) => {
        const input = readInput(endpoint, request)
        const found = await ownStorageOf(String(input['ref']), request)
        if (!found) throw new ApiError('project_not_found')
        const isRead = endpoint.method === 'GET' || reading.has(endpoint)
        if (!isRead) refuseRestricted(found, endpoint.method === 'DELETE' || deleting.has(endpoint))
        const base = `${found.url}/storage/v1`
        const publicBase = `${found.publicUrl}/storage/v1`
        // Of every endpoint about one bucket, `id` is its name.
        const { id: bucket = '' } = input as { id?: string }
        const place = { storage: found.storage, base, publicBase, bucket }
        try {
          // The schema that made `input` is the one its handler's type was read from.
          const answer = await handler(input as never, place)
          return await reply.status(endpoint.status).send(answer ?? {})
        } catch (error) {
          throw inPlatformWords(error)
        }
      },
    })
  }
}

const ofBuckets: DashboardRoute[] = [
  route(api.buckets, async (_, { storage }) => ({
    buckets: await getBuckets(storage, new URLSearchParams()),
    largest: storage.largest,
  })),
  route(api.createBucket, async ({ name, ...settings }, { storage }) => ({
    name: await createBucket(storage, { name, ...settings }),
  })),
  route(api.bucket, (_, { storage, bucket }) => getBucket(storage, bucket)),
  route(api.updateBucket, ({ public: isPublic, ...limits }, { storage, bucket }) =>
    changeBucket(storage, bucket, { public: isPublic, ...limits }),
  ),
  route(api.removeBucket, (_, { storage, bucket }) => removeBucket(storage, bucket)),
  route(api.usage, async (_, { storage }) => {
    const work = { operation: 'storage.bucket.usage', statements: [usageByBucket] }
    const inTrash = { operation: work.operation, statements: [trashUsage] }
    const [[buckets], [trash]] = await Promise.all([
      storage.access.asService(work),
      storage.access.asOwner(inTrash),
    ])
    return { buckets: rowsOf<BucketUsage>(buckets), trash: rowsOf(trash)[0] }
  }),
]

const ofObjects: DashboardRoute[] = [
  route(api.list, (input, { storage, bucket }) => listFolder(storage, bucket, input)),
  route(api.download, ({ path, name }, place) => lookAt(place, path, name)),
  route(api.archive, ({ paths, name }, place) => signArchive(place, paths, name)),
  route(api.publicUrl, ({ path }, place) => publicAddress(place, path)),
  route(api.sign, ({ path, expires_in }, place) => signOne(place, path, expires_in)),
  route(api.signMany, ({ paths, expires_in }, place) => signMany(place, paths, expires_in)),
  route(api.uploads, ({ paths, upsert }, place) => beginUploads(place, paths, upsert)),
  route(api.makeFolder, ({ path }, place) => makeFolder(place, path)),
  route(api.move, async ({ from, to, to_bucket }, { storage, bucket }) => {
    const place = { bucketId: bucket, sourceKey: from, destinationKey: to }
    await moveTo(storage, { ...place, destinationBucket: to_bucket })
  }),
  route(api.copy, async ({ from, to, to_bucket }, { storage, bucket }) => {
    const place = { bucketId: bucket, sourceKey: from, destinationKey: to }
    const how = { copyMetadata: true, upsert: false }
    await copyTo(storage, { ...place, destinationBucket: to_bucket, ...how })
  }),
  route(api.remove, async ({ path = '', paths = [path] }, { storage, bucket }) => {
    await getBucket(storage, bucket)
    const operation = 'storage.object.delete_many'
    return { removed: (await removeObjects(storage, bucket, paths, operation)).length }
  }),
]
