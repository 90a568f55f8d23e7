import type { IncomingMessage } from 'node:http'

const inner = '.functions'

/** The name in a Host header, as names are kept: without a port, in lower case, without the dot of the root. */
export const hostOf = (header: string | undefined): string =>
  (header ?? '').replace(/:\d*$/, '').toLowerCase().replace(/\.$/, '')

/** The project that has this name for itself, beside its ref. */
export type NamedProject = (hostname: string) => string | undefined

/**
 * Where projects have host names of their own (`https://{ref}.example.com`), their requests are served as if they had
 * come below `/{ref}`, and those to `https://{ref}.functions.example.com` as calls of its functions. The same holds for custom hostnames
 * and vanity subdomains. At such a name nothing else is reached: no other project, and nothing of the platform.
 * @returns what Fastify takes as `rewriteUrl`; the query is not touched
 */
export function hostRewriter(
  projectUrl: string | undefined,
  named: NamedProject = () => undefined,
): (request: IncomingMessage) => string {
  const template = /^https?:\/\/([^/:]*\{ref\}[^/:]*)/.exec(projectUrl ?? '')?.[1]
  const [before = '', after = ''] = template?.toLowerCase().split('{ref}') ?? []
  return ({ url = '/', headers }) => {
    const host = hostOf(headers.host)
    const own = named(host)
    if (own !== undefined) return `/${own}${url}`
    if (template === undefined || !host.startsWith(before) || !host.endsWith(after)) return url
    const name = host.slice(before.length, host.length - after.length)
    const isInner = name.endsWith(inner)
    const ref = isInner ? name.slice(0, -inner.length) : name
    if (!/^[a-z]{20}$/.test(ref)) return url
    return isInner ? `/${ref}/functions/v1${url}` : `/${ref}${url}`
  }
}
