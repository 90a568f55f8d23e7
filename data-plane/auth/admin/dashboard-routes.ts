import { restrictionErrors, type Restriction } from '../../projects/restriction.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authRecords } from '#contract/auth/auth-records'
import { authUsers } from '#contract/auth/auth-users'
import type { Endpoint, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import { readInput } from '#kit/http/http-input'
import type { Auth } from '../auth.ts'
import { createListIndexes } from './list-indexes.ts'
import { overview } from './overview.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import { createUserChanges } from '../users/user-changes.ts'
import { userDetail } from './user-detail.ts'
import { countUsers, userListJson } from './user-list.ts'
import { isUuid } from '#kit/ids'
import { listAuditLines, type AuditPage } from './audit-list-store.ts'
import { answering } from '../request-scope.ts'
import { inTransaction, sqlState } from '../store.ts'
import { limitTime } from './user-list-store.ts'
import type { ErrorCode } from '#contract/errors'
import { OversizeError } from '#kit/postgres/message-watch'
import { AuthError } from '../errors.ts'

const timeoutMs = 20_000

type Asked = Omit<AuditPage, 'after'> & { cursor?: string | undefined }

/** A page of audit entries as JSON text. */
async function auditListJson({ pool }: AuthTenant, asked: Asked): Promise<string> {
  const after = asked.cursor === undefined ? undefined : placeOf(asked.cursor)
  const found = await inTransaction(pool, async (tx) => {
    await limitTime(tx, timeoutMs)
    return listAuditLines(tx, { ...asked, after })
  })
  const lines = found.slice(0, asked.limit)
  const last = lines.at(-1)
  const next = found.length > lines.length && last ? `${last.id} ${last.at}` : null
  const entries = lines.map(({ line }) => line).join(',')
  const since = asked.since.toISOString()
  return `{"entries":[${entries}],"next":${JSON.stringify(next)},"since":${JSON.stringify(since)}}`
}

function placeOf(cursor: string): [at: string, id: string] {
  const [, id, at] = /^([0-9a-f-]{36}) (\d[\d :.+-]{8,40})$/.exec(cursor) ?? []
  if (id === undefined || at === undefined || !isUuid(id) || Number.isNaN(Date.parse(at))) {
    throw new ApiError('invalid_input', 'The cursor belongs to a different list')
  }
  return [at, id]
}

type Options = {
  auth: Auth
  /** Undefined when there is no such project. */
  tenantOf: (
    ref: string,
  ) => Promise<{ tenant: AuthTenant; restriction: Restriction | undefined } | undefined>
}

type Handler = (input: never, caller: Caller, request: FastifyRequest) => Promise<unknown>
type DashboardRoute = { endpoint: Endpoint; handler: Handler }

function route<E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, caller: Caller, request: FastifyRequest) => Promise<unknown>,
): DashboardRoute {
  return { endpoint, handler }
}

const prefix = '/platform/auth'

/**
 * What the dashboard asks of a project's auth service, below the prefix of `app`. It trusts its caller, the control
 * plane, which has checked who may what, and acts as the service itself.
 */
export function dashboardAuthRoutes(app: FastifyInstance, { auth, tenantOf }: Options): void {
  const indexes = createListIndexes(auth.log)
  app.setErrorHandler((error, request, reply) => {
    const { body, retryAfter, status } = dashboardFailure(error, request)
    if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
    return reply.status(status).send({ ...body, requestId: request.id })
  })
  for (const { endpoint, handler } of [...reading(auth), ...changing(auth), ...sending(auth)]) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.slice(prefix.length),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const input = readInput(endpoint, request)
        const found = await tenantOf(String(input['ref']))
        if (!found) throw new ApiError('project_not_found')
        const { tenant, restriction } = found
        const isDelete = endpoint.method === 'DELETE' || endpoint === authUsers.removeMany
        const isAllowed = endpoint.method === 'GET' || (restriction === 'quota' && isDelete)
        if (restriction && !isAllowed) throw new ApiError(restrictionErrors[restriction])
        void indexes.of(tenant)
        const caller = { tenant, ip: ipOf(request), userAgent: '', hooks: auth.hooks }
        // The schema that made `input` is the one its handler's type was read from.
        const answer = await answering(request.id, () => handler(input as never, caller, request))
        void reply.status(endpoint.status).type('application/json; charset=utf-8')
        return typeof answer === 'string' ? reply.send(answer) : reply.send(JSON.stringify(answer))
      },
    })
  }
}

const reading = ({ now }: Auth): DashboardRoute[] => [
  route(authUsers.list, (input, { tenant }) => userListJson(tenant, input)),
  route(authUsers.count, ({ exact, ...filter }, { tenant }) => countUsers(tenant, filter, exact)),
  route(authUsers.get, ({ id }, { tenant }) => userDetail(tenant, id, now())),
  route(authRecords.audit, (input, { tenant }, request) =>
    auditListJson(tenant, { ...input, since: sinceOf(request) }),
  ),
  route(authRecords.overview, ({ days }, { tenant }) => overview(tenant, Number(days))),
]

function changing(auth: Auth): DashboardRoute[] {
  const { admin, mfa } = auth
  const changes = createUserChanges(auth, mfa)
  return [
    route(authUsers.create, async ({ auto_confirm, email, phone, password }, caller) => {
      const confirms = { email_confirm: auto_confirm, phone_confirm: auto_confirm }
      const { id } = await admin.create(caller, {
        ...(email !== undefined && { email, email_confirm: confirms.email_confirm }),
        ...(phone !== undefined && { phone, phone_confirm: confirms.phone_confirm }),
        password,
      })
      return { id }
    }),
    route(authUsers.update, async ({ id, ban_duration, user_metadata, app_metadata }, caller) => {
      const requested = { user: user_metadata, app: app_metadata }
      const metadata = await changes.metadataChanges(caller, id, requested)
      await admin.update(caller, id, { ban_duration, ...metadata })
      return { id }
    }),
    route(authUsers.remove, async ({ id }, caller) => {
      await admin.remove(caller, id, { soft: false })
      return {}
    }),
    route(authUsers.removeMany, async ({ ids }, caller) => ({
      deleted: await changes.removeMany(caller, ids),
    })),
    route(authUsers.removeFactors, async ({ id }, caller) => ({
      removed: await changes.removeFactors(caller, id),
    })),
    route(authUsers.removeFactor, async ({ id, factor }, caller) => {
      await mfa.removeFor(caller, id, factor)
      return {}
    }),
    route(authUsers.endSessions, async ({ id }, caller) => ({
      ended: await changes.endSessions(caller, id),
    })),
    route(authUsers.endSession, async ({ id, session }, caller) => ({
      ended: await changes.endSessions(caller, id, session),
    })),
  ]
}

/** Links and codes lead where the project's Site URL does. Nobody is made by a link to an address that is not known. */
function sending({ links, magicLink, phoneSignIn }: Auth): DashboardRoute[] {
  const unknown = { challenge: undefined, data: undefined }
  return [
    route(authUsers.invite, async ({ email }, caller) => {
      const redirectTo = caller.tenant.config.siteUrl
      const { id } = await links.invite(caller, { email, data: undefined, redirectTo })
      return { id }
    }),
    route(authUsers.magicLink, async ({ email }, caller) => {
      const redirectTo = caller.tenant.config.siteUrl
      await magicLink.signInByMail(caller, { ...unknown, email, redirectTo, createUser: false })
      return {}
    }),
    route(authUsers.recover, async ({ email }, caller) => {
      const redirectTo = caller.tenant.config.siteUrl
      await magicLink.recover(caller, { email, challenge: undefined, redirectTo })
      return {}
    }),
    route(authUsers.otp, async ({ phone }, caller) => {
      const input = { phone, createUser: false, data: undefined, channel: undefined }
      await phoneSignIn.signInByCode(caller, input)
      return {}
    }),
  ]
}

/** Of the person at the dashboard, as the control plane knows it. */
function ipOf(request: FastifyRequest): string {
  const given = request.headers['x-plinth-ip']
  return typeof given === 'string' ? given : ''
}

/** From when on the plan of the organization shows audit entries; the control plane says so. */
function sinceOf(request: FastifyRequest): Date {
  const since = new Date(String(request.headers['x-plinth-audit-since']))
  if (Number.isNaN(since.getTime())) {
    throw new ApiError('invalid_input', 'x-plinth-audit-since must say when entries begin')
  }
  return since
}

type Failure = {
  status: number
  body: { code: string; message: string }
  retryAfter: number | undefined
}

/** Refusals of the auth service in the words of the platform API; what nobody foresaw is logged. */
function dashboardFailure(error: unknown, request: FastifyRequest): Failure {
  const known = refusalOf(error)
  if (!known) request.log.error({ err: error, requestId: request.id }, 'request failed')
  const { status, code, message, retryAfter } = known ?? new ApiError('internal')
  return { status, body: { code, message }, retryAfter }
}

function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (error instanceof AuthError) {
    const code = codeOf(error)
    return code === undefined ? undefined : new ApiError(code, error.message, error.retryAfter)
  }
  if (error instanceof OversizeError) return new ApiError('query_failed', error.message)
  const state = sqlState(error) ?? ''
  if (state === '57014') return new ApiError('query_timeout', tookTooLong)
  if (state.startsWith('22')) return new ApiError('invalid_input')
  if (/^(08|53|57P|28|3D)/.test(state) || networkStates.has(state)) {
    return new ApiError('project_unreachable')
  }
  if (!(error instanceof Error)) return undefined
  if (/Connection terminated|timeout exceeded|not queryable/.test(error.message)) {
    return new ApiError('project_unreachable')
  }
  if (!('statusCode' in error) || Number(error.statusCode) >= 500) return undefined
  return new ApiError(error.statusCode === 413 ? 'body_too_large' : 'invalid_input', error.message)
}

const tookTooLong =
  'This took too long and was stopped. A search for beginnings is quick however many users there are'

const networkStates = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])

function codeOf({ code, status }: AuthError): ErrorCode | undefined {
  if (code === 'user_not_found') return 'auth_user_not_found'
  if (code === 'weak_password') return 'weak_password'
  if (code.endsWith('_exists') || status === 409) return 'conflict'
  if (status === 429) return 'rate_limited'
  if (status === 404) return 'not_found'
  if (status === 503) return 'service_unavailable'
  return status < 500 ? 'invalid_input' : undefined
}
