import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { parseJsonNow } from '#kit/http/json-body'
import { JsonRefusal } from '#kit/http/json-scan'
import { invalidRequest, StorageError } from '../errors.ts'
import { formParts } from './form-parts.ts'
import type { Details } from './uploads.ts'
import { checkedType } from './upload-limits.ts'

const maxJson = 1024 * 1024
/** A list of objects to be deleted, or the metadata of one. */
const bounds = { depth: 100, values: 20_000, keys: 2000 }
const maxMetadata = 64 * 1024

/**
 * Bodies come as streams: what they are is for each route to say. What of one nobody has wanted is let pass, or the next
 * request on the same connection would wait behind it without end.
 */
export async function streamBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) raw.unpipe().resume()
    done()
  })
}

/** A JSON object of at most 1 MB; an empty body is an empty object. @throws StorageError */
export async function readJson(request: FastifyRequest): Promise<Record<string, unknown>> {
  const text = await readText(whole(request.raw), maxJson)
  return text.trim() === '' ? {} : jsonObject(text)
}

export async function readText(source: AsyncIterable<Uint8Array>, max: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > max) throw new StorageError('EntityTooLarge', 'The body of the request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function jsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parseJsonNow(Buffer.from(text), bounds)
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error
    if (error.kind !== 'malformed') throw invalidRequest(error.message)
    throw invalidRequest('The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('body must be object')
  }
  // Postgres text holds neither NUL nor half a surrogate pair.
  if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value))) {
    throw invalidRequest('The body contains text that cannot be stored')
  }
  // A parsed JSON object has string keys only.
  return value as Record<string, unknown>
}

export type Sent = {
  bytes: AsyncIterable<Uint8Array>
  mimetype: string
  /** Complete once all bytes have come. @throws StorageError */
  details: () => Details
}

/** What a request uploads, as the body itself or as the file of a form. @throws StorageError */
export async function sentBy(request: FastifyRequest): Promise<Sent> {
  const { headers } = request
  const type = headers['content-type'] ?? 'application/octet-stream'
  if (/^multipart\/form-data/i.test(type)) return sentByForm(request)
  const mimetype = checkedType(type)
  return {
    bytes: whole(request.raw),
    mimetype,
    details: () => ({
      mimetype,
      cacheControl: cacheControlOf(headers['cache-control']),
      userMetadata: metadataHeader(headers['x-metadata']),
    }),
  }
}

/** Fields may stand before and behind the file: all of them are known when the form has ended. */
async function sentByForm(request: FastifyRequest): Promise<Sent> {
  const limits = { fields: 20, fieldSize: maxMetadata }
  const { fields, untilFile, bytesOf } = formParts(request, limits)
  const part = await untilFile()
  if (!part) throw invalidRequest('The form has no file')
  const mimetype = checkedType(part.mimetype)
  return {
    bytes: (async function* () {
      yield* bytesOf(part)
      await untilFile()
    })(),
    mimetype,
    details: () => ({
      mimetype,
      cacheControl: cacheControlOf(fields.get('cacheControl')),
      userMetadata: fields.has('metadata') ? userMetadata(fields.get('metadata') ?? '') : null,
    }),
  }
}

const incomplete = () =>
  new StorageError('IncompleteBody', 'The request ended before the whole body arrived')

/** All that was promised, or an error: a connection that breaks is no end of the bytes. */
export async function* whole(raw: IncomingMessage): AsyncIterable<Uint8Array> {
  try {
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (error) {
    throw raw.complete ? error : incomplete()
  }
  if (!raw.complete) throw incomplete()
}

/** Seconds become `max-age`; anything else that a header can carry stays as it is. */
export function cacheControlOf(value: string | undefined): string {
  if (value === undefined || value === '') return 'no-cache'
  if (/^\d{1,10}$/.test(value)) return `max-age=${value}`
  if (value.length <= 255 && /^[\x20-\x7e]+$/.test(value)) return value
  throw new StorageError('InvalidParameter', 'cacheControl cannot be a header')
}

export function metadataHeader(
  value: string | string[] | undefined,
): Record<string, unknown> | null {
  if (typeof value !== 'string') return null
  return userMetadata(Buffer.from(value, 'base64').toString())
}

/** @throws StorageError for what is no JSON object, or too large */
export function userMetadata(text: string): Record<string, unknown> {
  if (Buffer.byteLength(text) > maxMetadata) {
    throw new StorageError('EntityTooLarge', 'Object metadata can be up to 64 kB')
  }
  return jsonObject(text)
}
