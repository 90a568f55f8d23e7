import { Resolver } from 'node:dns/promises'
import { request } from 'node:http'

type Where = {
  /** The name server that knows the names of the test. */
  dnsServer: string
  /** What names have to lead to, and the port of 127.0.0.1 that listens there. */
  target: string
  port: () => number
}

function fetched(hostname: string, path: string, port: number) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path, headers: { host: hostname }, timeout: 20_000 },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    asking.on('timeout', () => asking.destroy(new Error('Timeout')))
    asking.on('error', reject)
    asking.end()
  })
}

/** Looks at a name as an authority does (RFC 8555, section 8.3). @returns why it is not proved; undefined: it is */
export async function whyNotProved(
  hostname: string,
  token: string,
  expected: string,
  { dnsServer, target, port }: Where,
): Promise<string | undefined> {
  const resolver = new Resolver({ timeout: 5000, tries: 2 })
  resolver.setServers([dnsServer])
  const [leadsTo] = await resolver.resolveCname(hostname).catch(() => [])
  if (leadsTo !== target) return `DNS problem: looking up ${hostname}`
  try {
    const path = `/.well-known/acme-challenge/${token}`
    const { status, text } = await fetched(hostname, path, port())
    if (status !== 200) return `Invalid response from http://${hostname}${path}: ${status}`
    return text.trimEnd() === expected ? undefined : 'The key authorization file is wrong'
  } catch (error) {
    return `Fetching http://${hostname}: ${error instanceof Error ? error.message : String(error)}`
  }
}
