import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
    index: false,
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
  const send = ({ url }: FastifyRequest, reply: FastifyReply) => {
    const path = url.split('?')[0] ?? ''
    const asked = path.slice('/docs'.length).replace(/^\/|\/$/g, '')
    const index = asked === '' ? 'index' : `${asked}/index`
    // Links within a page of that kind go from its folder.
    if (pages.has(index) && !path.endsWith('/')) return reply.redirect(`${path}/`)
    const page = [index, asked].find((one) => pages.has(one))
    return reply
      .status(page === undefined ? 404 : 200)
      .header('cache-control', 'no-cache')
      .sendFile(`${page ?? '404'}.html`, folder, { cacheControl: false })
  }
  app.get('/docs', send)
  app.get('/docs/*', send)
}
