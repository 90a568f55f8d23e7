import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { checksum, checksumNames, isChecksumName, type ChecksumName } from './s3-checksums.ts'
import { chunkSigner, fromChunks } from './s3-chunks.ts'
import { S3Error } from './s3-errors.ts'
import type { Signature } from './s3-sigv4.ts'

const streaming = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'
const unsignedStreaming = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
const prefix = 'x-amz-checksum-'

export type S3Body = {
  /** Ends with an error unless all of it has come and is what was promised. */
  bytes: AsyncIterable<Uint8Array>
  /** How many there will be, where the request says so. */
  length: number | undefined
  /** What was checked, for the answer; complete once all bytes have come. */
  checked: () => Record<string, string>
}

/** The body of a signed request. @throws S3Error for one whose coding is not known */
export function bodyOf(
  source: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
  signature: Signature,
  key: Buffer,
): S3Body {
  const { payload } = signature
  const expected = expectedSums(headers)
  const checked = () =>
    Object.fromEntries(
      [...expected].flatMap(([name, sum]) =>
        name === 'md5' || !sum ? [] : [[`${prefix}${name}`, sum]],
      ),
    )
  if (!payload.startsWith('STREAMING-')) {
    const isHash = /^[0-9a-f]{64}$/.test(payload)
    if (!isHash && payload !== 'UNSIGNED-PAYLOAD')
      throw new S3Error('InvalidArgument', 'x-amz-content-sha256 is not valid')
    const length = amount(headers['content-length'])
    return { bytes: summed(source, expected, isHash ? payload : undefined), length, checked }
  }
  const isSigned = payload === streaming || payload === `${streaming}-TRAILER`
  if (!isSigned && payload !== unsignedStreaming)
    throw new S3Error('NotImplemented', `The coding ${payload.slice(0, 60)} is not known`)
  const length = amount(headers['x-amz-decoded-content-length'])
  if (length === undefined)
    throw new S3Error('MissingContentLength', 'x-amz-decoded-content-length is missing')
  const trailing = trailerNames(headers)
  for (const name of trailing) expected.set(name, undefined)
  const hasTrailer = payload.endsWith('-TRAILER')
  if (!hasTrailer && trailing.length > 0)
    throw new S3Error('MalformedTrailerError', 'The coding of the body has no trailer')
  const decoded = fromChunks(source, {
    signer: isSigned ? chunkSigner(signature, key) : undefined,
    hasTrailer,
    onTrailers: (trailers) => takeTrailers(trailers, trailing, expected),
  })
  return { bytes: summed(counted(decoded, length), expected, undefined), length, checked }
}

type Sums = Map<ChecksumName | 'md5', string | undefined>

/** Checksums that stand in headers. */
function expectedSums(headers: IncomingHttpHeaders): Sums {
  const expected: Sums = new Map()
  const md5 = headers['content-md5']
  if (typeof md5 === 'string') {
    if (Buffer.from(md5, 'base64').length !== 16)
      throw new S3Error('InvalidDigest', 'Content-MD5 is not valid')
    expected.set('md5', md5)
  }
  for (const name of checksumNames) {
    const sum = headers[`${prefix}${name}`]
    if (typeof sum === 'string') expected.set(name, sum)
  }
  return expected
}

/** Checksums that come behind the body. @throws S3Error for any other trailer */
function trailerNames(headers: IncomingHttpHeaders): ChecksumName[] {
  const announced = [headers['x-amz-trailer'] ?? []].flat().join(',').split(',')
  return announced
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .map((name) => {
      const short = name.startsWith(prefix) ? name.slice(prefix.length) : ''
      if (isChecksumName(short)) return short
      throw new S3Error('MalformedTrailerError', `The trailer ${name.slice(0, 60)} is not known`)
    })
}

function takeTrailers(
  trailers: Map<string, string>,
  announced: readonly ChecksumName[],
  expected: Sums,
): void {
  for (const name of announced) {
    const sum = trailers.get(`${prefix}${name}`)
    if (sum === undefined)
      throw new S3Error('MalformedTrailerError', `The trailer ${prefix}${name} did not come`)
    expected.set(name, sum)
  }
  if (trailers.size !== announced.length)
    throw new S3Error('MalformedTrailerError', 'The request has a trailer that was not announced')
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  length: number,
): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    yield chunk
  }
  if (size !== length)
    throw new S3Error('IncompleteBody', 'The body is not as long as x-amz-decoded-content-length')
}

/** Passes bytes on and compares at their end what they add up to. */
async function* summed(
  source: AsyncIterable<Uint8Array>,
  expected: Sums,
  sha256: string | undefined,
): AsyncIterable<Uint8Array> {
  const sums = [...expected.keys()].map((name) => [name, checksum(name)] as const)
  const hash = sha256 === undefined ? undefined : createHash('sha256')
  for await (const chunk of source) {
    for (const [, sum] of sums) sum.update(chunk)
    hash?.update(chunk)
    yield chunk
  }
  if (hash && hash.digest('hex') !== sha256)
    throw new S3Error('XAmzContentSHA256Mismatch', 'The body is not the one that was signed')
  for (const [name, sum] of sums) {
    if (sum.digest() !== expected.get(name))
      throw new S3Error('BadDigest', `The ${name} of the body is not the one that was sent`)
  }
}

function amount(text: string | string[] | undefined): number | undefined {
  if (text === undefined) return undefined
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw new S3Error('InvalidArgument', 'The length of the body is not a number')
  return Number(text)
}
