import type { FastifyInstance } from 'fastify'
import { rowsOf, subjectOf } from './access.ts'
import { imageParams } from './images/image-params.ts'
import { Sign, SignMany, read } from './input.ts'
import { findFor } from './objects.ts'
import { findObjects } from './objects-store.ts'
import { readJson } from './transfer/request-body.ts'
import { bucketOf, placeOf, type StorageRoutes } from './addresses.ts'
import { signGrant } from './signed-urls.ts'
import { rehearse } from './transfer/uploads.ts'

const uploadSeconds = 2 * 60 * 60
const operation = 'storage.object.sign'

/** Characters of keys that mean something else in an address stay encoded; slashes separate. */
const inAddress = (key: string) => key.split('/').map(encodeURIComponent).join('/')

/** Addresses that are good without a key for a while (contract §3). */
export function signRoutes(app: FastifyInstance, { storageOf }: StorageRoutes): void {
  app.post('/object/sign/:bucket/*', async (request) => {
    const storage = storageOf(request)
    const { bucket, name } = placeOf(request)
    const { expiresIn, transform } = read(Sign, await readJson(request))
    if (transform) imageParams(transform)
    await findFor(storage, bucket, name, operation)
    const url = `${bucket}/${name}`
    if (transform && Object.keys(transform).length > 0) {
      const grant = { scope: 'render', url, transformations: transform } as const
      const signed = signGrant(grant, expiresIn, storage.sealingKey)
      return { signedURL: `/render/image/sign/${url}?token=${signed}` }
    }
    const token = signGrant({ scope: 'download', url }, expiresIn, storage.sealingKey)
    return { signedURL: `/object/sign/${url}?token=${token}` }
  })

  app.post('/object/sign/:bucket', async (request) => {
    const storage = storageOf(request)
    const bucket = bucketOf(request)
    const { expiresIn, paths } = read(SignMany, await readJson(request))
    const [rows] = await storage.access.asCaller({
      operation: 'storage.object.sign_many',
      statements: [findObjects(bucket, paths)],
    })
    const found = new Set(rowsOf<string>(rows))
    return paths.map((path) => {
      if (!found.has(path)) {
        const error = 'Either the object does not exist or you do not have access to it'
        return { error, path, signedURL: null }
      }
      const url = `${bucket}/${path}`
      const token = signGrant({ scope: 'download', url }, expiresIn, storage.sealingKey)
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` }
    })
  })

  app.post('/object/upload/sign/:bucket/*', async (request) => {
    const storage = storageOf(request)
    const { bucket, name } = placeOf(request)
    const upsert = request.headers['x-upsert'] === 'true'
    const asked = 'storage.object.sign_upload_url'
    await rehearse(storage, { bucket, name, upsert, operation: asked })
    const url = `${bucket}/${name}`
    const owner = subjectOf(storage.access.identity)
    const token = signGrant(
      { scope: 'upload', url, owner, upsert },
      uploadSeconds,
      storage.sealingKey,
    )
    return {
      url: `/object/upload/sign/${inAddress(bucket)}/${inAddress(name)}?token=${token}`,
      token,
    }
  })
}
