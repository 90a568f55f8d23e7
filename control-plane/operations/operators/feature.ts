import { operators as api } from '#contract/operations/operators'
import { ApiError } from '#kit/errors'
import { implementOpen, type Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { PlatformBase } from '../../platform.ts'
import { operatorStore, type OperatorPerson, type OperatorStore } from './store.ts'

/** Who runs the installation: they see how it is, its logs and its alerts, and nothing of what is in projects. */
export function operatorsFeature({ db, record }: PlatformBase) {
  const store = operatorStore(db)
  return {
    routes: operatorRoutes({ store, record }),

    /** Whoever comes first to an installation that has no operator runs it. */
    async beFirst(tx: Tx, userId: string): Promise<void> {
      if (!(await store.hasAny(tx))) await store.add(tx, userId)
    },
  }
}

type Deps = { store: OperatorStore; record: RecordChange }

function operatorRoutes({ store, record }: Deps) {
  async function personOf(email: string): Promise<OperatorPerson> {
    const [person, another] = await store.withEmail(email.toLowerCase())
    if (!person) {
      const words = 'No account has this address: sign up with it in the dashboard first'
      throw new ApiError('user_profile_not_found', words)
    }
    if (another) throw new ApiError('invalid_input', 'More than one account has this address')
    return person
  }

  const written = (tx: Tx, action: string, person: OperatorPerson, origin: Origin) =>
    record(tx, {
      organizationId: null,
      actor: null,
      action,
      target: `account:${person.user_id}`,
      change: { email: person.primary_email },
      origin,
    })

  return [
    implementOpen(api.list, async () => ({
      operators: (await store.all()).map(({ email, added_at }) => ({
        email,
        added_at: added_at.toISOString(),
      })),
    })),
    implementOpen(api.add, async ({ email }, origin) => {
      const person = await personOf(email)
      return store.transaction(async (tx) => {
        const { isNew, added_at } = await store.add(tx, person.user_id)
        if (isNew) await written(tx, 'operators.add', person, origin)
        return { email: person.primary_email, added_at: added_at.toISOString() }
      })
    }),
    implementOpen(api.remove, async ({ email }, origin) => {
      const person = await personOf(email)
      return store.transaction(async (tx) => {
        const removed = await store.remove(tx, person.user_id)
        if (removed) await written(tx, 'operators.remove', person, origin)
        return { removed }
      })
    }),
  ]
}
