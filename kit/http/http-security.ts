import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { fastifyHelmet } from '@fastify/helmet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { documentBounds, shapeOf } from './json-body.ts'
import { JsonRefusal } from './json-scan.ts'

export type Security = {
  /** Origins whose pages may change state here, such as https://plinth.example.com. */
  allowedOrigins: string[]
  /**
   * Names this server answers to, for one that listens on loopback alone: a page elsewhere could otherwise point a name
   * of its own at this machine and read what only this machine may.
   */
  hosts?: string[] | undefined
  /** What the dashboard's pages may connect to and show besides their own origin (project URLs). */
  connectTo: string[]
  /** Addresses or ranges whose X-Forwarded-* headers are believed; none by default. */
  trustedProxies: string[]
  /** Paths that pages elsewhere post forms to by design: where sign-in providers send people back. */
  openToForms?: readonly string[] | undefined
}

const wellFormedId = /^[\w-]{1,64}$/

/** The caller's own X-Request-Id when it is harmless, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && wellFormedId.test(given) ? given : randomUUID()
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Keep the text of the body beside what it says. */
    rawBody?: boolean
    /** Take forms too. */
    form?: boolean
  }
}
const rawBodies = new WeakMap<FastifyRequest, string>()

/** The body as it came, of an endpoint that is marked `rawBody`; empty where there was none. */
export const rawBodyOf = (request: FastifyRequest): string => rawBodies.get(request) ?? ''

/** JSON within bounds, instead of what Fastify reads by itself: its parser makes values of anything. */
export function addJsonParsing(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  async function read(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
    if (request.routeOptions.config.rawBody) rawBodies.set(request, bytes.toString())
    if (bytes.length === 0) return {}
    await shapeOf(bytes, documentBounds).catch((error: unknown) => {
      if (!(error instanceof JsonRefusal)) throw error
      if (error.kind === 'malformed') throw new ApiError('bad_json')
      throw new ApiError('invalid_input', error.message)
    })
    return new Promise((done, fail) => {
      // Fastify's parser is callback-style when called with a function, and then returns nothing.
      void parseJson(request, bytes.toString(), (error, value) =>
        error ? fail(new ApiError('bad_json')) : done(value),
      )
    })
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, read)
}

/** JSON within bounds only. An empty body counts as {}; a body that sets __proto__ is refused by the parser of Fastify. */
export function addBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  addJsonParsing(app)
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (!request.routeOptions.config.form) throw new ApiError('unsupported_media')
      return formFields(String(request.headers['content-type']), body)
    },
  )
}

const changesState = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Security headers, the Origin check on every state change, request ids, one log line a request. */
export function addSecurity(app: FastifyInstance, security: Security): void {
  void app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The grid and the editor set style attributes; styles cannot run code.
        styleSrc: ["'self'", "'unsafe-inline'"],
        // What people store is shown from the address of its project, never from this one.
        imgSrc: ["'self'", 'data:', 'blob:', ...security.connectTo],
        mediaSrc: ["'self'", ...security.connectTo],
        frameSrc: ["'self'", ...security.connectTo],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...security.connectTo],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
      },
    },
    strictTransportSecurity: security.allowedOrigins.some((origin) => origin.startsWith('https:')),
    crossOriginEmbedderPolicy: false,
    // Our pages open windows at other places (linking a GitHub account) and have to see them close.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    if (security.hosts && !security.hosts.includes(request.hostname)) {
      throw new ApiError(
        'bad_origin',
        `This server does not answer to the name ${request.hostname}`,
      )
    }
    const { origin } = request.headers
    const foreign = origin !== undefined && !security.allowedOrigins.includes(origin)
    const posted = security.openToForms?.includes(request.url.split('?', 1)[0] ?? '') ?? false
    if (foreign && changesState.has(request.method) && !posted) {
      throw new ApiError('bad_origin')
    }
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/platform/') || request.url.startsWith('/internal/')) {
      void reply.header('cache-control', 'no-store')
    }
    // No pages are here, only redirects: a window that passes by must not be cut off from the page that opened it.
    if (request.url.startsWith('/auth/')) void reply.removeHeader('cross-origin-opener-policy')
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/**
 * A multipart form as the input of an endpoint: a text part under its name, files as a list of `{path, content}` under
 * theirs, with the bytes as base64. `path` is the whole name that the sender gave the file.
 * @throws ApiError invalid_input
 */
async function formFields(contentType: string, body: Buffer): Promise<Record<string, unknown>> {
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw new ApiError('invalid_input', 'The body is not a well-formed multipart form')
  })
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      fields.set(name, value)
      continue
    }
    const content = Buffer.from(await value.arrayBuffer()).toString('base64')
    const before = fields.get(name)
    fields.set(name, [...(Array.isArray(before) ? before : []), { path: value.name, content }])
  }
  return Object.fromEntries(fields)
}
