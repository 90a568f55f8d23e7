import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NoBytesError, type Backend } from './backends/backend.ts'
import { type StorageRoutes, bucketOf, queryOf, placeOf } from './addresses.ts'
import { archiveRoutes } from './archive/archive-routes.ts'
import { downloadRoutes } from './transfer/download-routes.ts'
import { noSuchKey, StorageError } from './errors.ts'
import { imageRoutes } from './images/image-routes.ts'
import { streamBodies, readJson, metadataHeader } from './transfer/request-body.ts'
import { resumableRoutes } from './resumable/resumable-routes.ts'
import { signRoutes } from './sign-routes.ts'
import { uploadRoutes } from './transfer/upload-routes.ts'
import {
  changeBucket,
  createBucket,
  emptyBucket,
  getBucket,
  getBuckets,
  removeBucket,
} from './buckets.ts'
import {
  ChangedBucket,
  NewBucket,
  read,
  Copy,
  ListLevel,
  ListV2,
  Move,
  RemoveMany,
} from './input.ts'
import { listObjects, listObjectsV2 } from './lists.ts'
import { copyTo, moveTo, removeObjects } from './objects.ts'

const exposed = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'ETag',
  'Last-Modified',
  'Location',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-Id',
  'X-Transformations',
].join(', ')

/** Mounts the storage service on a scope that the gateway guards. */
export async function storageRoutes(
  app: FastifyInstance,
  routes: StorageRoutes & { backend: Backend },
): Promise<void> {
  await streamBodies(app)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin) void reply.header('access-control-expose-headers', exposed)
    done()
  })
  app.get('/status', async () => ({ status: 'ok' }))
  app.get('/health', async () => ({ healthy: true }))
  app.get('/version', (_request, reply) => reply.type('text/plain').send('1.0.0'))
  bucketRoutes(app, routes)
  uploadRoutes(app, routes)
  resumableRoutes(app, routes)
  signRoutes(app, routes)
  downloadRoutes(app, routes)
  archiveRoutes(app, routes)
  objectRoutes(app, routes)
  imageRoutes(app, routes)
  app.setErrorHandler(sendProblem)
}

/** Every known refusal is a 400 whose body says more, except what is our fault (contract §1). */
function sendProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error)
  if (refusal.status === 500)
    request.log.error(
      { err: error, requestId: request.id },
      'A request of the storage service failed',
    )
  // Where nobody but the server is at fault, clients and what stands between have to see it.
  const isOurs = refusal.status === 500 || refusal.code === 'DatabaseUnavailable'
  void reply.status(isOurs ? refusal.status : 400)
  // What was set for an answer that did not come about.
  for (const name of [
    'content-disposition',
    'content-length',
    'content-range',
    'etag',
    'cache-control',
  ])
    void reply.removeHeader(name)
  return reply.type('application/json; charset=utf-8').send(refusal.body())
}

function refusalOf(error: FastifyError | StorageError): StorageError {
  if (error instanceof StorageError) return error
  if (error instanceof NoBytesError) return noSuchKey()
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  // The framework's own: a form that is none, a length that does not agree.
  if (status >= 400 && status < 500) return new StorageError('InvalidRequest', error.message)
  return new StorageError('InternalError', 'Something went wrong on our side')
}

/** Buckets (contract §2). */
function bucketRoutes(app: FastifyInstance, { storageOf }: StorageRoutes): void {
  app.post('/bucket', async (request) => {
    const storage = storageOf(request)
    return { name: await createBucket(storage, read(NewBucket, await readJson(request))) }
  })
  for (const url of ['/bucket', '/bucket/'])
    app.get(url, (request) => getBuckets(storageOf(request), queryOf(request)))
  app.get('/bucket/:bucket', (request) => getBucket(storageOf(request), bucketOf(request)))
  app.put('/bucket/:bucket', async (request) => {
    const storage = storageOf(request)
    const change = read(ChangedBucket, await readJson(request))
    await changeBucket(storage, bucketOf(request), change)
    return { message: 'Successfully updated' }
  })
  app.delete('/bucket/:bucket', async (request) => {
    await removeBucket(storageOf(request), bucketOf(request))
    return { message: 'Successfully deleted' }
  })
  app.post('/bucket/:bucket/empty', async (request) => {
    await emptyBucket(storageOf(request), bucketOf(request))
    return { message: 'Empty bucket has been queued. Completion may take up to an hour.' }
  })
}

/** Lists, moves, copies and deletes (contract §3). */
function objectRoutes(app: FastifyInstance, { storageOf }: StorageRoutes): void {
  app.post('/object/list/:bucket', async (request) => {
    const storage = storageOf(request)
    return listObjects(storage, bucketOf(request), read(ListLevel, await readJson(request)))
  })
  app.post('/object/list-v2/:bucket', async (request) => {
    const storage = storageOf(request)
    return listObjectsV2(storage, bucketOf(request), read(ListV2, await readJson(request)))
  })
  app.post('/object/move', async (request) => {
    const storage = storageOf(request)
    const moved = await moveTo(storage, read(Move, await readJson(request)))
    return { message: 'Successfully moved', Id: moved.id, Key: `${moved.bucket_id}/${moved.name}` }
  })
  app.post('/object/copy', async (request) => {
    const storage = storageOf(request)
    const ask = read(Copy, await readJson(request))
    const { 'x-upsert': upsert, 'x-metadata': metadata } = request.headers
    const userMetadata = metadata === undefined ? undefined : metadataHeader(metadata)
    const copied = await copyTo(storage, { ...ask, upsert: upsert === 'true', userMetadata })
    return { Id: copied.id, Key: `${copied.bucket_id}/${copied.name}`, ...copied }
  })
  for (const url of ['/cdn', '/cdn/*'])
    app.delete(url, async (request) => {
      const { access } = storageOf(request)
      if (access.identity.role !== 'service_role')
        throw new StorageError('AccessDenied', 'Only the service role may purge the cache')
      // No cache stands in front of a project: what is read is what is stored, and nothing of before is left to purge.
      return { message: 'success' }
    })
  app.delete('/object/:bucket/*', async (request) => {
    const { bucket, name } = placeOf(request)
    const operation = 'storage.object.delete'
    const removed = await removeObjects(storageOf(request), bucket, [name], operation)
    if (removed.length === 0) throw noSuchKey()
    return { message: 'Successfully deleted' }
  })
  app.delete('/object/:bucket', async (request) => {
    const storage = storageOf(request)
    const { prefixes } = read(RemoveMany, await readJson(request))
    const operation = 'storage.object.delete_many'
    return removeObjects(storage, bucketOf(request), prefixes, operation)
  })
}
