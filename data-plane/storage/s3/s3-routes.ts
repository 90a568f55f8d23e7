import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { streamBodies, whole } from '../transfer/request-body.ts'
import { bodyOf } from './s3-body.ts'
import * as buckets from './s3-buckets.ts'
import type { S3Call, S3Routes } from './s3-call.ts'
import { S3Error, s3ErrorOf } from './s3-errors.ts'
import { postObject } from './s3-form.ts'
import { listObjects } from './s3-lists.ts'
import * as objects from './s3-objects.ts'
import { operationOf, type S3Operation } from './s3-operations.ts'
import * as parts from './s3-parts.ts'
import { listUploads } from './s3-upload-list.ts'
import { addressOf, checkScope, checkSignature, signatureOf, signingKeyOf } from './s3-sigv4.ts'
import { errorXml } from './s3-xml.ts'

const operations: Record<S3Operation, (call: S3Call) => Promise<FastifyReply>> = {
  ListBuckets: buckets.listBuckets,
  CreateBucket: buckets.makeBucket,
  HeadBucket: buckets.headBucket,
  GetBucketLocation: buckets.bucketLocation,
  GetBucketVersioning: buckets.bucketVersioning,
  DeleteBucket: buckets.deleteBucket,
  ListObjects: listObjects,
  PutObject: objects.putObject,
  GetObject: objects.getObject,
  HeadObject: objects.getObject,
  GetObjectTagging: objects.objectTagging,
  DeleteObject: objects.deleteObject,
  DeleteObjects: objects.deleteObjects,
  CreateMultipartUpload: parts.createUpload,
  UploadPart: parts.uploadPart,
  ListParts: parts.listParts,
  ListMultipartUploads: listUploads,
  CompleteMultipartUpload: parts.complete,
  AbortMultipartUpload: parts.abort,
}

const exposed =
  'ETag, Content-Range, Accept-Ranges, Last-Modified, Location, x-amz-mp-parts-count, x-amz-request-id'

/** Mounts the S3 protocol (contract §6) on a scope that the gateway guards: path style, `/{bucket}/{key}`. */
export async function s3Routes(app: FastifyInstance, routes: S3Routes): Promise<void> {
  await streamBodies(app)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-amz-request-id', request.id)
    if (request.headers.origin) void reply.header('access-control-expose-headers', exposed)
    done()
  })
  app.setErrorHandler(sendProblem)
  for (const url of ['', '/*'])
    app.route({
      method: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'],
      url,
      handler: (request, reply) => answer(routes, request, reply),
    })
}

async function answer(routes: S3Routes, request: FastifyRequest, reply: FastifyReply) {
  const { isOn, regions } = routes.settingsOf(request)
  if (!isOn) throw new S3Error('FeatureNotEnabled', 'The S3 protocol is off in this project')
  const { bucket, key } = placeOf(request)
  const { method, headers } = request
  const isForm = /^multipart\/form-data/i.test(headers['content-type'] ?? '')
  if (method === 'POST' && key === '' && isForm) return postObject(routes, bucket, request, reply)
  const { storage, body } = await admitted(routes, regions, request)
  const query = new Map(addressOf(request.raw.url ?? '').query)
  const level = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object'
  const operation = operations[operationOf(method, level, query)]
  const [region = ''] = regions
  return operation({ request, reply, storage, bucket, key, query, body, region })
}

/** Bucket and key of an address; both are empty where it has none. */
function placeOf({ params }: FastifyRequest): { bucket: string; key: string } {
  const { '*': path = '' } = params as { '*'?: string }
  if (path.includes('\0')) throw new S3Error('InvalidKey', 'Invalid key')
  const slash = path.indexOf('/')
  return slash < 0
    ? { bucket: path, key: '' }
    : { bucket: path.slice(0, slash), key: path.slice(slash + 1) }
}

/** Before a byte of the body is read: whether somebody has signed it who may. */
async function admitted(routes: S3Routes, regions: readonly string[], request: FastifyRequest) {
  const { method, originalUrl, host, raw } = request
  const signed = { method, url: originalUrl, host, rawHeaders: raw.rawHeaders }
  const signature = signatureOf(signed)
  if (!signature) throw new S3Error('AccessDenied', 'The request is not signed')
  checkScope(signature, regions, Date.now())
  const { accessKey, sessionToken } = signature
  const { secret, identity } = routes.signerOf(request, accessKey, sessionToken)
  const key = signingKeyOf(secret, signature)
  checkSignature(signed, signature, key)
  const storage = routes.storageFor(request, await identity())
  return { storage, body: bodyOf(whole(raw), request.headers, signature, key) }
}

function sendProblem(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const refusal = s3ErrorOf(error)
  if (refusal.status === 500)
    request.log.error({ err: error, requestId: request.id }, 'A request of the S3 protocol failed')
  // What was set for an answer that did not come about.
  for (const name of ['content-length', 'content-range', 'etag', 'cache-control', 'last-modified'])
    void reply.removeHeader(name)
  void reply.status(refusal.status).type('application/xml')
  if (request.method === 'HEAD') return reply.send()
  const [resource = ''] = request.originalUrl.split('?', 1)
  return reply.send(errorXml(refusal, resource, request.id))
}
