import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto'

/** A refusal as RFC 7807 and RFC 8555 have it. */
export class Problem extends Error {
  readonly type: string
  readonly status: number
  readonly headers: Record<string, string>
  constructor(type: string, detail: string, status = 400, headers: Record<string, string> = {}) {
    super(detail)
    this.type = `urn:ietf:params:acme:error:${type}`
    this.status = status
    this.headers = headers
  }
}

type Header = { alg?: string; nonce?: string; url?: string; kid?: string; jwk?: JsonWebKey }
export type Signed = { header: Header; payload: Record<string, unknown> | null; jwk: JsonWebKey }

const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())

/** Of a public key (RFC 7638). */
export const thumbprintOf = ({ crv, kty, x, y }: JsonWebKey): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

/** A request that its sender has signed (RFC 8555, section 6.2). @throws Problem */
export function readSigned(body: string, keyOf: (kid: string) => JsonWebKey | undefined): Signed {
  const { protected: head, payload, signature } = JSON.parse(body) as Record<string, string>
  if (head === undefined || payload === undefined || signature === undefined)
    throw new Problem('malformed', 'This is no JWS')
  const header = decoded(head) as Header
  const jwk = header.jwk ?? keyOf(header.kid ?? '')
  if (!jwk) throw new Problem('accountDoesNotExist', 'There is no such account')
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const isGood =
    header.alg === 'ES256' &&
    verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  if (!isGood) throw new Problem('unauthorized', 'The signature is wrong', 403)
  return {
    header,
    jwk,
    payload: payload === '' ? null : (decoded(payload) as Record<string, unknown>),
  }
}
