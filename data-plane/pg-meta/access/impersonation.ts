import { restrictionErrors } from '../../projects/restriction.ts'
import type { ClientBase, PoolClient } from 'pg'
import { requestSettings, type As } from '#contract/data-api/impersonation'
import { ApiError } from '#kit/errors'
import type { Who } from '../connections.ts'

/**
 * Running as another role, with the claims of a token, as the data API does for a request.
 *
 * What holds: everything still comes from the caller's own login. Postgres lets a login become only a role that it is a
 * member of, and `plinth_read_only` is a member of none of the request roles, so who may only read cannot run as
 * anybody else. What does not hold, and need not: SQL of the caller's own may say `set role postgres` or `reset role`
 * and be the database's owner again, which the caller is anyway. Impersonation shows what a role would see; it is no
 * fence around a text that one does not trust.
 */
export function refuseImpersonation({ login, restriction }: Who): void {
  if (restriction) throw new ApiError(restrictionErrors[restriction])
  if (login === 'plinth_read_only') {
    throw new ApiError('not_allowed', 'Running as another role requires permission to change data')
  }
}

/** The role comes last: what it may not do, the others do not depend on. */
const settingsOf = ({ role, claims }: As): [name: string, value: string][] => [
  // A token always names its role; a claim that says otherwise could never be real.
  ['request.jwt.claims', JSON.stringify({ ...claims, role })],
  ['request.method', requestSettings.method],
  ['request.path', requestSettings.path],
  ['request.headers', JSON.stringify(requestSettings.headers)],
  ['role', role],
]

/**
 * `transaction` for a session that others use afterwards; `session` for one that ends with the work.
 *
 * @throws DatabaseError 22023 when there is no such role, 42501 when the login may not become it
 */
export async function takeRole(
  db: ClientBase,
  as: As,
  until: 'transaction' | 'session',
): Promise<void> {
  const settings = settingsOf(as)
  const calls = settings.map((_, at) => `set_config($${2 * at + 2}, $${2 * at + 3}, $1)`)
  const sql = `select ${calls.join(', ')}`
  await db.query(sql, [until === 'transaction', ...settings.flat()])
}

/** Work that only reads, as another role (as the login where none is named): it cannot write and leaves nothing behind. */
export async function readingAs<T>(
  db: PoolClient,
  who: Who,
  as: As | undefined,
  work: () => Promise<T>,
): Promise<T> {
  refuseImpersonation(who)
  return reading(db, async () => {
    if (as) await takeRole(db, as, 'transaction')
    return work()
  })
}

/** Work that cannot write, whatever SQL it runs. */
export async function reading<T>(db: PoolClient, work: () => Promise<T>): Promise<T> {
  await db.query('begin read only')
  try {
    return await work()
  } finally {
    // A session that cannot even roll back is thrown away by its pool; the first error is the one to tell.
    await db.query('rollback').catch(() => undefined)
  }
}
