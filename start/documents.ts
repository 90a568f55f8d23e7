import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { root } from '#kit/root'
import { cachedFor, filesOf } from './files.ts'

const built = join(root, 'dist/docs')

/**
 * Serves the built documents at /docs: pages by addresses without `.html`, and a page that says so for what is not there.
 * They keep to the content policy of the dashboard (docs/build/external-scripts.ts).
 */
export function serveDocuments(app: FastifyInstance, folder = built): void {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error('The documents are not built; run: npm run build')
  }
  const files = filesOf(folder)
  const send = ({ url }: FastifyRequest, reply: FastifyReply) => {
    const path = url.split('?')[0] ?? ''
    const asked = path.slice('/docs'.length).replace(/^\/|\/$/g, '')
    if (files.has(asked))
      return reply
        .header('cache-control', cachedFor(asked))
        .sendFile(asked, folder, { cacheControl: false })
    const index = asked === '' ? 'index' : `${asked}/index`
    // Links within a page of that kind go from its folder.
    if (files.has(`${index}.html`) && !path.endsWith('/')) return reply.redirect(`${path}/`)
    const page = [index, asked].find((one) => files.has(`${one}.html`))
    return reply
      .status(page === undefined ? 404 : 200)
      .header('cache-control', 'no-cache')
      .sendFile(`${page ?? '404'}.html`, folder, { cacheControl: false })
  }
  app.get('/docs', send)
  app.get('/docs/*', send)
}
