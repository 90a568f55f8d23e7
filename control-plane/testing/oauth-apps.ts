import { createHash, randomBytes } from 'node:crypto'
import type { Person, TestControlPlane } from './control-plane.ts'

export type App = {
  id: string
  clientId: string
  secret: string | null
  redirectUri: string
  slug: string
}
type Answer = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> }
type Flow = { state?: string; verifier?: string; scope?: string }

export const newVerifier = () => randomBytes(32).toString('base64url')
const challenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

export const everything = {
  name: 'Ledger sync',
  website: 'https://ledger.example',
  redirect_uris: ['https://ledger.example/callback'],
  scopes: ['projects:read', 'organizations:read'],
}

export async function publish(
  owner: Person,
  slug: string,
  more: Partial<typeof everything> & { public?: boolean } = {},
): Promise<App> {
  const { status, body } = await owner.call('POST', `/platform/organizations/${slug}/oauth/apps`, {
    ...everything,
    ...more,
  })
  if (status !== 201) throw new Error(`Not published: ${JSON.stringify(body)}`)
  const [redirectUri = ''] = body['redirect_uris'] as string[]
  return {
    id: String(body['id']),
    clientId: String(body['client_id']),
    secret: typeof body['client_secret'] === 'string' ? body['client_secret'] : null,
    redirectUri,
    slug,
  }
}

/** A program that uses the protocol as any client of it does. */
export function client(plane: TestControlPlane, app: App) {
  const post = async (path: string, form: Record<string, string>): Promise<Answer> => {
    const response = await plane.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  const proof = {
    client_id: app.clientId,
    ...(app.secret === null ? {} : { client_secret: app.secret }),
  }
  const start = async (query: Record<string, string>) => {
    const response = await plane.app.inject({
      url: `/v1/oauth/authorize?${new URLSearchParams(query)}`,
    })
    return {
      status: response.statusCode,
      location: String(response.headers['location'] ?? ''),
      body: response.body,
    }
  }
  const query = ({ state, verifier, scope }: Flow = {}) => ({
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: 'code',
    ...(state === undefined ? {} : { state }),
    ...(scope === undefined ? {} : { scope }),
    ...(verifier === undefined
      ? {}
      : { code_challenge: challenge(verifier), code_challenge_method: 'S256' }),
  })
  const authId = async (flow: Flow = {}) =>
    new URL((await start(query(flow))).location).searchParams.get('auth_id') ?? ''

  /** Starts, opens the consent page as this person and approves; the address the browser is sent to. */
  const approved = async (by: Person, slug: string, flow: Flow = {}): Promise<URL> => {
    const id = await authId(flow)
    await by.call('GET', `/platform/oauth/authorizations/${id}`)
    const answer = await by.call(
      'POST',
      `/platform/organizations/${slug}/oauth/authorizations/${id}`,
    )
    if (answer.status !== 200) throw new Error(`Not approved: ${JSON.stringify(answer.body)}`)
    return new URL(String(answer.body['url']))
  }
  const exchange = (code: string, verifier?: string, more: Record<string, string> = {}) =>
    post('/v1/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
      ...proof,
      ...more,
    })

  return {
    post,
    proof,
    start,
    query,
    authId,
    approved,
    exchange,
    refresh: (token: string, more: Record<string, string> = {}) =>
      post('/v1/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: token,
        ...proof,
        ...more,
      }),
    revoke: (token: string) => post('/v1/oauth/revoke', { token, ...proof }),
    /** The whole way: tokens of an approval by this person. */
    async tokens(by: Person, slug: string, flow: Flow = {}) {
      const verifier = newVerifier()
      const back = await approved(by, slug, { ...flow, verifier })
      const { status, body } = await exchange(back.searchParams.get('code') ?? '', verifier)
      if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`)
      return { access: String(body['access_token']), refresh: String(body['refresh_token']), body }
    },
  }
}

/** A call with any bearer. */
export async function callWith(
  plane: TestControlPlane,
  bearer: string,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await plane.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${bearer}` },
    ...(body ? { payload: body } : {}),
  })
  return { status: response.statusCode, body: response.json() }
}
