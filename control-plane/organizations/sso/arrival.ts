import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier } from '#contract/billing/plans'
import type { RoleName } from '#contract/permissions'
import type { RecordChange } from '../audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { SsoStore } from './store.ts'

type Person = { userId: string; providerId: string; email: string }

type Deps = {
  store: SsoStore
  record: RecordChange
  /** Makes the profile of somebody who has none. */
  makeProfile: (
    tx: Tx,
    person: { userId: string; email: string; provider: string },
  ) => Promise<unknown>
  /** Makes a person a member. False: they are one already. */
  join: (
    tx: Tx,
    organizationId: string,
    userId: string,
    assignment: { role: RoleName; projectIds: null },
  ) => Promise<boolean>
}

/**
 * Somebody came through an organization's identity provider: they become a member, with the role set for that. Members
 * have a profile, so who comes for the first time gets it here. After a downgrade to a plan without single sign-on whoever
 * is a member signs in as before, or an organization could lock itself out; nobody else becomes one. Safe to repeat.
 */
export const createArrival =
  ({ store, record, makeProfile, join }: Deps) =>
  async ({ userId, providerId, email }: Person): Promise<void> => {
    await store.transaction(async (tx) => {
      const organization = await store.ofProvider(tx, providerId)
      if (!organization) return
      await makeProfile(tx, { userId, email, provider: `sso:${providerId}` })
      const { id, slug, tier, join_role: role } = organization
      if (!hasFeature(planOfTier[tier], 'security.sso')) return
      if (!(await join(tx, id, userId, { role, projectIds: null }))) return
      await record(tx, {
        organizationId: id,
        actor: { userId, email },
        action: 'sso.join',
        target: `organization:${slug}`,
        change: { after: { role } },
        origin: null,
      })
    })
  }
export type Arrive = ReturnType<typeof createArrival>
