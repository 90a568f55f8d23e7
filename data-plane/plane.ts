import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '#kit/errors'
import { sameSecret } from '#kit/ids'
import type { Log } from '#kit/log'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { withBarePgMeta } from './gateway/bare-pg-meta.ts'
import { addCommonHeaders, createGateway } from './gateway/gateway.ts'
import { createHostnames } from './gateway/hostnames.ts'
import { hostRewriter } from './gateway/hosts.ts'
import { createHttps } from './gateway/https/https.ts'
import { createKeyUses } from './gateway/key-uses.ts'
import { createListeners } from './gateway/listeners.ts'
import { UnavailableError } from './gateway/problems.ts'
import { createRequestCounts, type RequestCounts } from './gateway/request-counts.ts'
import { createThirdPartyTokens } from './gateway/third-party.ts'
import { createHttpServer, endIdleConnections } from './http-server.ts'
import { createLogs, noLogs, type Logs } from './logs/logs.ts'
import { tellProbes } from './logs/probes.ts'
import { edgeEntry } from './logs/requests.ts'
import type { DataPlaneOptions } from './options.ts'
import type { ConnectionBudgets } from './projects/connection-budget.ts'
import type { Directory } from './projects/directory.ts'
import type { OpenProject } from './projects/open-project.ts'
import { openSoon } from './projects/open-soon.ts'
import {
  createBudgets,
  createProjects,
  ProjectUnavailableError,
  type Projects,
} from './projects/projects.ts'
import { meterThirdParty } from './usage/active-users.ts'
import { watchEgress, type Egress } from './usage/egress.ts'
import { noMeter, type Meter } from './usage/meter.ts'

/**
 * What every service is built on: the server that it answers on, and the projects behind the gateway. A service takes from
 * it what it works with, mounts itself on `app`, and gets by name what another service has to give.
 */
export type Plane = {
  app: FastifyInstance
  /** What the control plane says of projects. */
  directory: Directory
  /** The open ones. */
  projects: Projects
  /** Connections that a project's server still has for us, whichever service asks. */
  budgets: ConnectionBudgets
  /** Waits a moment for a project that is being started. Undefined: unknown. @throws UnavailableError */
  open: (ref: string) => Promise<OpenProject | undefined>
  /** For calls of our own programs; undefined when there is no such project. @throws ApiError project_unreachable */
  openForOwn: (ref: string) => Promise<OpenProject | undefined>
  gateway: ReturnType<typeof createGateway<OpenProject>>
  /** Undefined: nobody takes the counts. */
  counts: RequestCounts | undefined
  /** What projects use, as it is billed. */
  meter: Meter
  egress: Egress
  /** What services say of what happened in a project. */
  logs: Logs
  /** The project in whose logs a request is; undefined for one of no project, and for one that only looks. */
  loggedFor: (request: FastifyRequest) => string | undefined
  /** Whether a request comes from one of our own programs. */
  isOurs: (request: FastifyRequest) => boolean
  /** The hook of addresses that are only for them. @throws ApiError not_signed_in */
  onlyOurs: (request: FastifyRequest) => Promise<void>
  /** The ports of projects that have one of their own. */
  listeners: ReturnType<typeof createListeners>
  /** For who answers before Fastify has rewritten the address: sockets. */
  rewriteUrl: (request: IncomingMessage) => string
  internalToken: string
  /** Addresses that projects name may be on this machine. */
  reachesLoopback: boolean
  log: Log
}

/** The server, before any service is on it. Closing it closes every connection. */
export function createPlane(options: DataPlaneOptions): Plane {
  const { directory, log, internalToken, idleMs = 300_000, openTimeoutMs = 0 } = options
  const { replicaLagMs } = options
  const listeners = createListeners(options.listeners, log)
  const https = options.https && createHttps(options.https, log)
  const hostnames = createHostnames(options.hostnames, log, https?.follow)
  const byHost = hostRewriter(options.projectUrl, hostnames.refOf)
  const atHosts = withBarePgMeta(byHost)
  const rewriteUrl = listeners.rewriting(https ? https.rewriting(atHosts) : atHosts)
  const app = createHttpServer({ rewriteUrl, trustedProxies: options.trustedProxies, log })
  const budgets = createBudgets()
  const limits = replicaLagMs === undefined ? {} : { replicaLagMs }
  const projects = createProjects({ directory, log, idleMs, budgets, limits })
  app.addHook('onClose', () => projects.close())
  app.addHook('onListen', () => listeners.serve(app))
  app.addHook('onReady', () => hostnames.ready())
  app.addHook('onClose', () => hostnames.close())
  app.addHook('preClose', () => listeners.close())
  app.addHook('preClose', async () => endIdleConnections(app))
  addCommonHeaders(app)
  https?.mount(app)

  async function open(ref: string): Promise<OpenProject | undefined> {
    try {
      return await openSoon({ projects, directory, ref, timeoutMs: openTimeoutMs })
    } catch (error) {
      if (error instanceof ProjectUnavailableError) throw new UnavailableError(error.message)
      log.error({ err: error, ref }, 'A project could not be looked up')
      throw new UnavailableError('Project cannot be reached at the moment')
    }
  }
  const openForOwn = (ref: string) =>
    projects.open(ref).catch((error: unknown) => {
      if (!(error instanceof ProjectUnavailableError)) throw error
      throw new ApiError('project_unreachable', error.message)
    })

  const { keepKeyUses, keepCounts, reachesLoopback = false } = options
  const keyUses = keepKeyUses && createKeyUses({ send: keepKeyUses, log })
  app.addHook('onClose', () => keyUses?.close())
  const issuers = createSafeFetch({ allowLoopback: reachesLoopback, timeoutMs: 5000 })
  const thirdParty = createThirdPartyTokens({ fetch: issuers, log })
  const { meter = noMeter } = options
  const onThirdParty = meterThirdParty(meter)
  const gateway = createGateway({ open, onKeyUse: keyUses?.note, thirdParty, onThirdParty })
  const counts = keepCounts && createRequestCounts({ send: keepCounts, log })
  app.addHook('onClose', () => counts?.close())

  const logs = options.logs ? createLogs(options.logs) : noLogs
  const isProbe = tellProbes(app, internalToken)
  const loggedFor = (request: FastifyRequest) =>
    isProbe(request) ? undefined : gateway.projectOf(request)
  const egress = watchEgress(app, {
    meter,
    // What the platform asks by itself nobody has used.
    projectOf: loggedFor,
    everyMs: options.egressEveryMs,
  })
  // When all connections have ended, and with them what they have sent is known.
  app.addHook('onClose', () => meter.close())
  if (options.logs) {
    app.addHook('onResponse', (request, reply, done) => {
      const ref = loggedFor(request)
      if (ref !== undefined) logs.note(ref, 'edge_logs', edgeEntry(request, reply))
      done()
    })
    const { logs: store } = options
    app.addHook('onClose', async () => {
      logs.close()
      await store.close()
    })
  }

  const isOurs = ({ headers: { authorization = '' } }: FastifyRequest) =>
    sameSecret(authorization, `Bearer ${internalToken}`)
  async function onlyOurs(request: FastifyRequest): Promise<void> {
    if (!isOurs(request)) throw new ApiError('not_signed_in')
  }
  return {
    app,
    directory,
    projects,
    budgets,
    open,
    openForOwn,
    gateway,
    counts,
    meter,
    egress,
    logs,
    loggedFor,
    isOurs,
    onlyOurs,
    listeners,
    rewriteUrl,
    internalToken,
    reachesLoopback,
    log,
  }
}
