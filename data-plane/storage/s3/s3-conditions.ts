import { preconditionFailed } from '../errors.ts'
import type { Content } from '../transfer/download-headers.ts'
import { headerOf, type S3Call } from './s3-call.ts'
import { S3Error } from './s3-errors.ts'
import type { Target } from '../transfer/uploads.ts'

type Call = Pick<S3Call, 'request'>

const bare = (tag: string) => tag.trim().replace(/^W\//, '').replaceAll('"', '')
const names = (tags: string, eTag: string) =>
  tags.trim() === '*' || tags.split(',').some((tag) => bare(tag) === bare(eTag))
/** Headers have whole seconds. */
const secondOf = (moment: Date) => Math.floor(moment.getTime() / 1000) * 1000

/** Whether it is another object than the one that was expected (RFC 9110, section 13.2.2). */
function isOther(call: Call, { eTag, lastModified }: Content, prefix = ''): boolean {
  const expected = headerOf(call, `${prefix}if-match`)
  if (expected !== undefined) return !names(expected, eTag)
  const since = Date.parse(headerOf(call, `${prefix}if-unmodified-since`) ?? '')
  return secondOf(lastModified) > since
}

/** Conditions that refuse a download; those that answer 304 are looked at with the bytes. @throws StorageError */
export function checkRead(call: Call, content: Content): void {
  if (isOther(call, content)) throw preconditionFailed()
}

/** Those of the source of a copy, all of which refuse. @throws StorageError */
export function checkSource(call: Call, content: Content): void {
  const prefix = 'x-amz-copy-source-'
  if (isOther(call, content, prefix)) throw preconditionFailed()
  const known = headerOf(call, `${prefix}if-none-match`)
  const since = Date.parse(headerOf(call, `${prefix}if-modified-since`) ?? '')
  const isKnown =
    known === undefined ? secondOf(content.lastModified) <= since : names(known, content.eTag)
  if (isKnown) throw preconditionFailed()
}

/** What an upload may replace: anything, nothing, or the one object that is named. @throws S3Error */
export function replacingOf(call: Call): Pick<Target, 'upsert' | 'ifMatch'> {
  const onlyNew = headerOf(call, 'if-none-match')
  const expected = headerOf(call, 'if-match')
  if (onlyNew !== undefined && onlyNew !== '*')
    throw new S3Error('NotImplemented', 'if-none-match of an upload is *')
  if (onlyNew !== undefined && expected !== undefined)
    throw new S3Error('InvalidRequest', 'An upload has if-match or if-none-match, not both')
  return {
    upsert: onlyNew === undefined,
    ifMatch: expected === undefined ? undefined : bare(expected),
  }
}
