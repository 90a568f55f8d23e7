import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import type { KeyUse } from '#contract/internal'
import type { RequestCount } from '#contract/projects/project-home'
import type { Log } from '#kit/log'
import { ApiError } from '#kit/errors'
import { sameSecret } from '#kit/ids'
import { addJsonParsing, requestId } from '#kit/http/http-security'
import { limitSlowBodies } from '#kit/http/slow-bodies'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { paceOfBodies } from './gateway/body-pace.ts'
import { admitBare, isBare, withBarePgMeta } from './gateway/bare-pg-meta.ts'
import { addCommonHeaders, createGateway } from './gateway/gateway.ts'
import { answerPreflight } from './gateway/cors.ts'
import { createRequestCounts } from './gateway/request-counts.ts'
import { createKeyUses } from './gateway/key-uses.ts'
import { hostRewriter } from './gateway/hosts.ts'
import { createListeners, type ListenerSource } from './gateway/listeners.ts'
import { answerOf, UnavailableError } from './gateway/problems.ts'
import { createThirdPartyTokens } from './gateway/third-party.ts'
import { TokenError } from './gateway/tokens.ts'
import { createAuth } from './auth/auth.ts'
import { authRoutes } from './auth/routes.ts'
import type { FunctionOptions } from './functions/functions.ts'
import { mountFunctions } from './mount/project-functions.ts'
import { graphqlRoutes } from './graphql/routes.ts'
import { internalRoutes } from './internal.ts'
import { pgMetaRoutes } from './pg-meta/pg-meta.ts'
import type { ImportOptions } from './pg-meta/rows/import/row-imports.ts'
import { createImportSpool } from './pg-meta/rows/import/row-import-spool.ts'
import { importUploadRoutes } from './pg-meta/rows/import/row-import-upload-routes.ts'
import { createLimitedCallers } from './limited-callers.ts'
import { createAuthTenants, type ProjectMail } from './mount/project-auth.ts'
import { createGraphqlServices } from './mount/project-graphql.ts'
import { mountStorage, type StorageOptions } from './mount/project-storage.ts'
import { mountWebhooks, type WebhookOptions } from './mount/project-webhooks.ts'
import type { Directory } from './projects/directory.ts'
import { serverOf, type OpenProject } from './projects/open-project.ts'
import { openSoon } from './projects/open-soon.ts'
import { createBudgets, createProjects, ProjectUnavailableError } from './projects/projects.ts'
import { realtimeRoutes } from './mount/project-realtime.ts'
import type { Timing } from './realtime/service.ts'
import { createRests } from './rest/open-rest.ts'
import { badToken } from './rest/answers/problem.ts'
import { restRoutes, sendBadMethod } from './rest/routes.ts'

type Options = {
  directory: Directory
  /** Opens what lies below /internal, which only our own programs call. */
  internalToken: string
  smtpUrl?: string | undefined
  mailFrom: string
  /** Keeps a mail in the local mailbox; used while there is no mail server. */
  keepMail: (mail: ProjectMail) => Promise<void>
  /** Template of project addresses with `{ref}`; with the ref in the host name, requests are told apart by it. */
  projectUrl?: string
  /** Whose X-Forwarded-* headers are believed; none by default. */
  trustedProxies?: string[]
  /** `folder` is where files of imports wait until all of them is there. */
  imports: { folder: string } & Omit<ImportOptions, 'spool' | 'secret'>
  /** Where what projects store lies, and how large one object may be; without it there is no storage service. */
  storage?: StorageOptions | undefined
  /** Edge functions; without it there are none. */
  functions?: FunctionOptions | undefined
  /** Which projects have a port of their own; without it none has. */
  listeners?: ListenerSource | undefined
  /** Whose webhooks are enabled; without it none are sent. */
  webhooks?: WebhookOptions | undefined
  /** Takes over when opaque keys were shown last; without it nobody notes that. */
  keepKeyUses?: ((uses: KeyUse[]) => Promise<void>) | undefined
  /** Takes over how much the services were asked; without it nobody counts. */
  keepCounts?: ((counts: RequestCount[]) => Promise<void>) | undefined
  log: Log
  /** For tests: the mail servers and sign-in providers that projects name may be on this machine. */
  reachesLoopback?: boolean | undefined
  /** Milliseconds that a request waits for a project which is just being started. */
  patienceMs?: number
  /** Milliseconds without a request after which a project's connections are closed. */
  idleMs?: number
  /** For tests: other than the usual waits of the realtime service. */
  realtimeTiming?: Partial<Timing> | undefined
  /** Where processes that serve the same projects tell each other what happens; by the projects' databases unless given. */
  natsUrl?: string | undefined
  /** Bytes of WAL that a server may keep for the realtime service; 256 MB unless told. */
  slotMostLag?: number | undefined
}

/** What people reach by a link or a redirect, where no key can travel along. */
const keylessAuth =
  /^\/(?:verify|authorize|callback|health|sso\/saml\/(?:acs|metadata)|oauth\/(?:authorize|token|userinfo|clients\/register)|\.well-known\/[\w.-]+)(?:[?/]|$)/

/**
 * What of the auth service goes on while an organization is restricted: asking, and getting or giving back the tokens
 * without which signed-in users could not read. Links that confirm, change or make a user do not.
 */
function readsAuth(method: string, path: string): boolean {
  if (method === 'POST') return /^\/(?:token|logout)(?:[?/]|$)/.test(path)
  const asks = method === 'GET' || method === 'HEAD'
  return asks && !/^\/(?:verify|authorize|callback)(?:[?/]|$)/.test(path)
}

/** An answer that ends while the server closes leaves a connection that is kept: without this it would be waited for. */
function endIdleConnections({ server }: FastifyInstance): void {
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  server.once('close', () => clearInterval(timer))
}

/** The services of all projects, one process for any number of them. Closing it closes every connection. */
export function createDataPlane(options: Options): FastifyInstance {
  const { directory, log, idleMs = 300_000, patienceMs = 0, internalToken } = options
  const listeners = createListeners(options.listeners, log)
  const rewriteUrl = listeners.rewriting(withBarePgMeta(hostRewriter(options.projectUrl)))
  const logger: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestId,
    trustProxy: options.trustedProxies ?? [],
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
  const budgets = createBudgets()
  const projects = createProjects({ directory, log, idleMs, budgets })
  app.addHook('onClose', () => projects.close())
  app.addHook('onListen', () => listeners.serve(app))
  app.addHook('preClose', () => listeners.close())
  app.addHook('preClose', async () => endIdleConnections(app))
  addCommonHeaders(app)

  async function open(ref: string): Promise<OpenProject | undefined> {
    try {
      return await openSoon({ projects, directory, ref, patienceMs })
    } catch (error) {
      if (error instanceof ProjectUnavailableError) throw new UnavailableError(error.message)
      log.error({ err: error, ref }, 'A project could not be looked up')
      throw new UnavailableError('Project cannot be reached at the moment')
    }
  }
  const { keepKeyUses } = options
  const keyUses = keepKeyUses && createKeyUses({ send: keepKeyUses, log })
  app.addHook('onClose', () => keyUses?.close())
  const { reachesLoopback = false } = options
  const fetch = createSafeFetch({ allowLoopback: reachesLoopback })
  const issuers = createSafeFetch({ allowLoopback: reachesLoopback, timeoutMs: 5000 })
  const thirdParty = createThirdPartyTokens({ fetch: issuers, log })
  const gateway = createGateway({ open, onKeyUse: keyUses?.note, thirdParty })
  const { keepCounts } = options
  const counts = keepCounts && createRequestCounts({ send: keepCounts, log })
  app.addHook('onClose', () => counts?.close())

  function identityOf(request: FastifyRequest) {
    try {
      return gateway.tenantOf(request).identity()
    } catch (error) {
      if (error instanceof TokenError) throw badToken(error.code, error.message, error.details)
      throw error
    }
  }

  const rests = createRests(log)
  const limited = createLimitedCallers(rests)
  void app.register(
    async (scope) => {
      gateway.guard(scope, { thirdParty: true })
      counts?.watch(scope, 'rest', gateway.admitted)
      scope.addHook('onRequest', (request) => limited.rest(gateway.tenantOf(request), request))
      restRoutes(scope, {
        tenantOf: (request) => {
          const { project, target } = gateway.tenantOf(request)
          return { rest: rests.of(project, project.connection.settings), target }
        },
        identityOf,
        anonymousBodyLimit: 1024 * 1024,
      })
    },
    { prefix: '/:ref/rest/v1' },
  )
  const graphql = createGraphqlServices(rests)
  void app.register(
    async (scope) => {
      // Whether a request reads stands in its body, so the service itself refuses what changes something.
      gateway.guard(scope, { reads: () => true, thirdParty: true })
      counts?.watch(scope, 'graphql', gateway.admitted)
      scope.addHook('onRequest', (request) => limited.graphql(gateway.tenantOf(request), request))
      graphqlRoutes(scope, {
        serviceOf: async (request) => {
          const { project, target } = gateway.tenantOf(request)
          return { service: await graphql.of(project, request, () => identityOf(request)), target }
        },
      })
    },
    { prefix: '/:ref/graphql/v1' },
  )
  const { smtpUrl, mailFrom, keepMail } = options
  const auth = createAuth({ log, fetch })
  const tenants = createAuthTenants({ smtpUrl, mailFrom, keepMail, reachesLoopback, log })
  app.addHook('onClose', () => tenants.close())
  void app.register(
    async (scope) => {
      gateway.guard(scope, { open: (path) => keylessAuth.test(path), reads: readsAuth })
      // Who only looks whether the service is there makes no use of it.
      counts?.watch(scope, 'auth', (request) =>
        /\/auth\/v1\/health(?:\?|$)/.test(request.url) ? undefined : gateway.admitted(request),
      )
      await scope.register(authRoutes, {
        auth,
        tenantOf: async (request) => tenants.of(gateway.tenantOf(request).project),
        keyRoleOf: (request) => gateway.tenantOf(request).opaqueRole(),
      })
    },
    { prefix: '/:ref/auth/v1' },
  )

  const ownStorageOf =
    options.storage && mountStorage(app, { ...options.storage, gateway, counts, log })
  const isOurs = ({ headers: { authorization = '' } }: FastifyRequest) =>
    sameSecret(authorization, `Bearer ${internalToken}`)
  const timing = options.realtimeTiming
  realtimeRoutes(app, { ...options, gateway, open, rewriteUrl, timing, isOurs })
  if (options.functions) {
    const { functions } = options
    const parts = { gateway, directory, isOurs, rewrite: rewriteUrl, counts, log }
    mountFunctions(app, { ...functions, ...parts })
  }
  if (options.webhooks) mountWebhooks(app, { ...options.webhooks, projects, reachesLoopback, log })
  const spool = createImportSpool(options.imports.folder)
  const imports = { ...options.imports, spool, secret: internalToken }
  void app.register(
    async (scope) => {
      scope.options('/:import', answerPreflight)
      await scope.register(importUploadRoutes, { ...imports, open, answerOf })
    },
    { prefix: '/:ref/import/v1' },
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => {
        if (isBare(request)) return admitBare(request, open)
        if (!isOurs(request)) throw new ApiError('not_signed_in')
      })
      // A project that cannot be opened is told about by `connectionOf`, a moment later.
      const isRestricted = async (ref: string) =>
        (await projects.open(ref).catch(() => undefined))?.connection.restricted ?? false
      pgMetaRoutes(scope, { connectionOf, budgets, isRestricted, advisorFactsOf, imports, log })
    },
    { prefix: '/internal/pg-meta' },
  )

  /** As the data API has them now, since the database itself says it. */
  async function exposedBy(project: OpenProject): Promise<readonly string[]> {
    const rest = rests.of(project, project.connection.settings)
    await rest.cache.current()
    return rest.settings.exposedSchemas
  }

  /** What the advisors judge that does not stand in the database. */
  async function advisorFactsOf(ref: string) {
    const project = await projects.open(ref)
    const exposedSchemas = project && (await exposedBy(project))
    const config = project && tenants.of(project).config
    const auth = config && {
      ...config,
      leakedPasswordsRefused: config.leakedPasswords !== undefined,
    }
    return { exposedSchemas: exposedSchemas ?? [], auth }
  }

  /** For calls of our own programs; undefined when there is no such project. */
  const openForOwn = (ref: string) =>
    projects.open(ref).catch((error: unknown) => {
      if (!(error instanceof ProjectUnavailableError)) throw error
      throw new ApiError('project_unreachable', error.message)
    })

  /** The customer's role is entered through a login of ours, so it works whatever password it has. */
  async function connectionOf(ref: string, login: 'postgres' | 'plinth_read_only') {
    const project = await openForOwn(ref)
    if (!project) return undefined
    const { database } = project.connection
    const owner = login === 'postgres' && !project.connection.restricted
    const user = owner ? 'plinth_sql' : 'plinth_read_only'
    return { ...serverOf(database), user, password: database.servicePassword }
  }

  internalRoutes(app, { isOurs, listeners, open, openForOwn, auth, tenants, graphql, ownStorageOf })

  app.get('/health', async () => ({ status: 'ok', projects: projects.openCount }))
  app.setNotFoundHandler((request, reply) => {
    if (/^\/(?:[a-z]{20}|default)\/rest\/v1(?:[/?]|$)/.test(request.url))
      return sendBadMethod(request, reply)
    return reply
      .status(404)
      .send({ code: 'not_found', message: 'There is nothing at this address' })
  })
  return app
}
