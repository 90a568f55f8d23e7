import { claims as api } from '#contract/operations/claims'
import { ApiError } from '#kit/errors'
import { implementOpen } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { LocalAdminStore } from './store.ts'

type Deps = {
  store: Pick<LocalAdminStore, 'transaction' | 'withEmail' | 'lockOwn'>
  record: RecordChange
  /** Makes a person an owner, member or not. */
  makeOwner: (tx: Tx, organizationId: string, userId: string) => Promise<void>
  /** The first one who claims something runs the installation. */
  beFirstOperator: (tx: Tx, userId: string) => Promise<void>
  /** Where this platform is reached. */
  url: string
}

/** Gives people what the local administrator has made; that of others is not the operator's to give. */
export const claimRoutes = ({ store, record, makeOwner, beFirstOperator, url }: Deps) => [
  implementOpen(api.claim, async ({ slug, email }, origin) => {
    const [person, another] = await store.withEmail(email.toLowerCase())
    if (!person) {
      const words = 'No account has this address: sign up with it in the dashboard first'
      throw new ApiError('user_profile_not_found', words)
    }
    if (another) throw new ApiError('invalid_input', 'More than one account has this address')
    return store.transaction(async (tx) => {
      const organization = await store.lockOwn(tx, slug)
      if (!organization) {
        const words = 'The local administrator has no organization of this name'
        throw new ApiError('organization_not_found', words)
      }
      await makeOwner(tx, organization.id, person.user_id)
      await beFirstOperator(tx, person.user_id)
      await record(tx, {
        organizationId: organization.id,
        actor: null,
        action: 'claims.claim',
        target: `member:${person.user_id}`,
        change: { after: { email: person.primary_email, role: 'Owner' } },
        origin,
      })
      return { slug, name: organization.name, email: person.primary_email }
    })
  }),
  implementOpen(api.address, () => Promise.resolve({ url })),
]
