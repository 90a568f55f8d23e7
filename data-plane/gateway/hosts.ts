import type { IncomingMessage } from 'node:http'

/**
 * Where projects have host names of their own (`https://{ref}.example.com`), their requests are served as if they had
 * come below `/{ref}`. Undefined for a template whose ref stands in the path.
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
    const ref = host.slice(before.length, host.length - after.length)
    const isProject = host.startsWith(before) && host.endsWith(after) && /^[a-z]{20}$/.test(ref)
    return isProject ? `/${ref}${url}` : url
  }
}
