import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { factorsOf } from '../mfa/factors-store.ts'
import { metadataOf, type Metadata } from './metadata.ts'
import type { Mfa } from '../mfa/mfa.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import { inTransaction } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { deleteUser, userById } from './users-store.ts'

/** What members of a project do to its users beyond what the service key's protocol knows. */
export function createUserChanges({ now }: Pick<AuthDeps, 'now'>, mfa: Mfa) {
  return {
    /** Deletes those who are there, all or none; answers how many they were. */
    async removeMany({ tenant, ip }: Caller, ids: readonly string[]): Promise<number> {
      return inTransaction(tenant.pool, async (tx) => {
        const at = now()
        let deleted = 0
        // In one order everywhere, so that two who delete the same do not wait for each other forever.
        for (const id of [...new Set(ids.map((one) => one.toLowerCase()))].toSorted()) {
          const user = await userById(tx, id, { lock: true })
          if (!user) continue
          await deleteUser(tx, id)
          const traits = { user_id: id, user_email: user.email ?? '' }
          await audit(tx, { action: 'user_deleted', actor: undefined, ip, traits }, at)
          deleted += 1
        }
        return deleted
      })
    },

    /** Ends one session of a user or all; answers how many that were. */
    async endSessions({ tenant, ip }: Caller, id: string, only?: string): Promise<number> {
      return inTransaction(tenant.pool, async (tx) => {
        if (!(await userById(tx, id, { lock: true }))) throw new AuthError('user_not_found')
        const ended = await deleteSessions(tx, id, only === undefined ? { all: true } : { only })
        if (ended.length > 0) {
          const traits = { user_id: id, scope: only === undefined ? 'global' : 'local' }
          await audit(tx, { action: 'logout', actor: undefined, ip, traits }, now())
        }
        return ended.length
      })
    },

    async removeFactors(caller: Caller, id: string): Promise<number> {
      const { pool } = caller.tenant
      if (!(await userById(pool, id))) throw new AuthError('user_not_found')
      const factors = await factorsOf(pool, [id])
      for (const factor of factors) await mfa.removeFor(caller, id, factor.id)
      return factors.length
    },

    /** The changes that make a user's metadata exactly what is desired: what is not in it is taken out. */
    async metadataChanges(
      { tenant }: Caller,
      id: string,
      desired: { user?: Metadata | undefined; app?: Metadata | undefined },
    ): Promise<{ user_metadata?: Metadata; app_metadata?: Metadata }> {
      const user = await userById(tenant.pool, id)
      if (!user) throw new AuthError('user_not_found')
      return {
        ...(desired.user && { user_metadata: replacing(user.raw_user_meta_data, desired.user) }),
        ...(desired.app && { app_metadata: replacing(user.raw_app_meta_data, desired.app) }),
      }
    },
  }
}

function replacing(old: unknown, desired: Metadata): Metadata {
  const gone = Object.keys(metadataOf(old)).filter((key) => !Object.hasOwn(desired, key))
  return Object.fromEntries([
    ...gone.map((key) => [key, null] as const),
    ...Object.entries(desired),
  ])
}
