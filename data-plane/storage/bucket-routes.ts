import type { FastifyInstance } from 'fastify'
import {
  changeBucket,
  createBucket,
  emptyBucket,
  getBucket,
  getBuckets,
  removeBucket,
} from './buckets.ts'
import { ChangedBucket, NewBucket, read } from './input.ts'
import { readJson } from './transfer/request-body.ts'
import { bucketOf, queryOf, type StorageRoutes } from './addresses.ts'

/** Buckets (contract §2). */
export function bucketRoutes(app: FastifyInstance, { storageOf }: StorageRoutes): void {
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
