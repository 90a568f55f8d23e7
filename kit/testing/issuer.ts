import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'

type Jwk = Record<string, unknown>

/** A key pair of an issuer, and its public half as it publishes it. */
export function issuerKey(kind: 'RS256' | 'ES256' | 'EdDSA' = 'ES256', kid: string = randomUUID()) {
  const pairs = {
    RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: () => generateKeyPairSync('ed25519'),
  }
  const { privateKey, publicKey } = pairs[kind]()
  const publicJwk: Jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: kind, use: 'sig' }
  return { kind, kid, privateKey, publicKey, publicJwk }
}
export type IssuerKey = ReturnType<typeof issuerKey>

/** A token, made without the code under test. `header` is what it says of how it was signed. */
export function signedBy(
  { kind, privateKey, kid }: Pick<IssuerKey, 'kind' | 'kid'> & { privateKey: KeyObject },
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const all = { iat: now, exp: now + 600, ...claims }
  const text = `${encode({ alg: kind, kid, typ: 'JWT', ...header })}.${encode(all)}`
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
  const signature = sign(kind === 'EdDSA' ? null : 'sha256', Buffer.from(text), key)
  return `${text}.${signature.toString('base64url')}`
}

/** An issuer on this machine: it describes itself and publishes what `keys` holds at the moment. */
export async function startIssuer(keys: Jwk[] = []) {
  const asked: string[] = []
  const issuer = {
    url: '',
    keys,
    /** The paths that were asked for. */
    asked,
    /** What it says its name is; its address unless a test says otherwise. */
    name: undefined as string | undefined,
    /** Undefined: all is well. Otherwise what it answers to everything. */
    status: undefined as number | undefined,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const bodies: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer: issuer.name ?? issuer.url,
        jwks_uri: `${issuer.url}/keys`,
      },
      '/keys': { keys: issuer.keys },
    }
    const body = issuer.status === undefined ? bodies[url] : undefined
    response.writeHead(body ? 200 : (issuer.status ?? 404), { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  issuer.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return issuer
}
export type Issuer = Awaited<ReturnType<typeof startIssuer>>
