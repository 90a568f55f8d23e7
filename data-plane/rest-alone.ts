import { type Server, createServer } from 'node:http'
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import { requestId } from '#kit/http/http-security'
import type { Log } from '#kit/log'
import { addCors, addCorsFor, answerPreflight, isPreflight } from './gateway/cors.ts'
import { bearerOf } from './gateway/keys.ts'
import { createTokensBy, TokenError, type Tokens } from './gateway/tokens.ts'
import { createAloneRest } from './rest/server/alone.ts'
import type { Identity } from './rest/requests/incoming.ts'
import { isSigned } from './rest/server/jwt-keys.ts'
import { openOneLogin } from './rest/server/one-login.ts'
import { badToken, Problem } from './rest/answers/problem.ts'
import { loadedSchema, type Rest } from './rest/rest.ts'
import { roleIn } from './rest/server/role-claim.ts'
import { restRoutes, sendBadMethod } from './rest/routes.ts'
import type { ServerSettings, SettingValues } from './rest/server/server-settings.ts'
import { catalogRole } from './rest/database.ts'

const ping = { statements: [{ text: 'select 1', values: [] }] }

/**
 * What the admin port of the data API answers: `/live` while it runs, `/ready` once the schema is known and the database
 * answers, else 503. Nothing in it needs a token, so it tells no more than that.
 */
function createHealth(rest: Rest, log: Log): Server {
  async function isReady(): Promise<boolean> {
    try {
      await loadedSchema(rest)
      await rest.database.run(catalogRole, ping)
      return true
    } catch (error) {
      log.warn({ err: error }, 'The data API is not ready')
      return false
    }
  }
  return createServer((request, response) => {
    const end = (status: number) => void response.writeHead(status).end()
    const [path] = (request.url ?? '/').split('?')
    if (request.method !== 'GET' && request.method !== 'HEAD') end(405)
    else if (path === '/live') end(200)
    else if (path === '/ready') void isReady().then((ready) => end(ready ? 200 : 503))
    else end(404)
  })
}

type Options = { values: SettingValues; settings: ServerSettings; log: Log }

/**
 * The data API of one database, without a project around it: at the root, by one login that takes the role of each
 * request, with tokens instead of keys. `health` tells how it is (rest-health.ts). Closing `app` closes every connection.
 */
export function createRestAlone({ values, settings, log }: Options): {
  app: FastifyInstance
  health: Server
} {
  const database = openOneLogin({
    login: settings.database,
    connections: settings.pool,
    waitMs: settings.poolWaitMs,
    idleMs: settings.poolIdleMs,
    log,
  })
  const alone = createAloneRest(database, values, log)
  const { rest } = alone
  let tokens = tokensFor(settings)
  alone.onChange(() => (tokens = tokensFor(alone.settings())))

  const logger: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({
      disableRequestLogging: !log.isLevelEnabled('info'),
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestId,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 2000 },
    frameworkErrors: (_error, _request, { raw }) => {
      const problem = new Problem(404, 'PGRST125', 'Invalid path specified in request URL')
      raw.writeHead(problem.status, { 'content-type': 'application/json; charset=utf-8' })
      raw.end(problem.body())
    },
  })
  app.addHook('onClose', () => database.close(2000))
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    const { allowedOrigins } = alone.settings()
    if (allowedOrigins) addCorsFor(allowedOrigins, request, reply)
    else addCors(request, reply)
    const { traceHeader } = alone.settings()
    const trace = traceHeader === undefined ? undefined : request.headers[traceHeader]
    if (traceHeader !== undefined && trace !== undefined) void reply.header(traceHeader, trace)
    if (isPreflight(request)) return answerPreflight(request, reply)
    // Who may ask can stand in the database, so nobody is let in before it was read.
    if (!ready) await loadedSchema(rest)
    ready = true
  })
  let ready = false
  restRoutes(app, {
    tenantOf: ({ raw }) => ({ rest, target: raw.url ?? '/' }),
    identityOf: (request) => identityOf(request, alone.settings(), tokens),
    bodyLimit: settings.largestBody,
  })
  app.setNotFoundHandler(sendBadMethod)
  app.addHook('onListen', () => {
    // The first request finds it there; what is wrong is in the log before anybody asks.
    void loadedSchema(rest).then(
      (schema) => log.info({ relations: schema.relations.size }, 'The schema is loaded'),
      (error: unknown) => log.error({ err: error }, 'The database cannot be used yet'),
    )
  })
  const health = createHealth(rest, log)
  app.addHook('onClose', (_, done) => {
    health.closeAllConnections()
    health.close(() => done())
  })
  return { app, health }
}

function tokensFor({ keys = [], roleClaim, anonRole }: ServerSettings): Tokens<undefined> {
  return createTokensBy({
    signerOf: (header, text, signature) =>
      isSigned(keys, header, text, signature) ? 'one of them' : undefined,
    // Other keys come with other tokens, so that nothing remembered outlives them.
    isGood: () => true,
    roleOf: (claims) => roleIn(claims, roleClaim) ?? anonRole ?? refuseAnonymous(),
  })
}

function identityOf(
  { headers }: FastifyRequest,
  { keys, anonRole }: ServerSettings,
  tokens: Tokens<undefined>,
): Identity {
  const bearer = bearerOf(headers.authorization)
  if (bearer === undefined) {
    const role = anonRole ?? refuseAnonymous()
    return { role, claims: JSON.stringify({ role }) }
  }
  if (!keys) throw new Problem(500, 'PGRST300', 'Server lacks JWT secret')
  try {
    return tokens.verify(bearer, undefined)
  } catch (error) {
    if (error instanceof TokenError) throw badToken(error.code, error.message, error.details)
    throw error
  }
}

function refuseAnonymous(): never {
  const headers = { 'www-authenticate': 'Bearer' }
  throw new Problem(401, 'PGRST302', 'Anonymous access is disabled', { headers })
}
