import type { Insertable } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type Person = { user_id: string; primary_email: string }
export type LocalAdminStore = ReturnType<typeof localAdminStore>

export const localAdminStore = (db: Db) => ({
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
