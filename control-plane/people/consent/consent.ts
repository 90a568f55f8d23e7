import type { ConsentDecision } from '#contract/people/consent'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import { categoriesWith } from './categories.ts'
import type { ConsentStore } from './store.ts'

const services = new Map(
  categoriesWith([]).flatMap(({ services: all, isEssential }) =>
    all.map(({ id }) => [id, isEssential] as const),
  ),
)

/** What people said to the uses of their data (requirements §4, "Consent"). */
export function createConsent(store: ConsentStore, record: RecordChange) {
  return {
    categories: () => ({ categories: categoriesWith([]) }),

    async get({ userId }: Caller) {
      const row = await store.find(userId)
      return {
        decided_at: row?.decided_at.toISOString() ?? null,
        categories: categoriesWith(row?.granted ?? []),
      }
    },

    async decide(caller: Caller, decisions: ConsentDecision[], origin: Origin) {
      for (const { id, status } of decisions) {
        const isEssential = services.get(id)
        if (isEssential === undefined) {
          throw new ApiError('invalid_input', `decisions: there is no service ${id}`)
        }
        if (isEssential && !status) {
          throw new ApiError('invalid_input', `decisions: ${id} cannot be switched off`)
        }
      }
      // Named twice, the last word counts.
      const decided = new Map(decisions.map(({ id, status }) => [id, status]))
      const granted = [...decided].filter(([, status]) => status).map(([id]) => id)
      const row = await store.transaction(async (tx) => {
        await record(tx, {
          organizationId: null,
          actor: { userId: caller.userId, email: caller.email },
          action: 'consent.decide',
          target: `profile:${caller.userId}`,
          change: { granted },
          origin,
        })
        return store.put(tx, caller.userId, granted)
      })
      return { decided_at: row.decided_at.toISOString(), categories: categoriesWith(row.granted) }
    },

    /** Whether a person said yes to a service. */
    async grants(userId: string, service: string): Promise<boolean> {
      return (await store.find(userId))?.granted.includes(service) ?? false
    },
  }
}
export type Consent = ReturnType<typeof createConsent>
