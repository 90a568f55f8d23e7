import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostOf } from '../hosts.ts'
import type { Certificates } from './certificates.ts'
import type { Challenges } from './challenges.ts'

type Options = { challenges: Challenges; certificates: Pick<Certificates, 'has'>; port: number }

/** Port 80 of an installation without a proxy: it answers certificate authorities, and leads who comes without TLS to HTTPS. Nothing is served here. */
export function createHttpPort({ challenges, certificates, port }: Options) {
  const suffix = port === 443 ? '' : `:${port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const challenge = await challenges.answer(request)
    if (challenge) {
      response.writeHead(challenge.status, { 'content-type': 'text/plain' })
      response.end(challenge.text)
      return
    }
    const { url = '', headers } = request
    const host = hostOf(headers.host)
    // A path, and no whole address: that may name another host.
    if (!url.startsWith('/') || !certificates.has(host)) {
      response.writeHead(404, { 'content-type': 'text/plain', connection: 'close' })
      response.end('Not found\n')
      return
    }
    // 308: whatever is sent is sent again as it is.
    response.writeHead(308, { location: `https://${host}${suffix}${url}`, connection: 'close' })
    response.end()
  }

  // It has nothing to do with bodies, and nobody stays for long.
  return createServer({ requestTimeout: 10_000, keepAliveTimeout: 1000 }, (request, response) => {
    request.resume()
    answer(request, response).catch(() => response.destroy())
  })
}
