import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type AppRow = Selectable<Tables['platform.oauth_apps']>
export type ListedApp = AppRow & {
  created_by_email: string | null
  authorized_at: Date | null
  authorized_by_email: string | null
}
export type OAuthAppStore = ReturnType<typeof oauthAppStore>

type NewApp = Insertable<Tables['platform.oauth_apps']>
type AppChange = Updateable<
  Pick<
    Tables['platform.oauth_apps'],
    | 'name'
    | 'website'
    | 'icon'
    | 'redirect_uris'
    | 'scopes'
    | 'client_secret_hash'
    | 'client_secret_alias'
  >
>

/** Apps and the authorizations that organizations and persons see of them. */
export function oauthAppStore(db: Db) {
  const apps = () =>
    db
      .selectFrom('platform.oauth_apps as app')
      .leftJoin('platform.profiles as creator', 'creator.user_id', 'app.created_by')
      .selectAll('app')
      .select('creator.primary_email as created_by_email')

  const grants = () =>
    db
      .selectFrom('platform.oauth_grants as grant')
      .innerJoin('platform.oauth_apps as app', 'app.id', 'grant.app_id')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'grant.organization_id',
      )

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** Locked against its removal, so that nothing is added to an organization that is going. */
    organizationId: async (tx: Tx, slug: string): Promise<string | undefined> =>
      (
        await tx
          .selectFrom('platform.organizations')
          .select('id')
          .where('slug', '=', slug)
          .forKeyShare()
          .executeTakeFirst()
      )?.id,

    published: async (slug: string): Promise<ListedApp[]> =>
      (
        await apps()
          .innerJoin(
            'platform.organizations as organization',
            'organization.id',
            'app.organization_id',
          )
          .where('organization.slug', '=', slug)
          .orderBy('app.created_at', 'desc')
          .orderBy('app.id')
          .execute()
      ).map((row) => ({ ...row, authorized_at: null, authorized_by_email: null })),

    /** One line an app; who let it in last stands for all who did. */
    authorized: (slug: string): Promise<ListedApp[]> =>
      grants()
        .innerJoin('platform.profiles as person', 'person.user_id', 'grant.user_id')
        .leftJoin('platform.profiles as creator', 'creator.user_id', 'app.created_by')
        .distinctOn('app.id')
        .selectAll('app')
        .select([
          'grant.scopes as scopes',
          'grant.authorized_at as authorized_at',
          'person.primary_email as authorized_by_email',
          'creator.primary_email as created_by_email',
        ])
        .where('organization.slug', '=', slug)
        .orderBy('app.id')
        .orderBy('grant.authorized_at', 'desc')
        .execute(),

    own: (userId: string) =>
      grants()
        .select([
          'grant.id',
          'grant.organization_id',
          'grant.scopes',
          'grant.authorized_at',
          'app.id as app_id',
          'app.name as app_name',
          'app.website',
          'app.icon',
          'organization.slug',
          'organization.name as organization_name',
        ])
        .where('grant.user_id', '=', userId)
        .orderBy('grant.authorized_at', 'desc')
        .execute(),

    count: async (tx: Tx, organizationId: string): Promise<number> =>
      Number(
        (
          await tx
            .selectFrom('platform.oauth_apps')
            .select((e) => e.fn.countAll<string>().as('count'))
            .where('organization_id', '=', organizationId)
            .executeTakeFirstOrThrow()
        ).count,
      ),

    insert: (tx: Tx, app: NewApp): Promise<AppRow> =>
      tx.insertInto('platform.oauth_apps').values(app).returningAll().executeTakeFirstOrThrow(),

    /** Undefined when the organization of this slug has published no such app. */
    lock: (tx: Tx, slug: string, id: string): Promise<AppRow | undefined> =>
      tx
        .selectFrom('platform.oauth_apps as app')
        .selectAll('app')
        .where('app.id', '=', id)
        .where('app.organization_id', '=', (e) =>
          e.selectFrom('platform.organizations').select('id').where('slug', '=', slug),
        )
        .forUpdate()
        .executeTakeFirst(),

    update: (tx: Tx, id: string, change: AppChange): Promise<AppRow> =>
      tx
        .updateTable('platform.oauth_apps')
        .set(change)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('platform.oauth_apps').where('id', '=', id).execute()
    },

    /** Ends what an app may do in an organization, its codes and tokens too. Returns the app's name and how many let it in. */
    async endGrants(tx: Tx, organizationId: string, appId: string) {
      const ended = await tx
        .deleteFrom('platform.oauth_grants')
        .where('organization_id', '=', organizationId)
        .where('app_id', '=', appId)
        .returning(sql<string>`(select name from platform.oauth_apps where id = app_id)`.as('name'))
        .execute()
      return { count: ended.length, name: ended[0]?.name }
    },

    /** True when this person had such an authorization. */
    endGrant: async (tx: Tx, userId: string, id: string): Promise<boolean> =>
      (await tx
        .deleteFrom('platform.oauth_grants')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('id')
        .executeTakeFirst()) !== undefined,

    emailOf: async (userId: string | null): Promise<string | null> =>
      userId === null
        ? null
        : ((
            await db
              .selectFrom('platform.profiles')
              .select('primary_email')
              .where('user_id', '=', userId)
              .executeTakeFirst()
          )?.primary_email ?? null),
  }
}
