import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { subjectOf } from '../access.ts'
import type { StorageRoutes } from '../addresses.ts'
import { StorageError } from '../errors.ts'
import { cacheControlOf, userMetadata } from '../transfer/request-body.ts'
import {
  lifeSeconds,
  mayBegin,
  offsetOf,
  ownUploads,
  resumableUploads,
  type Whose,
} from './resumable.ts'
import type { NewUpload } from './resumable-store.ts'
import { verifyGrant, type Grant } from '../signed-urls.ts'
import { checkedType, checkMimeType, checkSize } from '../transfer/upload-limits.ts'
import { limitsOf, type Storage } from '../transfer/uploads.ts'

type Tus = typeof import('@tus/server')
/** Few projects use it: it is read when the first one does. One for all, with the locks of this process. */
let loaded: Promise<{ tus: Tus; locker: InstanceType<Tus['MemoryLocker']> }> | undefined
const load = () =>
  (loaded ??= import('@tus/server').then((tus) => ({ tus, locker: new tus.MemoryLocker() })))

const base = '/upload/resumable'
const methods = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']

/** TUS 1.0.0: uploads that go on where they broke off (contract §5). */
export function resumableRoutes(app: FastifyInstance, routes: StorageRoutes): void {
  for (const signed of ['', '/sign'])
    for (const tail of ['', '/*'])
      app.route({
        method: methods,
        url: `${base}${signed}${tail}`,
        handler: (request, reply) => answer(routes, request, reply, signed !== ''),
      })
}

async function answer(
  routes: StorageRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  isSigned: boolean,
) {
  // A browser asks what there is before it shows who it is.
  const isVisitor = isSigned || request.method === 'OPTIONS'
  const storage = isVisitor ? routes.visitorOf(request) : routes.storageOf(request)
  const grantFor = isSigned ? signedGrant(storage, request) : undefined
  const { tus, locker } = await load()
  const server = serverOf(tus, locker, storage, request, grantFor)
  const { status, headers, body } = await passedOn(server, request)
  void reply.status(status)
  for (const [name, value] of headers)
    if (!name.startsWith('access-control-')) void reply.header(name, value)
  if (status === 204 || request.method === 'HEAD') return reply.send()
  return reply.type('text/plain; charset=utf-8').send(body)
}

/** The request as the library reads it, and what it answers. */
async function passedOn(server: InstanceType<Tus['Server']>, request: FastifyRequest) {
  const { method } = request
  const address = new URL(request.originalUrl, `${request.protocol}://${request.host}`)
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, [value].flat().join(', '))
  const hasBody = method === 'POST' || method === 'PATCH'
  const asked = new Request(address, {
    method,
    headers,
    // Node's stream of bytes is one of the web's as well; the two types do not know each other.
    ...(hasBody
      ? {
          body: Readable.toWeb(Readable.from(asFarAsItComes(request.raw))) as ReadableStream,
          duplex: 'half',
        }
      : {}),
  } as RequestInit)
  const response = await server.handleWeb(asked)
  return { status: response.status, headers: response.headers, body: await response.text() }
}

/** A connection that breaks ends a piece; what came before is kept. */
async function* asFarAsItComes(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* source
  } catch {
    return
  }
}

/** What an upload that was signed for somebody may do; it is asked for once the place is known. */
const signedGrant =
  (storage: Storage, { headers }: FastifyRequest) =>
  ({ bucket_id: bucket, key }: Pick<Whose, 'bucket_id' | 'key'>): Grant => {
    const token = headers['x-signature']
    const expected = { scope: 'upload', url: `${bucket}/${key}` } as const
    return verifyGrant(typeof token === 'string' ? token : undefined, expected, storage.sealingKey)
  }

function serverOf(
  tus: Tus,
  locker: InstanceType<Tus['MemoryLocker']>,
  storage: Storage,
  request: FastifyRequest,
  grantFor: ReturnType<typeof signedGrant> | undefined,
) {
  const passes = (upload: Whose) => Boolean(grantFor?.(upload))
  const uploads = resumableUploads(storage, grantFor ? { pass: passes } : ownUploads(storage))
  let beginning: NewUpload | undefined

  const datastore = Object.assign(new tus.DataStore(), {
    extensions: ['creation', 'creation-with-upload', 'termination', 'expiration'],
    getExpiration: () => lifeSeconds * 1000,
    async create(upload: InstanceType<Tus['Upload']>) {
      if (!beginning) throw new Error('An upload was not looked at before it began')
      await uploads.begin(beginning)
      upload.creation_date = new Date().toISOString()
      return upload
    },
    write: (source: Readable, id: string, offset: number) => uploads.write(id, offset, source),
    async getUpload(id: string) {
      const upload = await uploads.find(id)
      return new tus.Upload({
        id,
        size: upload.metadata.size,
        offset: offsetOf(upload),
        metadata: upload.metadata.told,
        creation_date: upload.created_at,
      })
    },
    remove: (id: string) => uploads.remove(id),
  })

  return new tus.Server({
    path: base,
    datastore,
    locker,
    maxSize: storage.largest,
    disableTerminationForFinishedUploads: true,
    namingFunction: (_, fields) => idOf(storage, fields ?? {}),
    generateUrl: (_, { id }) => {
      const [before = ''] = request.originalUrl.split('?', 1)
      return `${request.protocol}://${request.host}${before.replace(/\/$/, '')}/${id}`
    },
    async onUploadCreate(_, { id, size = 0, metadata: fields = {} }) {
      const upload = newUpload(storage, request, id, size, fields)
      const grant = grantFor?.(upload)
      if (grant) {
        upload.owner_id = grant.owner ?? null
        upload.metadata.upsert = grant.upsert ?? false
      } else await mayBegin(storage, upload)
      const limits = await limitsOf(storage, upload.bucket_id)
      checkSize(size, limits)
      checkMimeType(upload.metadata.mimetype, limits)
      beginning = upload
      return {}
    },
    async onIncomingRequest({ method }, id) {
      // All has come, and the end of it was lost.
      if (method !== 'HEAD') return
      const upload = await uploads.find(id)
      if (offsetOf(upload) === upload.metadata.size) await uploads.finish(id)
    },
    async onUploadFinish(_, { id }) {
      await uploads.finish(id)
      return {}
    },
    onResponseError(_, error) {
      if (error instanceof StorageError)
        return { status_code: error.status, body: messageOf(tus, error) }
      if ('status_code' in error) return undefined
      request.log.error({ err: error, requestId: request.id }, 'A resumable upload failed')
      return { status_code: 500, body: 'Something went wrong on our side' }
    },
  })
}

/** Programs compare what this protocol says of an upload that is too large for its bucket, as for the project. */
const messageOf = (tus: Tus, { code, message }: StorageError) =>
  code === 'EntityTooLarge' ? tus.ERRORS.ERR_MAX_SIZE_EXCEEDED.body : message

type UploadFields = Record<string, string | null>

/** A name that nobody guesses, and that says where it leads (contract §5). */
const idOf = ({ ref }: Storage, { bucketName, objectName }: UploadFields) =>
  Buffer.from([ref, bucketName, objectName, randomUUID()].join('/')).toString('base64url')

/** @throws StorageError for what cannot become an object */
function newUpload(
  { access }: Storage,
  { headers }: FastifyRequest,
  id: string,
  size: number,
  fields: UploadFields,
): NewUpload {
  const { bucketName, objectName, contentType, cacheControl, metadata } = fields
  if (Object.values(fields).some((value) => value?.includes('\0')))
    throw new StorageError('InvalidRequest', 'Upload-Metadata contains text that cannot be stored')
  for (const [name, value] of Object.entries({ bucketName, objectName }))
    if (!value) throw new StorageError('MissingParameter', `Upload-Metadata has no ${name}`)
  return {
    id,
    bucket_id: bucketName ?? '',
    key: objectName ?? '',
    owner_id: subjectOf(access.identity),
    user_metadata: metadata ? userMetadata(metadata) : null,
    metadata: {
      size,
      mimetype: checkedType(contentType || 'application/octet-stream'),
      cacheControl: cacheControlOf(cacheControl ?? undefined),
      upsert: headers['x-upsert'] === 'true',
      told: fields,
    },
  }
}
