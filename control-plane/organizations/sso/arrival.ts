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
 * have a profile, so who comes for the first time gets it here. Safe to repeat.
 */
export const createArrival =
  ({ store, record, makeProfile, join }: Deps) =>
  async ({ userId, providerId, email }: Person): Promise<void> => {
    await store.transaction(async (tx) => {
      const organization = await store.ofProvider(tx, providerId)
      if (!organization) return
      await makeProfile(tx, { userId, email, provider: `sso:${providerId}` })
      const { id, slug, join_role: role } = organization
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
