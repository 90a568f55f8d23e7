import { createHash, createHmac } from 'node:crypto'

type Signed = {
  method: string
  url: string
  /** All of them are signed. Names are lower case. */
  headers: Record<string, string>
  body: Uint8Array
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Milliseconds since 1970. */
  now: number
}

const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex')
const hmac = (key: string | Buffer, value: string) =>
  createHmac('sha256', key).update(value).digest()

/** A segment of a path as the signature spells it: `encodeURIComponent`, and five characters more. */
export const pathPart = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.codePointAt(0)?.toString(16).toUpperCase()}`,
  )

/**
 * The headers that sign a request to S3 with signature version 4: date, digest of the body and signature. The path of the url has to be
 * spelt by `pathPart`, and there is no query.
 */
export function awsSignature(request: Signed): Record<string, string> {
  const { method, url, body, region, accessKeyId, secretAccessKey, now } = request
  const { host, pathname } = new URL(url)
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const digest = sha256(body)
  const own = { 'x-amz-content-sha256': digest, 'x-amz-date': time }
  const headers = Object.entries({ ...request.headers, ...own, host }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const names = headers.map(([name]) => name).join(';')
  const canonical = [
    method,
    pathname,
    '',
    ...headers.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    digest,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return {
    ...own,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`,
  }
}
