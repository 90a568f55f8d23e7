import type { FastifyReply, FastifyRequest } from 'fastify'
import { NoBytesError, type Backend, type ByteRange, type Place } from '../backends/backend.ts'
import {
  attachment,
  contentHeaders,
  contentOf,
  isUnchanged,
  rangeOf,
  type Content,
} from './download-headers.ts'
import { noSuchKey } from '../errors.ts'
import { countSent } from './sent-bytes.ts'
import type { StoredObject } from '../objects-store.ts'
import type { Storage } from './uploads.ts'

/** Further headers, and the part of the bytes where the request's own range does not say it. */
type More = (
  object: StoredObject,
  content: Content,
) => { headers: Record<string, string>; range?: ByteRange }

/** Finds the row again when its bytes were replaced between the two looks. */
const attempts = 3

/**
 * Answers with the bytes of an object, or a part of them. `find` reads the row in whatever way the caller may; it is asked
 * again when the object was replaced meanwhile. @throws StorageError
 */
export async function sendObject(
  { backend, ref, use }: Pick<Storage, 'backend' | 'ref' | 'use'>,
  find: () => Promise<StoredObject>,
  request: FastifyRequest,
  reply: FastifyReply,
  more: More = (object) => ({ headers: disposition(request, object.name) }),
): Promise<FastifyReply> {
  countSent(reply, use.sent)
  for (let attempt = 1; ; attempt++) {
    const object = await find()
    if (object.version === null) throw noSuchKey()
    try {
      return await send({ ref, version: object.version }, backend, object, request, reply, more)
    } catch (error) {
      if (!(error instanceof NoBytesError)) throw error
      if (attempt === attempts) throw noSuchKey()
    }
  }
}

async function send(
  place: Place,
  backend: Backend,
  object: StoredObject,
  request: FastifyRequest,
  reply: FastifyReply,
  more: More,
): Promise<FastifyReply> {
  const { headers, method } = request
  const content = contentOf(object, await backend.size(place))
  const { headers: further, range: part } = more(object, content)
  const answerHeaders = { ...contentHeaders(content), ...further }
  if (isUnchanged(headers, content)) return reply.status(304).headers(answerHeaders).send()
  const range = part ?? rangeOf(headers, content)
  const length = range ? range.end - range.start + 1 : content.size
  const stream = method === 'HEAD' || length === 0 ? undefined : await backend.read(place, range)
  void reply
    .status(range && content.size > 0 ? 206 : 200)
    .headers(answerHeaders)
    .header('content-length', String(length))
  // Of no bytes there is no range that could be written.
  if (range && length > 0) {
    void reply.header('content-range', `bytes ${range.start}-${range.end}/${content.size}`)
  }
  return reply.send(stream)
}

/** `?download` or `?download=name.txt`. */
export function disposition(request: FastifyRequest, key: string): Record<string, string> {
  const name = new URL(request.raw.url ?? '/', 'http://storage').searchParams.get('download')
  if (name === null) return {}
  return { 'content-disposition': attachment(name === '' ? (key.split('/').at(-1) ?? '') : name) }
}
