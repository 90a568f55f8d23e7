import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { headerText } from './download-headers.ts'
import { sendObject } from './downloads.ts'
import { findAny, findFor, isPublic } from '../objects.ts'
import type { StoredObject } from '../objects-store.ts'
import { placeOf, queryOf, type StorageRoutes } from '../addresses.ts'
import { verifyGrant } from '../signed-urls.ts'
import type { Storage } from './uploads.ts'

const method = ['GET', 'HEAD']

/** Bytes of objects and what is known of them (contract §3). */
export function downloadRoutes(app: FastifyInstance, routes: StorageRoutes): void {
  const { storageOf, visitorOf } = routes

  /** Of a public bucket anybody may read, whatever token they show. */
  async function finderOf(
    request: FastifyRequest,
  ): Promise<[Storage, () => Promise<StoredObject>]> {
    const { bucket, name } = placeOf(request)
    const visitor = visitorOf(request)
    if (await isPublic(visitor, bucket))
      return [visitor, () => findAny(visitor, bucket, name, { onlyPublic: true })]
    const storage = storageOf(request)
    return [storage, () => findFor(storage, bucket, name, 'storage.object.get_authenticated')]
  }

  async function download(request: FastifyRequest, reply: FastifyReply) {
    const [storage, find] = await finderOf(request)
    return sendObject(storage, find, request, reply)
  }
  async function info(request: FastifyRequest, reply: FastifyReply) {
    const [, find] = await finderOf(request)
    return describe(await find(), reply)
  }

  app.route({
    method,
    url: '/object/public/:bucket/*',
    handler: async (request, reply) => {
      const [storage, { bucket, name }] = [visitorOf(request), placeOf(request)]
      const find = () => findAny(storage, bucket, name, { onlyPublic: true })
      return sendObject(storage, find, request, reply)
    },
  })
  app.route({
    method,
    url: '/object/sign/:bucket/*',
    handler: async (request, reply) => {
      const [storage, { bucket, name }] = [visitorOf(request), placeOf(request)]
      const expected = { scope: 'download', url: `${bucket}/${name}` } as const
      verifyGrant(queryOf(request).get('token') ?? undefined, expected, storage.sealingKey)
      const find = () => findAny(storage, bucket, name, { onlyPublic: false })
      return sendObject(storage, find, request, reply)
    },
  })
  app.route({
    method,
    url: '/object/info/public/:bucket/*',
    handler: async (request, reply) => {
      const { bucket, name } = placeOf(request)
      const found = await findAny(visitorOf(request), bucket, name, { onlyPublic: true })
      return describe(found, reply)
    },
  })
  for (const url of ['/object/info/authenticated/:bucket/*', '/object/info/:bucket/*'])
    app.route({ method, url, handler: info })
  for (const url of ['/object/authenticated/:bucket/*', '/object/:bucket/*'])
    app.route({ method, url, handler: download })
}

/** What `info` says of an object: its tag also as the download has it, so that the two can be compared. */
function describe(object: StoredObject, reply: FastifyReply) {
  const tag = headerText(object.metadata?.eTag)
  if (tag !== undefined) void reply.header('etag', tag)
  const { id, name, version, bucket_id, created_at, updated_at, metadata, user_metadata } = object
  return {
    id,
    name,
    version,
    bucket_id,
    size: metadata?.size ?? null,
    content_type: metadata?.mimetype ?? null,
    cache_control: metadata?.cacheControl ?? null,
    etag: metadata?.eTag ?? null,
    metadata: user_metadata ?? {},
    last_modified: metadata?.lastModified ?? updated_at,
    created_at,
    updated_at,
  }
}
