import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { SafeFetch } from '#kit/network/safe-fetch'
import { end, listen } from './oidc.ts'

/** What a provider documents of itself, written down apart from the code that speaks to it. */
export type Documented = {
  authorize: string
  token: string
  /** How it wants to know the client. */
  client: 'post' | 'basic'
  json?: true
  /** It checks the verifier; others do not want to hear of PKCE. */
  pkce?: boolean
  /** Its token answer around the token. */
  answer?: (token: string) => object
  /** What it says to whoever brings the token, by address. */
  reads?: Record<string, unknown>
  headers?: Record<string, string>
  /** Requests must carry the proof of the token. */
  proof?: true
  openid?: { issuer: string; discovery: string; claims: object; noNonce?: true; posts?: string }
}

type Code = { challenge: string | null; redirectUri: string; nonce: string | null }

export const clientId = 'the client'
export const clientSecret = 'secret:of/the+client'

/** The providers of the world on one local server: `https://host/path` is at `/host/path` there. */
export async function startWorld() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Code>()
  const tokens = new Set<string>()
  let base = ''
  const state = { now: undefined as Documented | undefined, asked: new URLSearchParams() }

  function authorize(query: URLSearchParams): { to: string; fields: Record<string, string> } {
    state.asked = query
    const code = randomUUID()
    const redirectUri = query.get('redirect_uri') ?? ''
    codes.set(code, {
      redirectUri,
      challenge: query.get('code_challenge'),
      nonce: query.get('nonce'),
    })
    return { to: redirectUri, fields: { code, state: query.get('state') ?? '' } }
  }

  async function grant(row: Documented, request: IncomingMessage, body: string) {
    const isJson = request.headers['content-type']?.startsWith('application/json') ?? false
    const parsed: unknown = isJson
      ? JSON.parse(body)
      : Object.fromEntries(new URLSearchParams(body))
    const fields = parsed as Record<string, string | undefined> // strings by how both are made
    const code = codes.get(fields['code'] ?? '')
    codes.delete(fields['code'] ?? '')
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
    const basic = `Basic ${Buffer.from(pair).toString('base64')}`
    const knows =
      row.client === 'basic'
        ? request.headers.authorization === basic && fields['client_secret'] === undefined
        : fields['client_id'] === clientId && fields['client_secret'] === clientSecret
    const verifier = createHash('sha256')
      .update(fields['code_verifier'] ?? '')
      .digest('base64url')
    const bound = row.pkce
      ? code?.challenge === verifier
      : code?.challenge === null && fields['code_verifier'] === undefined
    const fits = code?.redirectUri === fields['redirect_uri'] && isJson === (row.json ?? false)
    if (!code || !knows || !bound || !fits || fields['grant_type'] !== 'authorization_code') {
      return { error: 'invalid_grant', knows, bound, fits }
    }
    const token = `token-${randomUUID()}`
    tokens.add(token)
    const answer = row.answer?.(token) ?? {
      access_token: token,
      token_type: 'bearer',
      expires_in: 3600,
    }
    return row.openid ? { ...answer, id_token: await idToken(row.openid, code.nonce) } : answer
  }

  async function idToken(
    { issuer, claims, noNonce }: NonNullable<Documented['openid']>,
    nonce: string | null,
  ) {
    const payload = { iss: issuer, aud: clientId, ...claims, ...(!noNonce && nonce && { nonce }) }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  }

  const server = createServer((request, response) => {
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const row = state.now
    const url = new URL(`https://${(request.url ?? '/').slice(1)}`)
    const address = url.origin + url.pathname
    if (!row) return json({}, 404)
    if (address === row.authorize) {
      const { to, fields } = authorize(url.searchParams)
      if (row.openid?.posts !== undefined)
        return json({ to, fields: { ...fields, user: row.openid.posts } })
      response.writeHead(302, { location: `${to}?${new URLSearchParams(fields).toString()}` })
      return response.end()
    }
    if (address === row.token) {
      return void text(request).then(async (body) => {
        const answer = await grant(row, request, body)
        json(answer, 'error' in answer ? 400 : 200)
      })
    }
    if (row.openid && url.href === row.openid.discovery) {
      const { issuer } = row.openid
      return json({
        issuer: row.openid.discovery.includes('/common/')
          ? issuer.replace(/[0-9a-f-]{36}/, '{tenantid}')
          : issuer,
        authorization_endpoint: row.authorize,
        token_endpoint: row.token,
        jwks_uri: `https://${url.host}/keys`,
      })
    }
    if (row.openid && url.pathname === '/keys') return json({ keys: [jwk] })
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const known = Object.keys(row.reads ?? {}).find((one) => one === address)
    const headers = Object.entries(row.headers ?? {}).every(
      ([name, value]) => request.headers[name] === value,
    )
    if (!known || !tokens.has(token) || !headers) return json({ ok: false }, known ? 401 : 404)
    if (row.proof && !/^[0-9a-f]{64}$/.test(url.searchParams.get('appsecret_proof') ?? ''))
      return json({}, 400)
    return json(row.reads?.[known])
  })
  base = await listen(server)
  const local = (address: string) => address.replace(/^https:\//, base)
  const fetchWorld: SafeFetch = (address, init) => fetch(local(address), init)
  return Object.assign(state, { local, fetch: fetchWorld, close: () => end(server) })
}

async function text(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // A request is a stream of bytes.
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
