import type { Db } from '../store.ts'

export type FactsRow = { id: string; is_sso_user: boolean; mfa: boolean }

/** Of the given users those who exist, and whether they have a verified second factor. */
export async function factsOf(db: Db, userIds: readonly string[]): Promise<FactsRow[]> {
  const { rows } = await db.query<FactsRow>(
    `select id, is_sso_user,
            exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as mfa
       from auth.users u where id = any ($1::uuid[]) and deleted_at is null`,
    [userIds],
  )
  return rows
}
