import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { grantsOfScopes } from '#contract/organizations/oauth-scopes'
import {
  allows,
  grants,
  type Action,
  type GuardedNeed,
  type Permission,
} from '#contract/permissions'
import { errors } from '#contract/errors'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import { isLocal } from '#kit/network/local-socket'
import type { Tx } from '../platform-database/database.ts'
import { rowsOf } from './rows.ts'
import type { AccessStore, Membership, ProjectMembership } from './store.ts'

/** What the auth service says of a bearer token. Undefined: it is not one of ours, has expired, or its session ended. */
export type VerifiedToken = {
  /** An access token, which stands for the person; without it, a session of theirs. */
  kind?: 'token'
  userId: string
  email: string
  sessionId: string
  /** aal2: a second factor was shown in this session. */
  aal: 'aal1' | 'aal2'
  /** This session has not shown the second factor that its person has: it is only half signed in. */
  secondFactorMissing?: boolean
  /** What the account was made with: `email`, `github`, `sso:<id>` ... */
  provider?: string
  /** Such a token reaches one organization only, and there only what these patterns and the person's own rows allow. */
  limits?: {
    organizationSlug: string
    scopes: readonly string[]
  }
}

export type PersonFacts = {
  /** A second factor is enrolled and verified. */
  mfaEnabled: boolean
  /** Signs in through an organization's single sign-on only. */
  isSsoUser: boolean
}

/** What the auth service knows of people and does to them, as far as the platform asks. */
export type People = {
  /** By user id; who does not exist any more is left out. */
  facts(userIds: readonly string[]): Promise<Map<string, PersonFacts>>
  /** Ends their sessions and deletes the login; the mail address may sign up anew. Safe to repeat. */
  remove(userId: string): Promise<void>
  revokeSessions(userId: string): Promise<void>
}

type Deps = {
  /** Somebody may do to a project what they ask for. */
  onLook: (ref: string) => void
  store: AccessStore
  verifyToken: (token: string) => Promise<VerifiedToken | undefined>
  /** The same for the tokens that people make for their scripts (`sbp_...`). */
  verifyAccessToken: (token: string) => Promise<VerifiedToken | undefined>
  /** As whom a request acts that came through the local socket and shows no token. */
  localAdmin: (headers: IncomingHttpHeaders) => Promise<VerifiedToken>
  people: Pick<People, 'facts'>
}

/** What an app's token is for: an action in its own organization that one of its scopes stands for. */
const within = (
  limits: NonNullable<Caller['limits']>,
  organizationSlug: string,
  action: Action,
  resource: string,
) =>
  limits.organizationSlug === organizationSlug &&
  grantsOfScopes(limits.scopes).some((grant) => grants(grant, action, resource))

/** Who a request comes from and what they may do. */
export function createAccess(deps: Deps) {
  const { store, verifyToken, verifyAccessToken, people } = deps

  const membershipFor = async (
    userId: string,
    need: Exclude<GuardedNeed, 'operator'>,
    input: Record<string, unknown>,
  ): Promise<Membership & Partial<ProjectMembership>> => {
    if (need.in === 'project') {
      const membership = await store.ofProject(userId, String(input['ref']))
      if (!membership) throw new ApiError('project_not_found')
      return membership
    }
    const slug = String(input['slug'] ?? input['organization_slug'])
    const membership = await store.ofOrganization(userId, slug)
    if (!membership) throw new ApiError('organization_not_found')
    return membership
  }

  /**
   * An organization can ask for a second factor (requirements §6): of a session, that it was shown; of an access
   * token, which can show none, that its owner has one.
   */
  const hasFactor = async (token: Pick<Caller, 'userId' | 'aal'> & { kind?: Caller['kind'] }) =>
    token.kind === 'token'
      ? (await people.facts([token.userId])).get(token.userId)?.mfaEnabled === true
      : token.aal === 'aal2'

  const verify = (token: string) =>
    token.startsWith('sbp_') ? verifyAccessToken(token) : verifyToken(token)

  const callerFor = (token: VerifiedToken): Caller => ({
    kind: 'session',
    ...token,
    async authorize(need, input) {
      if (need === 'operator') {
        if (token.limits || !(await store.isOperator(token.userId)))
          throw new ApiError('not_allowed')
        return
      }
      const membership = await membershipFor(token.userId, need, input)
      const { limits } = token
      if (limits && limits.organizationSlug !== membership.organizationSlug) {
        throw new ApiError(need.in === 'project' ? 'project_not_found' : 'organization_not_found')
      }
      if (membership.requiresMfa && !(await hasFactor(token))) {
        const { message } = errors.mfa_required
        throw new ApiError('mfa_required', message, undefined, membership.organizationSlug)
      }
      const target = {
        organizationSlug: membership.organizationSlug,
        projectRef: membership.projectRef,
      }
      // What belongs to one person is held to its owner by the feature that has it; here the best case is asked.
      const own = {
        subject: { id: token.userId },
        resource: { owner_id: token.userId, type: input['type'] ?? null },
      }
      if (
        !allows(rowsOf(membership), need.action, need.resource, target, own) ||
        (limits && !within(limits, membership.organizationSlug, need.action, need.resource))
      ) {
        throw new ApiError('not_allowed')
      }
      if (need.in === 'project') deps.onLook(String(input['ref']))
    },
  })

  return {
    /**
     * Undefined without an Authorization header, unless it comes through the local socket; throws not_signed_in for
     * one that does not hold.
     */
    async callerOf(request: FastifyRequest): Promise<Caller | undefined> {
      const { authorization } = request.headers
      if (!authorization) {
        return isLocal(request) ? callerFor(await deps.localAdmin(request.headers)) : undefined
      }
      const token = /^Bearer (\S+)$/i.exec(authorization)?.[1]
      const verified = token ? await verify(token) : undefined
      if (!verified) throw new ApiError('not_signed_in')
      if (verified.secondFactorMissing) throw new ApiError('second_factor_missing')
      return callerFor(verified)
    },

    /**
     * Whether this caller may do it to the project; for what depends on a finer right than the endpoint's own. `inTrash`: to one
     * that waits there.
     */
    async can(
      { userId, limits }: Pick<Caller, 'userId' | 'limits'>,
      ref: string,
      action: Action,
      resource: string,
      { inTrash = false }: { inTrash?: boolean } = {},
    ): Promise<boolean> {
      const membership = await store.ofProject(userId, ref, inTrash)
      if (!membership) return false
      if (limits && !within(limits, membership.organizationSlug, action, resource)) return false
      return allows(rowsOf(membership), action, resource, {
        organizationSlug: membership.organizationSlug,
        projectRef: membership.projectRef,
      })
    },

    hasFactor,

    /** Whether this person runs the installation. */
    isOperator: (userId: string): Promise<boolean> => store.isOperator(userId),

    permissions: async (userId: string) => (await store.all(userId)).flatMap(rowsOf),

    /** The rows of one person in one organization, as `tx` sees them; empty for who is not in it. */
    async rowsWithin(tx: Tx, userId: string, slug: string): Promise<Permission[]> {
      const membership = await store.ofOrganization(userId, slug, tx)
      return membership ? rowsOf(membership) : []
    },
  }
}
export type Access = ReturnType<typeof createAccess>
