import { createServer } from 'node:http'
import { createHash } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { end, listen } from './oidc.ts'

/** A provider as far as its keys go, and whatever tokens a test wants signed by it. */
export async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  const state = { issuer: '', isAway: false }
  const server = createServer((request, response) => {
    const known = { issuer: state.issuer, jwks_uri: `${state.issuer}/keys` }
    const isKeys = request.url === '/keys'
    response.writeHead(state.isAway ? 503 : 200, { 'content-type': 'application/json' })
    void exportJWK(publicKey).then((jwk) =>
      response.end(
        JSON.stringify(isKeys ? { keys: [{ ...jwk, kid: 'one', alg: 'RS256' }] } : known),
      ),
    )
  })
  state.issuer = await listen(server)

  type Claims = Record<string, unknown>
  type Options = { alg?: string; key?: CryptoKey | Uint8Array; kid?: string }
  function token(claims: Claims, { alg = 'RS256', key = privateKey, kid = 'one' }: Options = {}) {
    const at = Math.floor(Date.now() / 1000)
    const payload = { iss: state.issuer, aud: 'client', iat: at, exp: at + 300, ...claims }
    return new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(key)
  }
  /** Signed with what everybody knows: the public key, used as a shared secret. */
  const byPublicKey = async (claims: Claims) =>
    token(claims, { alg: 'HS256', key: Buffer.from(await exportSPKI(publicKey)) })
  const byOther = (claims: Claims) => token(claims, { key: other.privateKey })
  const unsigned = async (claims: Claims) => {
    const [, payload = ''] = (await token(claims)).split('.')
    return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  }
  return Object.assign(state, { token, byPublicKey, byOther, unsigned, close: () => end(server) })
}

export const hashed = (nonce: string) => createHash('sha256').update(nonce).digest('hex')

export const halfHashed = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
