import type { Organization } from '#contract/organizations'
import { planNames, planOfTier, type Tier } from '#contract/plans'
import { roleDescriptions } from '#contract/roles'
import { roleNames } from '#contract/permissions'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { randomSuffix, slugOf } from '#kit/ids'
import type { RecordChange } from '../audit/audit.ts'
import type { OrganizationRow, OrganizationStore } from './store.ts'

type NewOrganization = {
  name: string
  kind: Organization['kind']
  size?: Organization['size'] | undefined
  tier: Tier
}

function shape(row: OrganizationRow): Organization {
  const plan = planOfTier[row.tier]
  return {
    id: Number(row.id),
    slug: row.slug,
    name: row.name,
    // The column holds only what the contract let in.
    kind: row.kind as Organization['kind'],
    size: row.size as Organization['size'],
    billing_email: row.billing_email,
    billing_partner: null,
    plan: { id: plan, name: planNames[plan] },
    is_owner: row.role === 'Owner',
    role: row.role,
    member_count: Number(row.member_count),
    project_count: Number(row.project_count),
    opt_in_tags: [],
    usage_billing_enabled: row.tier === 'tier_payg',
    organization_requires_mfa: false,
    organization_missing_address: false,
    restriction_status: null,
    restriction_data: null,
    stripe_customer_id: null,
    subscription_id: null,
    inserted_at: row.inserted_at.toISOString(),
  }
}

/** Organizations and who is in them. */
export function createOrganizations(store: OrganizationStore, record: RecordChange) {
  async function get(caller: Caller, slug: string): Promise<Organization> {
    const row = await store.find(caller.userId, slug)
    if (!row) throw new ApiError('organization_not_found')
    return shape(row)
  }

  return {
    get,
    list: async (caller: Caller) => (await store.list(caller.userId)).map(shape),

    async create(caller: Caller, input: NewOrganization, origin: Origin): Promise<Organization> {
      if (!(await store.hasProfile(caller.userId))) throw new ApiError('user_profile_not_found')
      // A name of no letters or digits, such as one in another script, still needs an address.
      const base = slugOf(input.name) || 'organization'
      const slug = await store.transaction(async (tx) => {
        const made = await store.insert(tx, {
          slugs: [base, `${base}-${randomSuffix(4)}`, `${base}-${randomSuffix(10)}`],
          name: input.name,
          kind: input.kind,
          size: input.kind === 'COMPANY' ? (input.size ?? null) : null,
          tier: input.tier,
          billing_email: caller.email,
        })
        await store.addMember(tx, made.id, caller.userId, 'Owner')
        await record(tx, {
          organizationId: made.id,
          actor: caller,
          action: 'organizations.create',
          target: `organization:${made.slug}`,
          change: { after: { name: input.name, kind: input.kind, tier: input.tier } },
          origin,
        })
        return made.slug
      })
      return get(caller, slug)
    },

    async update(
      caller: Caller,
      slug: string,
      change: { name?: string | undefined; billing_email?: string | undefined },
      origin: Origin,
    ): Promise<Organization> {
      await store.transaction(async (tx) => {
        const before = await store.lock(tx, slug)
        if (!before) throw new ApiError('organization_not_found')
        await store.update(tx, before.id, {
          name: change.name ?? before.name,
          billing_email: change.billing_email ?? before.billing_email,
        })
        await record(tx, {
          organizationId: before.id,
          actor: caller,
          action: 'organizations.update',
          target: `organization:${slug}`,
          change: {
            before: { name: before.name, billing_email: before.billing_email },
            after: change,
          },
          origin,
        })
      })
      return get(caller, slug)
    },

    async remove(caller: Caller, slug: string, origin: Origin): Promise<Organization> {
      const last = await get(caller, slug)
      await store.transaction(async (tx) => {
        const row = await store.lock(tx, slug)
        if (!row) throw new ApiError('organization_not_found')
        if (await store.hasProjects(tx, row.id)) throw new ApiError('organization_not_empty')
        await record(tx, {
          organizationId: row.id,
          actor: caller,
          action: 'organizations.remove',
          target: `organization:${slug}`,
          change: { before: { name: row.name } },
          origin,
        })
        await store.remove(tx, row.id)
      })
      return last
    },

    members: async (slug: string) =>
      (await store.members(slug)).map((member) => ({
        gotrue_id: member.user_id,
        username: member.username,
        primary_email: member.primary_email,
        mfa_enabled: false,
        is_sso_user: false,
        role_ids: [roleNames.indexOf(member.role) + 1],
        metadata: {},
      })),

    /** Role ids are the places in `roleNames`, counted from 1; the same in every organization. */
    roles: async () => ({
      org_scoped_roles: roleNames.map((name, index) => ({
        id: index + 1,
        name,
        description: roleDescriptions[name],
        base_role_id: index + 1,
        project_ids: null,
      })),
      project_scoped_roles: [],
    }),
  }
}
export type Organizations = ReturnType<typeof createOrganizations>
