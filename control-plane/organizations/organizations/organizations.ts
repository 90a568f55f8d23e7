import type { Parsed } from '#contract/endpoint'
import type { Organization, organizations as api } from '#contract/organizations/organizations'
import {
  managedBy,
  partnerIdOf,
  planNames,
  planOfTier,
  usageIsBilled,
  type Tier,
} from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import { randomSuffix, slugOf } from '#kit/ids'
import type { RecordChange } from '../audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { OrganizationRow, OrganizationSettings, OrganizationStore } from './store.ts'

type NewOrganization = {
  name: string
  kind: Organization['kind']
  size?: Organization['size'] | undefined
  tier: Tier
}

type OrganizationChange = Omit<Parsed<typeof api.update>, 'slug'>

function shape(row: OrganizationRow): Organization {
  const plan = planOfTier[row.tier]
  return {
    id: Number(row.id),
    slug: row.slug,
    name: row.name,
    // The column holds only what the contract let in.
    kind: row.kind as Organization['kind'],
    size: row.size as Organization['size'],
    billing_email: row.billing_email ?? 'Unknown',
    billing_partner: row.billing_partner,
    managed_by: managedBy(row.billing_partner),
    partner_id: partnerIdOf(row.slug),
    plan: { id: plan, name: planNames[plan] },
    is_owner: row.role === 'Owner',
    role: row.role,
    member_count: Number(row.member_count),
    project_count: Number(row.project_count),
    opt_in_tags: row.opt_in_tags,
    usage_billing_enabled: usageIsBilled[row.tier],
    organization_requires_mfa: row.requires_mfa,
    organization_missing_address: row.missing_address,
    restriction_status: row.restriction_status,
    restriction_data: row.grace_period_end && {
      grace_period_end: row.grace_period_end.toISOString(),
    },
    restriction_cause: row.restriction_cause,
    exceeds_usage_limits: row.exceeds_quota,
    stripe_customer_id: null,
    subscription_id: null,
    inserted_at: row.inserted_at.toISOString(),
  }
}

type Deps = {
  store: OrganizationStore
  record: RecordChange
  /** Whether something is still to be paid; `tx` sees what nobody can change before its end. */
  owes: (tx: Tx, organizationId: string) => Promise<boolean>
  /** Ends its single sign-on. */
  forgetSignIn: (tx: Tx, organizationId: string) => Promise<void>
  /** Begins its subscription. */
  begin: (tx: Tx, organizationId: string) => Promise<Job | undefined>
  startJob: (job: Job) => Promise<void>
}

/** What of an organization can be changed, as the audit log shows it. */
const noted = (row: OrganizationSettings) => ({
  name: row.name,
  billing_email: row.billing_email,
  kind: row.kind,
  size: row.size,
  opt_in_tags: row.opt_in_tags,
  organization_requires_mfa: row.requires_mfa,
})

/** Organizations: what they are called, what they decide for themselves, and their end. */
export function createOrganizations({ store, record, owes, forgetSignIn, begin, startJob }: Deps) {
  async function get(caller: Caller, slug: string): Promise<Organization> {
    const row = await store.find(caller.userId, slug)
    if (!row) throw new ApiError('organization_not_found')
    return shape(row)
  }

  return {
    get,
    /** All of the caller's; for an app's token the one that it is for. */
    list: async (caller: Caller) =>
      (await store.list(caller.userId))
        .filter(({ slug }) => !caller.limits || caller.limits.organizationSlug === slug)
        .map(shape),

    async create(caller: Caller, input: NewOrganization, origin: Origin): Promise<Organization> {
      if (!(await store.hasProfile(caller.userId))) throw new ApiError('user_profile_not_found')
      // A name of no letters or digits, such as one in another script, still needs an address.
      const base = slugOf(input.name) || 'organization'
      const { slug, job } = await store.transaction(async (tx) => {
        const made = await store.insert(tx, {
          slugs: [base, `${base}-${randomSuffix(4)}`, `${base}-${randomSuffix(10)}`],
          name: input.name,
          kind: input.kind,
          size: input.kind === 'COMPANY' ? (input.size ?? null) : null,
          tier: input.tier,
          billing_email: caller.email,
        })
        await store.addMember(tx, made.id, caller.userId, 'Owner')
        const first = await begin(tx, made.id)
        await record(tx, {
          organizationId: made.id,
          actor: caller,
          action: 'organizations.create',
          target: `organization:${made.slug}`,
          change: { after: { name: input.name, kind: input.kind, tier: input.tier } },
          origin,
        })
        return { slug: made.slug, job: first }
      })
      if (job) await startJob(job)
      return get(caller, slug)
    },

    async update(
      caller: Caller,
      slug: string,
      { organization_requires_mfa: requiresMfa, ...change }: OrganizationChange,
      origin: Origin,
    ): Promise<Organization> {
      await store.transaction(async (tx) => {
        const before = await store.lock(tx, slug)
        if (!before) throw new ApiError('organization_not_found')
        if (
          requiresMfa !== undefined &&
          requiresMfa !== before.requires_mfa &&
          caller.aal !== 'aal2'
        ) {
          throw new ApiError('mfa_required')
        }
        const kind = change.kind ?? before.kind
        const after: OrganizationSettings = {
          name: change.name ?? before.name,
          billing_email: change.billing_email ?? before.billing_email,
          kind,
          size: kind === 'COMPANY' ? (change.size === undefined ? before.size : change.size) : null,
          opt_in_tags: change.opt_in_tags ?? before.opt_in_tags,
          requires_mfa: requiresMfa ?? before.requires_mfa,
        }
        await store.update(tx, before.id, after)
        await record(tx, {
          organizationId: before.id,
          actor: caller,
          action: 'organizations.update',
          target: `organization:${slug}`,
          change: changes(noted(before), noted(after)),
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
        if (await store.hasTrash(tx, row.id))
          throw new ApiError(
            'organization_not_empty',
            "The organization's deleted projects can still be restored. Delete them for good first",
          )
        if (await owes(tx, row.id)) throw new ApiError('organization_owes')
        await record(tx, {
          organizationId: row.id,
          actor: caller,
          action: 'organizations.remove',
          target: `organization:${slug}`,
          change: { before: { name: row.name } },
          origin,
        })
        await forgetSignIn(tx, row.id)
        await store.remove(tx, row.id)
      })
      return last
    },
  }
}
export type Organizations = ReturnType<typeof createOrganizations>

type State = Record<string, unknown>

/** What differs between two states of the same thing, for an audit entry. */
function changes(before: State, after: State): { before: State; after: State } {
  const differs = ([key]: [string, unknown]) =>
    JSON.stringify(before[key]) !== JSON.stringify(after[key])
  return {
    before: Object.fromEntries(Object.entries(before).filter(differs)),
    after: Object.fromEntries(Object.entries(after).filter(differs)),
  }
}
