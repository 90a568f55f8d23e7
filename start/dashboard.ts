import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#kit/errors'
import { root } from '#kit/root'
import { createPages } from './pages.ts'
import { cachedFor, filesOf } from './files.ts'
import { serveDocuments } from './documents.ts'

/**
 * Addresses that belong to programs: what is not found below them is an error in JSON, never a page. The services of projects
 * are elsewhere, and who has taken this for their address should hear so.
 */
const forPrograms =
  /^\/(?:platform|internal|auth|api|v\d+|assets|monaco|rest|graphql|storage|functions|realtime|pg|mcp|\.well-known)(?:\/|$)/

/** Serves the built dashboard: files as they are, hashed ones for ever, and its page at every other address. */
export function serveDashboard(
  app: FastifyInstance,
  marks: Parameters<typeof createPages>[1],
): void {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error('The dashboard is not built; run: npm run build')
  }
  const pageAt = createPages(folder, marks)
  const sendPage = (request: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(pageAt(pathOf(request)))
  const files = filesOf(folder)
  void app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  })
  serveDocuments(app)
  // The mailbox has a page and, for programs, its JSON under the same address.
  app.get('/mailbox', (request, reply) => {
    if (request.headers.accept?.includes('text/html')) return sendPage(request, reply)
    return reply.redirect(request.url.replace('/mailbox', '/platform/mailbox'), 307)
  })
  // The end of a window that went to another place and back: with a policy of its own it would be cut off from the page
  // that opened it, which then takes it for closed.
  app.get('/authorized', (request, reply) =>
    sendPage(request, reply.header('cross-origin-opener-policy', 'unsafe-none')),
  )
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const file = request.params['*']
    if (files.has(file)) return reply.header('cache-control', cachedFor(file)).sendFile(file)
    if (forPrograms.test(pathOf(request)) || wantsNoPage(request)) throw new ApiError('not_found')
    return sendPage(request, reply)
  })
}

/** Says what it takes, and a page is nothing of it. */
function wantsNoPage({ headers: { accept } }: FastifyRequest): boolean {
  return accept !== undefined && accept !== '' && !/text\/(?:html|\*)|\*\/\*/.test(accept)
}

const folder = join(root, 'dist/dashboard')
const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '/'
