import type { IncomingMessage } from 'node:http'

const inner = '.functions'

/**
 * Where projects have host names of their own (`https://{ref}.example.com`), their requests are served as if they had
 * come below `/{ref}`, and those to `https://{ref}.functions.example.com` as calls of its functions. Undefined for a template whose ref stands in the path.
 * @returns what Fastify takes as `rewriteUrl`; the query is not touched
 */
export function hostRewriter(
  projectUrl: string | undefined,
): ((request: IncomingMessage) => string) | undefined {
  const template = /^https?:\/\/([^/:]*\{ref\}[^/:]*)/.exec(projectUrl ?? '')?.[1]
  if (template === undefined) return undefined
  const [before = '', after = ''] = template.toLowerCase().split('{ref}')
  return ({ url = '/', headers }) => {
    const host = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase()
    if (!host.startsWith(before) || !host.endsWith(after)) return url
    const name = host.slice(before.length, host.length - after.length)
    const isInner = name.endsWith(inner)
    const ref = isInner ? name.slice(0, -inner.length) : name
    if (!/^[a-z]{20}$/.test(ref)) return url
    return isInner ? `/${ref}/functions/v1${url}` : `/${ref}${url}`
  }
}
