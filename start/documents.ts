import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { root } from '#kit/root'

const built = join(root, 'dist/docs')

/**
 * Serves the built documents at /docs: pages by addresses without `.html`, and a page that says so for what is not there.
 * They keep to the content policy of the dashboard (docs/build/external-scripts.ts).
 */
export function serveDocuments(app: FastifyInstance, folder = built): void {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error('The documents are not built; run: npm run build')
  }
  const pages = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html'))
      .map((file) => file.split(sep).join('/').slice(0, -'.html'.length)),
  )
  void app.register(fastifyStatic, {
    root: folder,
    prefix: '/docs/',
    wildcard: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      const hashed = path.startsWith(join(folder, 'assets'))
      void response.setHeader(
        'cache-control',
        hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.get('/docs', (_, reply) => reply.redirect('/docs/'))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    const asked = request.params['*'].replace(/\/$/, '')
    if (pages.has(`${asked}/index`)) return reply.redirect(`/docs/${asked}/`)
    const isPage = pages.has(asked)
    return reply
      .status(isPage ? 200 : 404)
      .header('cache-control', 'no-cache')
      .sendFile(`${isPage ? asked : '404'}.html`, folder, { cacheControl: false })
  })
}
