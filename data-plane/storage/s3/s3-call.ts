import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../access.ts'
import { StorageError } from '../errors.ts'
import { readText } from '../transfer/request-body.ts'
import type { S3Body } from './s3-body.ts'
import { S3Error } from './s3-errors.ts'
import { xmlOf, type XmlValue } from './s3-xml.ts'
import { cacheControlOf } from '../transfer/request-body.ts'
import { checkedType } from '../transfer/upload-limits.ts'
import { keptOf, type Details, type Storage } from '../transfer/uploads.ts'
import type { Kept } from '../objects-store.ts'

/** How the routes of the protocol reach the project of a request. */
export type S3Routes = {
  settingsOf(request: FastifyRequest): {
    isOn: boolean
    /** What the project calls the place where it is; the first one is what it tells. */
    regions: readonly string[]
  }
  /** The secret of an access key, and who signs with it. @throws S3Error */
  signerOf(
    request: FastifyRequest,
    accessKey: string,
    sessionToken: string | undefined,
  ): { secret: string; identity: () => Promise<Identity> }
  storageFor(request: FastifyRequest, identity: Identity): Storage
}

/** One request whose signature is good. */
export type S3Call = {
  request: FastifyRequest
  reply: FastifyReply
  storage: Storage
  bucket: string
  key: string
  query: ReadonlyMap<string, string>
  body: S3Body
  region: string
}

const maxXml = 2 * 1024 * 1024

/** The body as text; that it is the one that was signed is known by then. @throws S3Error StorageError */
export const textOf = ({ body }: Pick<S3Call, 'body'>): Promise<string> =>
  readText(body.bytes, maxXml)

export const sendXml = (
  { reply }: Pick<S3Call, 'reply'>,
  root: string,
  content: Record<string, XmlValue>,
): FastifyReply => reply.type('application/xml').send(xmlOf(root, content))

export const headerOf = (
  { request }: { request: Pick<FastifyRequest, 'headers'> },
  name: string,
): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** A whole number of the query. @throws S3Error */
export function numberOf(
  { query }: Pick<S3Call, 'query'>,
  name: string,
  { least = 0, max, unless }: { least?: number; max: number; unless?: number },
): number {
  const text = query.get(name)
  if ((text === undefined || text === '') && unless !== undefined) return unless
  if (!/^\d{1,9}$/.test(text ?? '') || Number(text) < least)
    throw new S3Error('InvalidArgument', `${name} is a number from ${least} to ${max}`)
  return Number(text)
}

const metaPrefix = 'x-amz-meta-'
const maxMetadata = 8 * 1024

/** `x-amz-meta-*`, by their names without it. @throws StorageError */
export function userMetadataOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const found = Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase().startsWith(metaPrefix) && typeof value === 'string'
      ? [[name.toLowerCase().slice(metaPrefix.length), value] as const]
      : [],
  )
  const size = found.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (size > maxMetadata)
    throw new StorageError('EntityTooLarge', 'Object metadata can be up to 8 kB')
  return Object.fromEntries(found)
}

/** Metadata as headers; what a header cannot carry is left out. */
export function metadataHeaders(metadata: Record<string, unknown> | null): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' && /^[\w.-]+$/.test(name) && /^[\x20-\x7e\x80-\xff]*$/.test(value)
        ? [[`${metaPrefix}${name}`, value]]
        : [],
    ),
  )
}

/** What the headers of a request say of what it uploads. @throws StorageError */
export function detailsOf({ request: { headers } }: Pick<S3Call, 'request'>): Details {
  return {
    mimetype: checkedType(headers['content-type'] || 'application/octet-stream'),
    cacheControl: cacheControlOf(headers['cache-control']),
    userMetadata: userMetadataOf(headers),
    ...keptIn((name) => headerOf({ request: { headers } }, name)),
  }
}

/** What an upload says that comes again with every download: in its headers, or the fields of its form. @throws S3Error */
export const keptIn = (header: (name: string) => string | undefined): Kept =>
  keptOf({
    contentDisposition: keptText(header('content-disposition')),
    // The coding of the request alone, which is taken off as it comes.
    contentEncoding: keptText(codingOf(header('content-encoding'))),
    contentLanguage: keptText(header('content-language')),
    // A date that is none is the business of who reads it.
    expires: keptText(header('expires')),
  })

/** The object's own: that of the request alone is taken off as it comes. */
const codingOf = (value = '') =>
  value
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding.toLowerCase() !== 'aws-chunked')
    .join(', ')

/** @throws S3Error for what could not be a header again */
function keptText(value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (value.length > 1024 || !/^[\x20-\x7e]+$/.test(value))
    throw new S3Error('InvalidArgument', 'A header of the upload cannot be kept')
  return value
}
