import { deleteProviderIdentities } from '../users/identity-store.ts'
import { metadataOf } from '../users/metadata.ts'
import type { Db } from '../store.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser } from '../users/users-store.ts'

/**
 * The account of an address that nobody has proven to own, for whoever shows that they do in another way than by the
 * mail of a sign-in at a provider: who signed in there may be somebody else, and must not get in with them.
 */
export async function withoutProviders(tx: Db, user: UserRow, at: Date): Promise<UserRow> {
  if (user.email_confirmed_at) return user
  if (!(await deleteProviderIdentities(tx, user.id))) return user
  const byMail = { provider: 'email', providers: ['email'] }
  const app = { ...metadataOf(user.raw_app_meta_data), ...byMail }
  return (await updateUser(tx, user.id, { raw_app_meta_data: app }, at)) ?? user
}
