import { randomUUID } from 'node:crypto'
import type { Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { userJson } from './user-json.ts'
import { emptyUser, type UserRow } from './user-row.ts'
import { insertUser, type UserChanges } from './users-store.ts'

/**
 * Adds a user after asking the tenant's hook, which may refuse; undefined when somebody else has the address or, as
 * `unique` says, the number. Every way in which people make an account goes through here.
 */
export async function createUser(
  tx: Db,
  caller: Caller,
  values: UserChanges,
  at: Date,
  {
    unique = 'email',
    columns = {},
  }: { unique?: 'email' | 'phone'; columns?: Partial<UserRow> } = {},
): Promise<UserRow | undefined> {
  const id = randomUUID()
  if (caller.tenant.config.hooks.BEFORE_USER_CREATED) {
    const row = { ...emptyUser, ...values, ...columns, id, created_at: at, updated_at: at }
    const payload = { user: { ...userJson(row, [], []) } }
    await caller.hooks(caller, 'BEFORE_USER_CREATED', payload, tx)
  }
  return insertUser(tx, id, values, at, unique)
}
