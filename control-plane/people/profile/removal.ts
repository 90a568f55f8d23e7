import type { Profile } from '#contract/people/profile'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job, JobHandler } from '#kit/jobs'
import type { People } from '../../access/access.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import { shapeProfile } from './profile.ts'
import type { RemovalStore } from './removal-store.ts'
import type { ProfileStore } from './store.ts'

type Deps = {
  profiles: ProfileStore
  store: RemovalStore
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  people: People
}

/** The login lives with the auth service, beyond this transaction: a job ends it, however often it has to try. */
export const accountWorkflows = (people: People): Record<string, JobHandler> => ({
  'account.remove': (job, step) =>
    step('login', () => people.remove(job.subject), { attempts: 12, seconds: 1 }),
})

/** How an account ends. Its profile stays as an empty row for what refers to it. */
export function createAccountRemoval(deps: Deps) {
  const { profiles, store, record, people } = deps

  return {
    soleOwnerships: async (caller: Caller) =>
      (await store.soleOwnerships(caller.userId)).map(({ slug, name }) => ({ slug, name })),

    /** @throws ApiError sole_owner, naming the organizations that nobody else owns; mfa_required without the second factor. */
    async remove(caller: Caller, email: string, origin: Origin): Promise<Profile> {
      const facts = (await people.facts([caller.userId])).get(caller.userId)
      if (facts?.mfaEnabled && caller.aal !== 'aal2') throw new ApiError('mfa_required')
      const { job, last } = await profiles.transaction(async (tx) => {
        const row = await profiles.lock(tx, caller.userId)
        if (!row) throw new ApiError('user_profile_not_found')
        if (email.trim().toLowerCase() !== row.primary_email.toLowerCase())
          throw new ApiError('invalid_input', 'email: must be the address of this account')
        const sole = await store.soleOwnershipsLocked(tx, caller.userId)
        if (sole.length > 0) throw new ApiError('sole_owner', soleOwnerMessage(sole))
        for (const { organization_id: organizationId, role } of await store.leaveAll(
          tx,
          caller.userId,
        )) {
          await record(tx, {
            organizationId,
            actor: caller,
            action: 'profile.remove',
            target: `member:${caller.userId}`,
            change: { before: { role } },
            origin,
          })
        }
        await store.removeBelongings(tx, caller.userId)
        await profiles.update(tx, caller.userId, {
          auth0_id: `deleted|${caller.userId}`,
          username: 'deleted',
          primary_email: '',
          first_name: null,
          last_name: null,
          deleted_at: new Date(),
        })
        await record(tx, {
          organizationId: null,
          actor: caller,
          action: 'profile.remove',
          target: `account:${caller.userId}`,
          change: {},
          origin,
        })
        const accepted = await deps.acceptJob(tx, 'account.remove', caller.userId)
        return { job: accepted, last: row }
      })
      await deps.startJob(job)
      return shapeProfile(last)
    },
  }
}
export type AccountRemoval = ReturnType<typeof createAccountRemoval>

const soleOwnerMessage = (organizations: readonly { name: string }[]): string =>
  `You are the only owner of ${organizations.map(({ name }) => name).join(', ')}. Make somebody else an owner, or delete the organization, first.`
