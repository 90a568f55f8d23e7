import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { placeOf, queryOf, type StorageRoutes } from '../addresses.ts'
import type { Backend } from '../backends/backend.ts'
import { contentHeaders, contentOf, isUnchanged } from '../transfer/download-headers.ts'
import { disposition } from '../transfer/downloads.ts'
import { noSuchKey } from '../errors.ts'
import { imageParams } from './image-params.ts'
import { createImageRenderer } from './image-render.ts'
import { findAny, findFor } from '../objects.ts'
import type { StoredObject } from '../objects-store.ts'
import { countSent } from '../transfer/sent-bytes.ts'
import { verifyGrant } from '../signed-urls.ts'
import type { Storage } from '../transfer/uploads.ts'

type Rendering = { storage: Storage; object: StoredObject; image: ReturnType<typeof imageParams> }

/** Images, rendered as an address asks (contract §4). */
export function imageRoutes(
  app: FastifyInstance,
  routes: StorageRoutes & { backend: Backend },
): void {
  const { storageOf, visitorOf, backend } = routes
  const render = createImageRenderer(backend)
  const method = ['GET', 'HEAD']

  async function send(
    { storage, object, image: { params, summary } }: Rendering,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    if (object.version === null) throw noSuchKey()
    const { ref, use } = storage
    countSent(reply, use.sent)
    const { image, type } = await render(
      { ref, version: object.version },
      params,
      request.headers.accept ?? '',
    )
    use.rendered(object.id)
    const eTag = `"${createHash('md5').update(image).digest('hex')}"`
    const content = { ...contentOf(object, image.length), mimetype: type, eTag, kept: {} }
    const headers = {
      ...contentHeaders(content),
      'accept-ranges': 'none',
      vary: 'Accept',
      ...(summary !== '' && { 'x-transformations': summary }),
    }
    void reply.headers({ ...headers, ...disposition(request, object.name) })
    if (isUnchanged(request.headers, content)) return reply.status(304).send()
    return reply.send(image)
  }
  function asked(request: FastifyRequest): Rendering['image'] {
    routes.checkRenders(request)
    return imageParams(Object.fromEntries(queryOf(request)))
  }

  app.route({
    method,
    url: '/render/image/public/:bucket/*',
    handler: async (request, reply) => {
      const [storage, { bucket, name }] = [visitorOf(request), placeOf(request)]
      const image = asked(request)
      const object = await findAny(storage, bucket, name, { onlyPublic: true })
      return send({ storage, object, image }, request, reply)
    },
  })
  app.route({
    method,
    url: '/render/image/authenticated/:bucket/*',
    handler: async (request, reply) => {
      const [storage, { bucket, name }] = [storageOf(request), placeOf(request)]
      const image = asked(request)
      const object = await findFor(storage, bucket, name, 'storage.render.image_authenticated')
      return send({ storage, object, image }, request, reply)
    },
  })
  app.route({
    method,
    url: '/render/image/sign/:bucket/*',
    handler: async (request, reply) => {
      routes.checkRenders(request)
      const [storage, { bucket, name }] = [visitorOf(request), placeOf(request)]
      const expected = { scope: 'render', url: `${bucket}/${name}` } as const
      const token = queryOf(request).get('token') ?? undefined
      const { transformations } = verifyGrant(token, expected, storage.sealingKey)
      const object = await findAny(storage, bucket, name, { onlyPublic: false })
      // What was signed is what is rendered, whatever else the address says.
      return send({ storage, object, image: imageParams(transformations ?? {}) }, request, reply)
    },
  })
}
