import { audit } from './audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { factsOf } from './people-store.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import { inTransaction } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import { deleteUser, userById } from '../users/users-store.ts'

export type PersonFacts = { mfaEnabled: boolean; isSsoUser: boolean }

/** What the owner of a tenant asks of its users from inside the program, without a key or a request. */
export function createPeople({ now }: AuthDeps) {
  return {
    /** By user id; a user who does not exist any more is left out. */
    async facts(tenant: AuthTenant, userIds: readonly string[]): Promise<Map<string, PersonFacts>> {
      const rows = userIds.length > 0 ? await factsOf(tenant.pool, userIds) : []
      return new Map(
        rows.map((row) => [row.id, { mfaEnabled: row.mfa, isSsoUser: row.is_sso_user }]),
      )
    },

    /** Ends every session and deletes the user; the address may sign up anew. Done twice it does nothing more. */
    async remove(tenant: AuthTenant, userId: string): Promise<void> {
      await inTransaction(tenant.pool, async (tx) => {
        const actor = await userById(tx, userId, { lock: true })
        if (!actor) return
        // Sessions, tokens, factors and identities go with the row.
        await deleteUser(tx, userId)
        await audit(tx, { action: 'user_deleted', actor, ip: '' }, now())
      })
    },

    async revokeSessions(tenant: AuthTenant, userId: string): Promise<void> {
      await inTransaction(tenant.pool, async (tx) => {
        const actor = await userById(tx, userId, { lock: true })
        if (!actor) return
        await deleteSessions(tx, userId, { all: true })
        await audit(tx, { action: 'logout', actor, ip: '', traits: { scope: 'global' } }, now())
      })
    },
  }
}
