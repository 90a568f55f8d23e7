import type { FastifyReply, FastifyRequest } from 'fastify'
import { formParts } from '../transfer/form-parts.ts'
import { cacheControlOf } from '../transfer/request-body.ts'
import { keptIn, sendXml, userMetadataOf, type S3Routes } from './s3-call.ts'
import { S3Error } from './s3-errors.ts'
import { checkPolicy } from './s3-policy.ts'
import {
  algorithm,
  checkPlace,
  hmac,
  isSameSignature,
  mismatch,
  scopeOf,
  signingKeyOf,
} from './s3-sigv4.ts'
import { checkedType, checkMimeType, limited } from '../transfer/upload-limits.ts'
import { limitsOf, rehearse, store } from '../transfer/uploads.ts'

/** An upload by a form of a page, which a policy allows that was signed ahead. @throws S3Error StorageError */
export async function postObject(
  routes: S3Routes,
  bucket: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { fields, file, bytes: sent, rest } = await readForm(request)
  const field = (name: string) => fields.get(name) ?? ''
  if (field('policy') === '')
    throw new S3Error('AccessDenied', "Bucket POST must contain a field named 'policy'.")
  fields.set('bucket', bucket)
  const identity = await signedBy(routes, request, field)
  const size = checkPolicy(field('policy'), fields, Date.now())
  const name = field('key').replaceAll('${filename}', file.filename ?? '')
  if (name === '')
    throw new S3Error('InvalidArgument', "Bucket POST must contain a field named 'key'.")
  const storage = routes.storageFor(request, identity)
  const details = {
    mimetype: checkedType(field('content-type') || file.mimetype),
    cacheControl: cacheControlOf(field('cache-control')),
    userMetadata: userMetadataOf(Object.fromEntries(fields)),
    ...keptIn((header) => fields.get(header)),
  }
  const operation = 'storage.s3.object.upload'
  const target = { bucket, name, upsert: true, operation, folders: true }
  await rehearse(storage, target, details.mimetype)
  const own = await limitsOf(storage, bucket)
  checkMimeType(details.mimetype, own)
  const limits = { ...own, fileSizeLimit: Math.min(own.fileSizeLimit, size.max) }
  const bytes = atLeast(limited(sent, limits), size.least, rest)
  const stored = await store(storage, target, bytes, () => details)
  return answer(request, reply, { bucket, name, etag: stored.metadata?.eTag ?? '' }, field)
}

/** What stands before the file; what stands behind it is read and does not count. */
async function readForm(request: FastifyRequest) {
  const { fields, untilFile, bytesOf } = formParts(request, { fields: 60, fieldSize: 20 * 1024 })
  const file = await untilFile()
  if (!file || file.fieldname !== 'file')
    throw new S3Error(
      'MalformedPOSTRequest',
      "Bucket POST must contain a file in a field named 'file'.",
    )
  if ([...fields.values()].some((value) => value.includes('\0')))
    throw new S3Error('MalformedPOSTRequest', 'The form contains text that cannot be stored')
  const values = new Map([...fields].map(([name, value]) => [name.toLowerCase(), value]))
  return { fields: values, file, bytes: bytesOf(file), rest: async () => void (await untilFile()) }
}

async function signedBy(
  routes: S3Routes,
  request: FastifyRequest,
  field: (name: string) => string,
) {
  const refuse = (why: string) => new S3Error('AccessDenied', why)
  if (field('x-amz-algorithm') !== algorithm) throw refuse(`x-amz-algorithm is ${algorithm}`)
  const { accessKey, ...scope } = scopeOf(field('x-amz-credential'), refuse)
  checkPlace(scope, routes.settingsOf(request).regions)
  const token = field('x-amz-security-token') || undefined
  const { secret, identity } = routes.signerOf(request, accessKey, token)
  const ours = hmac(signingKeyOf(secret, scope), field('policy'))
  if (!isSameSignature(ours, field('x-amz-signature'))) throw mismatch()
  return identity()
}

async function* atLeast(
  source: AsyncIterable<Uint8Array>,
  least: number,
  rest: () => Promise<void>,
): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    yield chunk
  }
  await rest()
  if (size < least)
    throw new S3Error(
      'EntityTooSmall',
      'Your proposed upload is smaller than the minimum allowed size',
    )
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { bucket, name, etag }: { bucket: string; name: string; etag: string },
  field: (name: string) => string,
): FastifyReply {
  const [address = ''] = request.originalUrl.split('?', 1)
  const path = name.split('/').map(encodeURIComponent).join('/')
  const location = `${request.protocol}://${request.host}${address.replace(/\/$/, '')}/${path}`
  void reply.headers({ etag, location })
  const redirect = field('success_action_redirect') || field('redirect')
  if (URL.canParse(redirect) && /^https?:$/.test(new URL(redirect).protocol)) {
    const url = new URL(redirect)
    for (const [key, value] of Object.entries({ bucket, key: name, etag }))
      url.searchParams.set(key, value)
    return reply.redirect(url.href, 303)
  }
  const status = field('success_action_status')
  if (status === '201')
    return sendXml({ reply: reply.status(201) }, 'PostResponse', {
      Location: location,
      Bucket: bucket,
      Key: name,
      ETag: etag,
    })
  return reply.status(status === '200' ? 200 : 204).send()
}
