import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Tokens = { access_token: string; refresh_token: string; scope: string }

/** A small program of somebody else that asks people for access, as any OAuth client does. */
export async function startClient(platformUrl: string) {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('hex')
  let credentials: { id: string; secret: string } | undefined
  let tokens: Tokens | undefined
  const problems: string[] = []

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', base())
    if (url.pathname !== '/callback') return void response.writeHead(404).end()
    void finish(url.searchParams).then((words) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Client</title><h1>${words}</h1>`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const base = () => `http://127.0.0.1:${port}`
  const redirectUri = `http://127.0.0.1:${port}/callback`

  const post = (path: string, form: Record<string, string>) =>
    fetch(`${platformUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${credentials?.id}:${credentials?.secret}`).toString('base64')}`,
      },
      body: new URLSearchParams(form),
    })

  async function finish(answer: URLSearchParams): Promise<string> {
    if (answer.get('state') !== state) problems.push('wrong state')
    if (answer.get('iss') !== platformUrl) problems.push(`wrong issuer ${answer.get('iss')}`)
    if (answer.get('error')) return `Refused: ${answer.get('error')}`
    const response = await post('/v1/oauth/token', {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
    if (!response.ok) return `Failed: ${await response.text()}`
    // What RFC 6749 says that a token endpoint answers with.
    tokens = (await response.json()) as Tokens
    return 'Connected'
  }

  return {
    redirectUri,
    problems,
    tokens: () => tokens,
    /** Where the client sends a person's browser. */
    connect(id: string, secret: string, more: Record<string, string> = {}): string {
      credentials = { id, secret }
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: id,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...more,
      })
      return `${platformUrl}/v1/oauth/authorize?${query}`
    },
    /** Uses the access token as a program does. */
    async get(path: string): Promise<{ status: number; body: unknown }> {
      const response = await fetch(platformUrl + path, {
        headers: { authorization: `Bearer ${tokens?.access_token}` },
      })
      return { status: response.status, body: await response.json() }
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
