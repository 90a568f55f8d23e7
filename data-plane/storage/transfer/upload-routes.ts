import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sentBy } from './request-body.ts'
import { placeOf, queryOf, type StorageRoutes } from '../addresses.ts'
import { verifyGrant } from '../signed-urls.ts'
import { checkMimeType, checkSize, limited, type Limits } from './upload-limits.ts'
import { limitsOf, rehearse, store, type Storage, type Target } from './uploads.ts'

/** What is promised is refused at once when it is too much. A form is a little more than the file in it. */
function checkPromise(request: FastifyRequest, limits: Limits): void {
  const promised = Number(request.headers['content-length'] ?? 0)
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false
  checkSize(isForm ? promised - 64 * 1024 : promised, limits)
}

async function upload(
  storage: Storage,
  target: Target,
  request: FastifyRequest,
  owned: { owner?: string | null | undefined } = {},
) {
  const limits = await limitsOf(storage, target.bucket)
  checkPromise(request, limits)
  const sent = await sentBy(request)
  checkMimeType(sent.mimetype, limits)
  const stored = await store(storage, target, limited(sent.bytes, limits), sent.details, owned)
  return { Id: stored.id, Key: `${target.bucket}/${target.name}` }
}

/** Uploads in one request (contract §3). */
export function uploadRoutes(app: FastifyInstance, routes: StorageRoutes): void {
  const { storageOf, visitorOf } = routes
  app.post('/object/:bucket/*', async (request) => {
    const storage = storageOf(request)
    const upsert = request.headers['x-upsert'] === 'true'
    const target = { ...placeOf(request), upsert, operation: 'storage.object.upload' }
    await rehearse(storage, target, request.headers['content-type'])
    return upload(storage, target, request)
  })
  app.put('/object/:bucket/*', async (request) => {
    const storage = storageOf(request)
    const target = { ...placeOf(request), upsert: true, operation: 'storage.object.upload_update' }
    await rehearse(storage, target, request.headers['content-type'])
    return upload(storage, target, request)
  })
  app.put('/object/upload/sign/:bucket/*', async (request) => {
    const storage = visitorOf(request)
    const { bucket, name } = placeOf(request)
    const token = queryOf(request).get('token') ?? undefined
    const expected = { scope: 'upload', url: `${bucket}/${name}` } as const
    const { owner, upsert = false } = verifyGrant(token, expected, storage.sealingKey)
    const target = { bucket, name, upsert, operation: 'storage.object.upload_signed' }
    const { Key } = await upload(storage, target, request, { owner: owner ?? null })
    return { Key }
  })
}
