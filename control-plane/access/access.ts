import { allows, type Action, type Need, type Permission } from '#contract/permissions'
import { roleGrants } from '#contract/roles'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { AccessStore, Membership } from './store.ts'

/** What the auth service says of a bearer token. Undefined: it is not one of ours, has expired, or its session ended. */
export type VerifiedToken = {
  userId: string
  email: string
  sessionId: string
  /** aal2: a second factor was shown in this session. */
  aal: 'aal1' | 'aal2'
}

type Deps = {
  store: AccessStore
  verifyToken: (token: string) => Promise<VerifiedToken | undefined>
}

/** The permission rows of one membership, made from the role's grants. */
export function rowsOf(membership: Membership): Permission[] {
  return roleGrants[membership.role].map((grant) => ({
    actions: [...grant.actions],
    resources: [...grant.resources],
    condition: grant.condition ?? null,
    restrictive: grant.restrictive ?? false,
    organization_id: Number(membership.organizationId),
    organization_slug: membership.organizationSlug,
    project_ids: [],
    project_refs: [],
  }))
}

/** Who a request comes from and what they may do. */
export function createAccess({ store, verifyToken }: Deps) {
  const membershipFor = async (
    userId: string,
    need: Exclude<Need, string>,
    input: Record<string, unknown>,
  ) => {
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

  const callerFor = (token: VerifiedToken): Caller => ({
    ...token,
    async authorize(need, input) {
      const membership = await membershipFor(token.userId, need, input)
      const target = {
        organizationSlug: membership.organizationSlug,
        projectRef: need.in === 'project' ? String(input['ref']) : undefined,
      }
      // What belongs to one person is held to its owner by the feature that has it; here the best case is asked.
      const own = { subject: { id: token.userId }, resource: { owner_id: token.userId } }
      if (!allows(rowsOf(membership), need.action, need.resource, target, own)) {
        throw new ApiError('not_allowed')
      }
    },
  })

  return {
    /** Undefined without an Authorization header; throws not_signed_in for one that does not hold. */
    async callerOf(request: {
      headers: { authorization?: string | undefined }
    }): Promise<Caller | undefined> {
      const { authorization } = request.headers
      if (!authorization) return undefined
      const token = /^Bearer (\S+)$/i.exec(authorization)?.[1]
      const verified = token ? await verifyToken(token) : undefined
      if (!verified) throw new ApiError('not_signed_in')
      return callerFor(verified)
    },

    /** Whether this user may do it to the project; for what depends on a finer right than the endpoint's own. */
    async can(userId: string, ref: string, action: Action, resource: string): Promise<boolean> {
      const membership = await store.ofProject(userId, ref)
      if (!membership) return false
      return allows(rowsOf(membership), action, resource, {
        organizationSlug: membership.organizationSlug,
        projectRef: ref,
      })
    },

    permissions: async (userId: string) => (await store.all(userId)).flatMap(rowsOf),
  }
}
export type Access = ReturnType<typeof createAccess>
