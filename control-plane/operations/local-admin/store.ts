import type { Insertable } from 'kysely'
import { localAdministrator } from '#contract/operations/local-admin'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type Person = { user_id: string; primary_email: string }
export type LocalAdminStore = ReturnType<typeof localAdminStore>

export const localAdminStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** An organization that the local administrator owns, held until `tx` ends. */
  lockOwn: (tx: Tx, slug: string): Promise<{ id: string; name: string } | undefined> =>
    tx
      .selectFrom('platform.organizations as organization')
      .innerJoin('platform.members as member', 'member.organization_id', 'organization.id')
      .select(['organization.id', 'organization.name'])
      .where('organization.slug', '=', slug)
      .where('member.user_id', '=', localAdministrator.userId)
      .where('member.role', '=', 'Owner')
      .forUpdate('organization')
      .executeTakeFirst(),

  /** Leaves who is there. */
  async addProfile(row: Insertable<Tables['platform.profiles']>): Promise<void> {
    await db
      .insertInto('platform.profiles')
      .values(row)
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
  },

  /** Everybody with this address: single sign-on can make a second account of it. */
  withEmail: (email: string): Promise<Person[]> =>
    db
      .selectFrom('platform.profiles')
      .select(['user_id', 'primary_email'])
      .where('primary_email', '=', email)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute(),

  firstOwnerOf: (slug: string): Promise<Person | undefined> =>
    db
      .selectFrom('platform.members as member')
      .innerJoin('platform.organizations as organization', 'organization.id', 'organization_id')
      .innerJoin('platform.profiles as profile', 'profile.user_id', 'member.user_id')
      .select(['profile.user_id', 'profile.primary_email'])
      .where('organization.slug', '=', slug)
      .where('member.role', '=', 'Owner')
      .orderBy('profile.id')
      .executeTakeFirst(),
})
