import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import type { Configuration } from 'oidc-provider'
import type { ExternalProvider } from '../../auth/external/external-providers.ts'

/** Somebody with an account at a provider. */
export type Account = Record<string, unknown> & { sub: string }

export type TestProvider = {
  issuer: string
  /** Who signs in there next: their browser has a session there, so nothing is asked. */
  account: Account
  close(): Promise<void>
}

/**
 * It says on the console that it does not know this version of Node, and that it keeps everything in memory, which a test
 * wants. Only these two lines are kept back.
 */
async function quietly<T>(run: () => Promise<T>): Promise<T> {
  const original = console.warn
  console.warn = (...words: unknown[]) => {
    if (!/Unsupported runtime|in-memory adapter/.test(String(words[0]))) original(...words)
  }
  try {
    return await run()
  } finally {
    console.warn = original
  }
}

/** A real OpenID provider on a free port, with one client that is `client` / `client secret of the test`. */
export async function startOidcProvider(redirectUris: string[]): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const server = createServer()
  const issuer = await listen(server)
  const state = { issuer, account: { sub: 'nobody' } as Account }
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'client',
        client_secret: testSecret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] },
    cookies: { keys: ['of the test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    features: { devInteractions: { enabled: false } },
    conformIdTokenClaims: false,
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...state.account, sub }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant(context) {
      const { client, session, provider: own } = context.oidc
      const who = { clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' }
      const grant = new own.Grant(who)
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
  const provider = await quietly(async () => {
    const { default: OidcProvider } = await import('oidc-provider')
    return new OidcProvider(issuer, configuration)
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    const login = { accountId: state.account.sub }
    provider.interactionFinished(request, response, { login }).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  return Object.assign(state, { close: () => end(server) })
}

const testSecret = 'client secret of the test'

/** The provider as a tenant configures it. */
export function oidcOf({ issuer }: { issuer: string }, name = 'example'): ExternalProvider {
  const client = { clientId: 'client', clientSecret: testSecret }
  const scopes = ['openid', 'email', 'profile']
  return { kind: 'oidc', name, label: 'Example', issuer, scopes, ...client }
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return `http://127.0.0.1:${port}`
}

export function end(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

/** A browser as far as redirects and cookies go. */
export function newBrowser() {
  const jar = new Map<string, Map<string, string>>()

  async function open(url: string): Promise<Response> {
    const { host } = new URL(url)
    const cookies = jar.get(host) ?? new Map<string, string>()
    jar.set(host, cookies)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', ...rest] = pair.split('=')
      cookies.set(name, rest.join('='))
    }
    return response
  }

  return {
    open,
    /** Follows redirects until one leads to an address that starts with `stop`; that address. */
    async follow(url: string, stop: string): Promise<URL> {
      let next = url
      for (let hop = 0; hop < 15; hop += 1) {
        if (next.startsWith(stop)) return new URL(next)
        const response = await open(next)
        const to = response.headers.get('location')
        if (!to) throw new Error(`${next} answered ${response.status}: ${await response.text()}`)
        next = new URL(to, next).href
      }
      throw new Error(`Too many redirects, last to ${next}`)
    },
  }
}

/** What a landing carries in query or fragment. */
export function carried(url: URL): URLSearchParams {
  return new URLSearchParams(url.hash ? url.hash.slice(1) : url.search)
}
