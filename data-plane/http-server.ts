import type { IncomingMessage } from 'node:http'
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Log } from '#kit/log'
import { addJsonParsing, requestId } from '#kit/http/http-security'
import { limitSlowBodies } from '#kit/http/slow-bodies'
import { paceOfBodies } from './gateway/body-pace.ts'

type Options = {
  /** Brings every spelling of an address to the one that routes have: `/{ref}/rest/v1`. */
  rewriteUrl: (request: IncomingMessage) => string
  trustedProxies?: string[] | undefined
  log: Log
}

/** The server that all services answer on, with what holds for each of them: limits of bodies, request ids, refusals. */
export function createHttpServer({ rewriteUrl, trustedProxies = [], log }: Options) {
  const logger: FastifyBaseLogger = log
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestId,
    trustProxy: trustedProxies,
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    rewriteUrl,
    routerOptions: { maxParamLength: 2000 },
    frameworkErrors: (_error, _request, { raw }) => {
      const message = 'The address of the request cannot be read'
      raw.writeHead(400, { 'content-type': 'application/json; charset=utf-8' })
      raw.end(JSON.stringify({ code: 'bad_url', message, details: null, hint: null }))
    },
  })
  app.removeContentTypeParser('application/json')
  addJsonParsing(app)
  limitSlowBodies(app.server, paceOfBodies)
  return app
}

/**
 * Limits of time of another server that passes its requests to `app`, as the app's own server has them: a body may take as long as it
 * keeps its pace (`limitSlowBodies`), where Node by itself cuts off every request after five minutes.
 */
export const timeLimitsOf = ({
  server: { requestTimeout, keepAliveTimeout },
}: FastifyInstance) => ({
  requestTimeout,
  keepAliveTimeout,
})

/** An answer that ends while the server closes leaves a connection that is kept: without this it would be waited for. */
export function endIdleConnections({ server }: FastifyInstance): void {
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  server.once('close', () => clearInterval(timer))
}
