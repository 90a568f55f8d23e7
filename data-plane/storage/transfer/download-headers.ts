import type { IncomingHttpHeaders } from 'node:http'
import type { ByteRange } from '../backends/backend.ts'
import { StorageError } from '../errors.ts'
import type { StoredObject } from '../objects-store.ts'

export type Content = {
  size: number
  mimetype: string
  eTag: string
  cacheControl: string
  lastModified: Date
  /** What else was said when the bytes came, as headers. */
  kept: Record<string, string>
}

/** What a row says of its bytes; seeds may have left out any of it. */
export function contentOf({ metadata, updated_at }: StoredObject, size: number): Content {
  const modified = new Date(metadata?.lastModified ?? updated_at)
  return {
    size,
    mimetype: headerText(metadata?.mimetype) ?? 'application/octet-stream',
    eTag: headerText(metadata?.eTag) ?? '',
    cacheControl: headerText(metadata?.cacheControl) ?? 'no-cache',
    lastModified: Number.isNaN(modified.getTime()) ? new Date(updated_at) : modified,
    kept: Object.fromEntries(
      keptHeaders.flatMap(([name, header]) => {
        const value = headerText(metadata?.[name])
        return value === undefined ? [] : [[header, value]]
      }),
    ),
  }
}

const keptHeaders = [
  ['contentDisposition', 'content-disposition'],
  ['contentEncoding', 'content-encoding'],
  ['contentLanguage', 'content-language'],
  ['expires', 'expires'],
] as const

/** Rows can be written by hand: what no header can carry is left out. */
export const headerText = (text: unknown) =>
  typeof text === 'string' && /^[\x20-\x7e]+$/.test(text) ? text : undefined

/** Types that a browser shows without running anything in them. */
const passive =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/pdf$|application\/octet-stream$)/

/**
 * Headers of an answer that carries what somebody has uploaded. A page among that gets no origin, no scripts and no
 * forms: `sandbox`.
 */
export function contentHeaders(content: Content): Record<string, string> {
  const bare = content.mimetype.split(';')[0]?.trim().toLowerCase() ?? ''
  return {
    'accept-ranges': 'bytes',
    'content-type': content.mimetype,
    'cache-control': content.cacheControl,
    'last-modified': content.lastModified.toUTCString(),
    ...content.kept,
    ...(content.eTag && { etag: content.eTag }),
    'x-robots-tag': 'none',
    'x-content-type-options': 'nosniff',
    ...(!passive.test(bare) && { 'content-security-policy': 'sandbox' }),
  }
}

/** Whether the caller has these bytes already (RFC 9110, section 13.2.2). */
export function isUnchanged(
  headers: IncomingHttpHeaders,
  { eTag, lastModified }: Content,
): boolean {
  const known = headers['if-none-match']
  if (known !== undefined) {
    const weak = (tag: string) => tag.trim().replace(/^W\//, '')
    return known.trim() === '*' || known.split(',').some((tag) => weak(tag) === weak(eTag))
  }
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return !Number.isNaN(since) && Math.floor(lastModified.getTime() / 1000) * 1000 <= since
}

/** The one range that is asked for; undefined: all. @throws StorageError when it lies outside of the bytes */
export function rangeOf(headers: IncomingHttpHeaders, content: Content): ByteRange | undefined {
  const { size, eTag, lastModified } = content
  const onlyIf = headers['if-range']
  if (typeof onlyIf === 'string' && onlyIf !== eTag && onlyIf !== lastModified.toUTCString())
    return undefined
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.trim() ?? '')
  // Several ranges, or another unit: a server may answer with all (RFC 9110, section 14.2).
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size || end < start || (first === '' && Number(last) === 0)) {
    throw new StorageError('InvalidRange', 'The requested range cannot be satisfied')
  }
  return { start, end }
}

/** `attachment`, with a name in both spellings (RFC 6266) unless none is given. */
export function attachment(name: string): string {
  if (name === '') return 'attachment;'
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
