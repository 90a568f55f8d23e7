import type { FastifyInstance } from 'fastify'
import { noSuchKey, StorageError } from './errors.ts'
import { Copy, ListLevel, ListV2, Move, read, RemoveMany } from './input.ts'
import { listObjects, listObjectsV2 } from './lists.ts'
import { copyTo, moveTo, removeObjects } from './objects.ts'
import { metadataHeader, readJson } from './transfer/request-body.ts'
import { bucketOf, placeOf, type StorageRoutes } from './addresses.ts'

/** Lists, moves, copies and deletes (contract §3). */
export function objectRoutes(app: FastifyInstance, { storageOf }: StorageRoutes): void {
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
