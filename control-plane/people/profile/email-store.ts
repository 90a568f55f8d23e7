import type { ClientBase } from 'pg'

/**
 * Lets the profile follow a new address of its user. Runs in the transaction of the auth service, which keeps the
 * platform's own users in this same database, so the two never differ. Who has no profile yet gets it with the address.
 */
export async function followEmail(
  tx: Pick<ClientBase, 'query'>,
  userId: string,
  email: string,
): Promise<void> {
  await tx.query('update platform.profiles set primary_email = $2 where user_id = $1', [
    userId,
    email,
  ])
}
