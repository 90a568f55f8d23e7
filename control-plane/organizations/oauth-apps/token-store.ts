import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type ClientRow = Selectable<Tables['platform.oauth_apps']>
type NewRequest = Insertable<Tables['platform.oauth_requests']>
type NewCode = Insertable<Tables['platform.oauth_codes']>
type NewToken = Insertable<Tables['platform.oauth_tokens']>
export type OAuthTokenStore = ReturnType<typeof oauthTokenStore>

/** Requests, codes and tokens: what the protocol itself keeps. */
export function oauthTokenStore(db: Db) {
  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    client: (clientId: string): Promise<ClientRow | undefined> =>
      db
        .selectFrom('platform.oauth_apps')
        .selectAll()
        .where('client_id', '=', clientId)
        .executeTakeFirst(),

    insertRequest: async (request: NewRequest): Promise<string> =>
      (
        await db
          .insertInto('platform.oauth_requests')
          .values(request)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,

    /** An open request, which from now on this person answers and nobody else; undefined when it is over. */
    claimRequest: (id: string, userId: string, now: Date) =>
      db
        .updateTable('platform.oauth_requests as request')
        .from('platform.oauth_apps as app')
        .innerJoin('platform.organizations as publisher', 'publisher.id', 'app.organization_id')
        .set({ user_id: userId })
        .whereRef('app.id', '=', 'request.app_id')
        .where('request.id', '=', id)
        .where('request.answered_at', 'is', null)
        .where('request.expires_at', '>', now)
        .returning([
          'request.id',
          'request.app_id',
          'request.redirect_uri',
          'request.scopes',
          'request.expires_at',
          'app.client_secret_hash',
          'app.name',
          'app.website',
          'app.icon',
          'publisher.name as publisher',
        ])
        .executeTakeFirst(),

    /** Where a person has let an app in, and what it may do there. */
    grantsOf: (appId: string, userId: string) =>
      db
        .selectFrom('platform.oauth_grants as grant')
        .innerJoin(
          'platform.organizations as organization',
          'organization.id',
          'grant.organization_id',
        )
        .select(['organization.slug', 'grant.scopes'])
        .where('grant.app_id', '=', appId)
        .where('grant.user_id', '=', userId)
        .execute(),

    /** Compare-and-set: only one answer to a request, by the person who opened it last. */
    answerRequest: (tx: Tx, id: string, userId: string, now: Date) =>
      tx
        .updateTable('platform.oauth_requests')
        .set({ answered_at: now })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('answered_at', 'is', null)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),

    appOf: (tx: Tx, id: string): Promise<ClientRow> =>
      tx
        .selectFrom('platform.oauth_apps')
        .selectAll()
        .where('id', '=', id)
        .forKeyShare()
        .executeTakeFirstOrThrow(),

    organizationId: async (tx: Tx, slug: string): Promise<string | undefined> =>
      (
        await tx
          .selectFrom('platform.organizations')
          .select('id')
          .where('slug', '=', slug)
          .forKeyShare()
          .executeTakeFirst()
      )?.id,

    /** A second approval of the same app replaces the scopes of the first. */
    putGrant: async (tx: Tx, grant: Insertable<Tables['platform.oauth_grants']>): Promise<string> =>
      (
        await tx
          .insertInto('platform.oauth_grants')
          .values(grant)
          .onConflict((conflict) =>
            conflict
              .columns(['app_id', 'organization_id', 'user_id'])
              .doUpdateSet({ scopes: grant.scopes, authorized_at: sql`now()` }),
          )
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,

    async insertCode(tx: Tx, code: NewCode): Promise<void> {
      await tx.insertInto('platform.oauth_codes').values(code).execute()
    },

    /** Locked, so that of two who bring it at once the second sees that it was used. */
    lockCode: (tx: Tx, hash: string) =>
      tx
        .selectFrom('platform.oauth_codes as code')
        .innerJoin('platform.oauth_grants as grant', 'grant.id', 'code.grant_id')
        .selectAll('code')
        .select('grant.app_id')
        .where('code.hash', '=', hash)
        .forUpdate('code')
        .executeTakeFirst(),

    async useCode(tx: Tx, hash: string, now: Date): Promise<void> {
      await tx
        .updateTable('platform.oauth_codes')
        .set({ used_at: now })
        .where('hash', '=', hash)
        .execute()
    },

    async insertTokens(tx: Tx, tokens: NewToken[]): Promise<void> {
      await tx.insertInto('platform.oauth_tokens').values(tokens).execute()
    },

    lockToken: (tx: Tx, hash: string) =>
      tx
        .selectFrom('platform.oauth_tokens as token')
        .innerJoin('platform.oauth_grants as grant', 'grant.id', 'token.grant_id')
        .selectAll('token')
        .select('grant.app_id')
        .where('token.hash', '=', hash)
        .forUpdate('token')
        .executeTakeFirst(),

    async useToken(tx: Tx, id: string, now: Date): Promise<void> {
      await tx
        .updateTable('platform.oauth_tokens')
        .set({ used_at: now })
        .where('id', '=', id)
        .execute()
    },

    async endToken(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('platform.oauth_tokens').where('id', '=', id).execute()
    },

    async endFamily(tx: Tx, family: string): Promise<void> {
      await tx.deleteFrom('platform.oauth_tokens').where('family', '=', family).execute()
    },

    /** An access token that holds, with the three sets of scopes that limit it. */
    findAccess: (hash: string, now: Date) =>
      db
        .selectFrom('platform.oauth_tokens as token')
        .innerJoin('platform.oauth_grants as grant', 'grant.id', 'token.grant_id')
        .innerJoin('platform.oauth_apps as app', 'app.id', 'grant.app_id')
        .innerJoin('platform.profiles as person', 'person.user_id', 'grant.user_id')
        .innerJoin(
          'platform.organizations as organization',
          'organization.id',
          'grant.organization_id',
        )
        .select([
          'token.id',
          'token.scopes as token_scopes',
          'grant.scopes as grant_scopes',
          'app.scopes as app_scopes',
          'grant.user_id',
          'person.primary_email as email',
          'organization.slug',
        ])
        .where('token.hash', '=', hash)
        .where('token.kind', '=', 'access')
        .where('token.expires_at', '>', now)
        .executeTakeFirst(),

    /** Removes what expired an hour ago or earlier: until then a code that comes back is told from an unknown one. */
    async prune(now: Date): Promise<void> {
      const before = new Date(now.getTime() - 3_600_000)
      await db.deleteFrom('platform.oauth_requests').where('expires_at', '<', before).execute()
      await db.deleteFrom('platform.oauth_codes').where('expires_at', '<', before).execute()
      await db.deleteFrom('platform.oauth_tokens').where('expires_at', '<', before).execute()
    },
  }
}
