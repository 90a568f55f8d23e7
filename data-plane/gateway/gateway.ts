import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProjectConnection } from '#contract/internal'
import { addCors, answerPreflight, isPreflight } from './cors.ts'
import { isBrowser } from './browsers.ts'
import {
  bearerOf,
  identityOf,
  isOpaque,
  keyOf,
  opaqueRoleOf,
  type Key,
  type KeyRole,
  type Verify,
} from './keys.ts'
import { keySetOf } from '#kit/jwt-key-set'
import { restrictionOf } from '../projects/restriction.ts'
import { answerOf, RestrictedError, UnknownProjectError } from './problems.ts'
import type { ThirdPartyTokens } from './third-party.ts'
import { createTokens, type Identity } from './tokens.ts'

/** A request's project, as the services behind the gateway see it. */
export type Tenant<P> = {
  project: P
  /** Whose key the request shows. */
  key: Key
  /** Who it runs as; verifies the bearer token at the first call. @throws TokenError */
  identity(): Identity
  /** The role of a key that is no token, when the request runs by that alone. */
  opaqueRole(): KeyRole | undefined
  /** What stands behind the service's prefix, byte for byte: `/books?select=*`. */
  target: string
}

type Options<P> = {
  /** Undefined: unknown. Throws UnavailableError when it cannot be served now. */
  open(ref: string): Promise<P | undefined>
  /** Hears of every opaque key that lets a request in. */
  onKeyUse?: ((ref: string, sha256: string) => void) | undefined
  /** Tokens that are issued outside of projects. */
  thirdParty: ThirdPartyTokens
  /** Hears of everybody whom such a token has named. */
  onThirdParty?: ((ref: string, identity: Identity) => void) | undefined
}
type ServiceOptions = {
  /** Paths below the prefix that a browser visits by link, without a key. */
  open?: (path: string) => boolean
  /** What goes on while the organization is restricted; asking with GET and HEAD unless told. */
  reads?: (method: string, path: string) => boolean
  /** What goes on as well while that is for a quota; asking with DELETE unless told. */
  deletes?: (method: string, path: string) => boolean
  /** It answers browsers that ask first by itself. */
  answersPreflights?: boolean
  /** Whether it takes the tokens of other issuers, when the project does. */
  thirdParty?: boolean
  /** It says by itself what may be had without a key. */
  keyOptional?: boolean
  /** Its own words for a refusal. */
  refusal?: (answer: NonNullable<ReturnType<typeof answerOf>>) => object
}

const asks = (method: string) => method === 'GET' || method === 'HEAD'

const isDelete = (method: string) => method === 'DELETE'

const wellFormedRef = /^(?:[a-z]{20}|default)$/

/**
 * Stands in front of every service of a project: which project, which key, who. The same for all of them, so it is done
 * once: `guard` a service's scope, and its handlers ask `tenantOf(request)`.
 */
export function createGateway<P extends { connection: ProjectConnection }>({
  open,
  onKeyUse,
  thirdParty,
  onThirdParty,
}: Options<P>) {
  const tokens = createTokens()
  const verifyOwn: Verify = (project, token) => tokens.verify(token, keySetOf(project))
  const verifyAny: Verify = (project, token) => {
    const identity = thirdParty.verify(project, token)
    if (!identity) return verifyOwn(project, token)
    onThirdParty?.(project.ref, identity)
    return identity
  }
  const tenants = new WeakMap<FastifyRequest, Tenant<P>>()
  /** Of requests that were not let in. */
  const refused = new WeakMap<FastifyRequest, string>()

  async function admit(request: FastifyRequest, service: ServiceOptions): Promise<void> {
    // Fastify decodes path parameters of every route below /:ref as strings.
    const { ref } = request.params as { ref: string }
    if (!wellFormedRef.test(ref)) throw new UnknownProjectError()
    const project = await open(ref)
    if (!project) throw new UnknownProjectError()
    refused.set(request, ref)
    const target = afterPrefix(request.raw.url ?? '')
    const { authorization } = request.headers
    const key: Key = service.open?.(target)
      ? { role: 'anon', token: undefined }
      : keyOf(
          project.connection,
          {
            apikey: apikeyOf(request, target),
            authorization,
            fromBrowser: isBrowser(request.headers),
            optional: service.keyOptional ?? false,
          },
          verifyOwn,
        )
    if (key.sha256 !== undefined) onKeyUse?.(ref, key.sha256)
    const { reads = asks, deletes = isDelete } = service
    const restriction = restrictionOf(project.connection)
    if (restriction && !reads(request.method, target)) {
      const isAllowed = restriction === 'quota' && deletes(request.method, target)
      if (!isAllowed) throw new RestrictedError(restriction)
    }
    const verify = service.thirdParty ? verifyAny : verifyOwn
    if (service.thirdParty && project.connection.thirdPartyAuth.length > 0) {
      const bearer = bearerOf(authorization)
      if (bearer !== undefined && !isOpaque(bearer))
        await thirdParty.prepare(project.connection, bearer)
    }
    let identity: Identity | undefined
    tenants.set(request, {
      project,
      key,
      identity: () => (identity ??= identityOf(project.connection, key, authorization, verify)),
      opaqueRole: () => opaqueRoleOf(project.connection, key, authorization),
      target,
    })
    refused.delete(request)
  }

  return {
    guard(scope: FastifyInstance, service: ServiceOptions = {}): void {
      scope.addHook('onRequest', async (request, reply) => {
        if (!service.answersPreflights && isPreflight(request))
          return answerPreflight(request, reply)
        try {
          await admit(request, service)
        } catch (error) {
          const answer = answerOf(error)
          if (!answer) throw error
          return reply.status(answer.status).send(service.refusal?.(answer) ?? answer.body)
        }
      })
    },
    /** The project that a request is for, let in or not; undefined where there is none of that name. */
    projectOf: (request: FastifyRequest): string | undefined =>
      tenants.get(request)?.project.connection.ref ?? refused.get(request),
    /** For who counts: whose project a request was let in to, and whether it showed a key. */
    admitted(request: FastifyRequest): { ref: string; keyed: boolean } | undefined {
      const tenant = tenants.get(request)
      const keyed = tenant !== undefined && apikeyOf(request, tenant.target) !== undefined
      return tenant && { ref: tenant.project.connection.ref, keyed }
    },
    /** Whose key somebody shows who is no request of Fastify. @throws KeyError */
    keyShown(connection: ProjectConnection, presented: Parameters<typeof keyOf>[1]): Key {
      const key = keyOf(connection, presented, verifyOwn)
      if (key.sha256 !== undefined) onKeyUse?.(connection.ref, key.sha256)
      return key
    },
    /** The same for who only measures: it is no use of the key. @throws KeyError */
    keyUnnoted: (connection: ProjectConnection, presented: Parameters<typeof keyOf>[1]): Key =>
      keyOf(connection, presented, verifyOwn),
    /** Who a token names, the project's own or one of another issuer. @throws TokenError */
    async namedBy(connection: ProjectConnection, token: string): Promise<Identity> {
      if (connection.thirdPartyAuth.length > 0) await thirdParty.prepare(connection, token)
      return verifyAny(connection, token)
    },
    tenantOf(request: FastifyRequest): Tenant<P> {
      const tenant = tenants.get(request)
      if (!tenant) throw new Error('This route is not behind the gateway')
      return tenant
    },
  }
}

/** Request id and CORS, which every answer carries, whatever became of the request. */
export function addCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    addCors(request, reply)
    done()
  })
}

/** Drops `/{ref}/{service}/v1`. The query is not touched: decoding it twice would break quoted values. */
function afterPrefix(url: string): string {
  let end = 0
  for (let slashes = 0; end < url.length; end++) {
    const char = url[end]
    if (char === '?') break
    if (char === '/' && ++slashes === 4) break
  }
  const rest = url.slice(end)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function apikeyOf(request: FastifyRequest, target: string): string | undefined {
  const header = request.headers['apikey']
  if (typeof header === 'string' && header !== '') return header
  const query = target.indexOf('?')
  if (query < 0 || !target.includes('apikey=', query)) return undefined
  return new URLSearchParams(target.slice(query + 1)).get('apikey') ?? undefined
}
