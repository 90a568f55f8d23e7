import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { S3Error } from './s3-errors.ts'
import { awsEncode } from './s3-xml.ts'

/** A request as its client has signed it: `url` is what the client has sent, `host` what it has connected to. */
export type SignedRequest = {
  method: string
  url: string
  host: string
  /** Names and values in turn, as `rawHeaders` of Node has them. */
  rawHeaders: readonly string[]
}

/** What a signature says of itself. */
export type Signature = {
  accessKey: string
  /** `20260131/eu-central-1/s3/aws4_request` and its first three parts. */
  scope: string
  date: string
  region: string
  service: string
  /** `20260131T235959Z` */
  time: string
  signedHeaders: readonly string[]
  signature: string
  sessionToken: string | undefined
  /** What is said of the body: its SHA-256 in hex, or one of the words of the protocol. */
  payload: string
  /** Seconds, of an address that was signed ahead. */
  expires: number | undefined
}

export const algorithm = 'AWS4-HMAC-SHA256'
const skewMs = 15 * 60 * 1000
const longest = 7 * 24 * 60 * 60

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
export const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest()

/** Compared in the same time wherever they differ. */
export function isSameSignature(ours: Buffer, theirs: string): boolean {
  const other = Buffer.from(theirs, 'hex')
  return theirs.length === 64 && other.length === ours.length && timingSafeEqual(ours, other)
}

/** Headers by their lower-case names; one that is there several times has all its values. */
function headersOf({ rawHeaders, host }: SignedRequest): Map<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    const value = (rawHeaders[at + 1] ?? '').trim().replaceAll(/ +/g, ' ')
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before},${value}`)
  }
  return headers.set('host', host)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI', 'The address cannot be decoded')
  }
}

/** Path and query of an address; the query as pairs, decoded. @throws S3Error */
export function addressOf(url: string): { path: string; query: [string, string][] } {
  const at = url.indexOf('?')
  const query = at < 0 ? '' : url.slice(at + 1)
  return {
    path: decoded(at < 0 ? url : url.slice(0, at)),
    query: query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=')
        return equals < 0
          ? [decoded(pair), '']
          : [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))]
      }),
  }
}

/** The four parts behind the access key, which may hold slashes itself nowhere. @throws S3Error */
export function scopeOf(credential: string, refuse: (why: string) => S3Error) {
  const [accessKey = '', date = '', region = '', service = '', end, ...more] = credential.split('/')
  if (accessKey === '' || !/^\d{8}$/.test(date) || end !== 'aws4_request' || more.length > 0)
    throw refuse('The credential is not of the form KEY/DATE/REGION/s3/aws4_request')
  return { accessKey, date, region, service, scope: `${date}/${region}/${service}/${end}` }
}

/** What signs a request, in its header or its address; undefined when nothing does. @throws S3Error */
export function signatureOf(request: SignedRequest): Signature | undefined {
  const headers = headersOf(request)
  const query = new Map(addressOf(request.url).query)
  const authorization = headers.get('authorization')
  if (authorization !== undefined && query.has('X-Amz-Signature'))
    throw new S3Error('InvalidArgument', 'A request is signed in its header or address, not both')
  if (authorization?.startsWith(algorithm)) return inHeader(authorization, headers)
  return query.has('X-Amz-Algorithm') ? inQuery(query, headers) : undefined
}

function inHeader(authorization: string, headers: Map<string, string>): Signature {
  const refuse = (why: string) => new S3Error('AuthorizationHeaderMalformed', why)
  const parts = new Map(
    authorization
      .slice(algorithm.length)
      .split(',')
      .map((part) => {
        const [name = '', ...value] = part.trim().split('=')
        return [name, value.join('=')] as const
      }),
  )
  const [signed, signature] = [parts.get('SignedHeaders'), parts.get('Signature')]
  if (!signed || !signature) throw refuse('SignedHeaders and Signature are required')
  const time = headers.get('x-amz-date') ?? isoOf(headers.get('date'))
  const payload = headers.get('x-amz-content-sha256')
  if (payload === undefined)
    throw new S3Error('MissingSecurityHeader', 'The header x-amz-content-sha256 is missing')
  return {
    ...scopeOf(parts.get('Credential') ?? '', refuse),
    time,
    signedHeaders: signed.split(';'),
    signature,
    payload,
    sessionToken: headers.get('x-amz-security-token'),
    expires: undefined,
  }
}

/** The time of the ordinary `Date` header, which old clients send. */
const isoOf = (date = ''): string =>
  Number.isNaN(Date.parse(date)) ? '' : new Date(date).toISOString().replaceAll(/[-:]|\.\d+/g, '')

function inQuery(query: Map<string, string>, headers: Map<string, string>): Signature {
  const refuse = (why: string) => new S3Error('AuthorizationQueryParametersError', why)
  if (query.get('X-Amz-Algorithm') !== algorithm) throw refuse(`X-Amz-Algorithm is ${algorithm}`)
  const expires = query.get('X-Amz-Expires') ?? ''
  if (!/^\d{1,6}$/.test(expires) || Number(expires) < 1 || Number(expires) > longest)
    throw refuse(`X-Amz-Expires is from 1 to ${longest}`)
  const [signed, signature] = [query.get('X-Amz-SignedHeaders'), query.get('X-Amz-Signature')]
  if (!signed || !signature) throw refuse('X-Amz-SignedHeaders and X-Amz-Signature are required')
  return {
    ...scopeOf(query.get('X-Amz-Credential') ?? '', refuse),
    time: query.get('X-Amz-Date') ?? '',
    signedHeaders: signed.split(';'),
    signature,
    payload:
      query.get('X-Amz-Content-Sha256') ??
      headers.get('x-amz-content-sha256') ??
      'UNSIGNED-PAYLOAD',
    sessionToken: query.get('X-Amz-Security-Token'),
    expires: Number(expires),
  }
}

/** Whether it was signed now, for this place and this service. @throws S3Error */
export function checkScope(
  { time, date, region, service, expires }: Signature,
  regions: readonly string[],
  now: number,
): void {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? []
  const at = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
  if (Number.isNaN(at))
    throw new S3Error('AccessDenied', 'The request does not say when it was signed')
  checkPlace({ region, service }, regions)
  if (date !== time.slice(0, 8))
    throw new S3Error('SignatureDoesNotMatch', 'The credential is of another day than the request')
  if (at > now + skewMs || (expires === undefined && at < now - skewMs)) {
    const message = 'The time of the request is too far from that of the server'
    throw new S3Error('RequestTimeTooSkewed', message, { ServerTime: new Date(now).toISOString() })
  }
  if (expires !== undefined && now > at + expires * 1000)
    throw new S3Error('AccessDenied', 'Request has expired')
}

/** @throws S3Error */
export function checkPlace(
  { region, service }: Pick<Signature, 'region' | 'service'>,
  regions: readonly string[],
): void {
  if (service !== 's3')
    throw new S3Error('AuthorizationHeaderMalformed', 'The credential is for another service')
  const [expected = ''] = regions
  if (!regions.includes(region)) {
    const message = `The region '${region}' is wrong; expecting '${expected}'`
    throw new S3Error('AuthorizationHeaderMalformed', message, { Region: expected })
  }
}

/** What a secret signs with on one day, at one place. */
export const signingKeyOf = (
  secret: string,
  { date, region, service }: Pick<Signature, 'date' | 'region' | 'service'>,
): Buffer => [region, service, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, date))

/** Whether the secret has signed just this request. @throws S3Error */
export function checkSignature(request: SignedRequest, signature: Signature, key: Buffer): void {
  const headers = headersOf(request)
  const { signedHeaders, scope, time, payload } = signature
  const open = [...headers.keys()].find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name),
  )
  if (open !== undefined && !(signature.expires !== undefined && open === 'x-amz-content-sha256'))
    throw new S3Error('AccessDenied', `The header ${open} is not among those that were signed`)
  const { path, query } = addressOf(request.url)
  const pairs = query
    .filter(([name]) => name !== 'X-Amz-Signature' || signature.expires === undefined)
    .map(([name, value]) => `${awsEncode(name)}=${awsEncode(value)}`)
  const canonical = [
    request.method,
    path
      .split('/')
      .map((part) => awsEncode(part))
      .join('/'),
    pairs.toSorted(byBytes).join('&'),
    ...signedHeaders.map((name) => `${name}:${headers.get(name) ?? ''}`),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n')
  // Values of headers come with one character for each of their bytes.
  const hash = sha256(Buffer.from(canonical, 'latin1'))
  const ours = hmac(key, [algorithm, time, scope, hash].join('\n'))
  if (!isSameSignature(ours, signature.signature)) throw mismatch()
}

export const mismatch = () =>
  new S3Error(
    'SignatureDoesNotMatch',
    'The signature is not the one that the secret key makes of this request',
  )

/** By the name first: `=` must not come between a name and a longer one. */
function byBytes(a: string, b: string): number {
  const [left, right] = [a.replace('=', '\0'), b.replace('=', '\0')]
  return left < right ? -1 : Number(left > right)
}
