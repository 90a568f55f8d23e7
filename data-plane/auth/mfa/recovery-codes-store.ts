import { one, type Db } from '../store.ts'

/** The recovery codes of one user. */
export type CodeSetRow = {
  id: string
  /** What the hashes are made with; sealed. */
  sealed_key: string
  remaining: number
  created_at: Date
  last_used_at: Date | null
}

export function codeSetOf(db: Db, userId: string): Promise<CodeSetRow | undefined> {
  return one(
    db,
    `select id, sealed_key, cardinality(code_hashes) as remaining, created_at, last_used_at
       from auth.mfa_recovery_codes where user_id = $1`,
    [userId],
  )
}

/** Puts new codes in the place of all older ones. The set stays the same one: sessions are raised by it. */
export async function saveCodeSet(
  db: Db,
  set: { id: string; userId: string; sealedKey: string; hashes: readonly string[] },
  at: Date,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into auth.mfa_recovery_codes (id, user_id, sealed_key, code_hashes, created_at)
     values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update set sealed_key = excluded.sealed_key, code_hashes = excluded.code_hashes,
       created_at = excluded.created_at, last_used_at = null
     returning id`,
    [set.id, set.userId, set.sealedKey, set.hashes, at],
  )
  return rows[0]?.id ?? set.id
}

/** Uses one code up, for whoever comes first, and says how many are left; undefined for one that is not there. */
export async function useCode(
  db: Db,
  id: string,
  hash: string,
  at: Date,
): Promise<number | undefined> {
  const row = await one<{ remaining: number }>(
    db,
    `update auth.mfa_recovery_codes set code_hashes = array_remove(code_hashes, $2), last_used_at = $3
      where id = $1 and $2 = any (code_hashes) returning cardinality(code_hashes) as remaining`,
    [id, hash, at],
  )
  return row?.remaining
}

/** Removes the codes of a user who has no verified factor any more; the id of the set that is gone. */
export async function deleteCodesOfUnguarded(db: Db, userId: string): Promise<string | undefined> {
  const row = await one<{ id: string }>(
    db,
    `delete from auth.mfa_recovery_codes where user_id = $1 and not exists (
       select from auth.mfa_factors where user_id = $1 and status = 'verified'
     ) returning id`,
    [userId],
  )
  return row?.id
}
