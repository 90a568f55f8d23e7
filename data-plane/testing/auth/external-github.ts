import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { ExternalProvider } from '../../auth/external/external-providers.ts'
import { end, listen } from './oidc.ts'

export type GithubAccount = {
  id: number
  login: string
  name: string | null
  emails: { email: string; primary: boolean; verified: boolean }[]
}

export type TestGithub = {
  url: string
  /** Who is signed in there. */
  account: GithubAccount
  /** What authorization asked for last. */
  asked: URLSearchParams
  close(): Promise<void>
}

const clientSecret = 'github secret of the test'

/** A server that answers like GitHub as far as signing in goes: authorization, token, user, addresses. */
export async function startGithub(): Promise<TestGithub> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  const tokens = new Map<string, GithubAccount>()
  const nobody: GithubAccount = { id: 1, login: 'nobody', name: null, emails: [] }
  const state = { url: '', account: nobody, asked: new URLSearchParams() }

  function authorize(query: URLSearchParams): string {
    state.asked = query
    const code = randomUUID()
    const back = new URL(query.get('redirect_uri') ?? '')
    const challenge = query.get('code_challenge') ?? ''
    codes.set(code, { challenge, redirectUri: back.href })
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return back.href
  }

  /** GitHub refuses with status 200. */
  function token(form: URLSearchParams): object {
    const code = form.get('code') ?? ''
    const issued = codes.get(code)
    codes.delete(code)
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '')
    const fits =
      issued?.challenge === verifier.digest('base64url') &&
      issued.redirectUri === form.get('redirect_uri') &&
      form.get('client_secret') === clientSecret
    if (!fits) return { error: 'bad_verification_code', error_description: 'The code is incorrect' }
    const made = `gho_${randomUUID()}`
    tokens.set(made, state.account)
    return { access_token: made, token_type: 'bearer', scope: 'user:email' }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', state.url)
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const account = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    switch (url.pathname) {
      case '/login/oauth/authorize':
        response.writeHead(302, { location: authorize(url.searchParams) })
        return response.end()
      case '/login/oauth/access_token':
        return void text(request).then((body) => json(token(new URLSearchParams(body))))
      case '/api/v3/user':
        return account ? json({ ...account, emails: undefined, avatar_url: null }) : json({}, 401)
      case '/api/v3/user/emails':
        return account ? json(account.emails) : json({}, 401)
      default:
        return json({}, 404)
    }
  })
  state.url = await listen(server)
  return Object.assign(state, { close: () => end(server) })
}

async function text(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // A request is a stream of bytes.
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** It as a tenant configures it. */
export function githubOf({ url }: { url: string }): ExternalProvider {
  return { kind: 'github', name: 'github', label: 'GitHub', url, clientId: 'gh', clientSecret }
}
