import type { Output, Parsed } from '#contract/endpoint'
import {
  oauthAppLimit,
  type OAuthApp,
  type oauthApps as api,
} from '#contract/organizations/oauth-apps'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../audit/audit.ts'
import { aliasOf, hashOf, newClientSecret } from './secrets.ts'
import type { AppRow, ListedApp, OAuthAppStore } from './store.ts'

export const appTarget = (id: string) => `oauth-app:${id}`

type Deps = { store: OAuthAppStore; record: RecordChange }

const shape = (row: ListedApp): OAuthApp => ({
  id: row.id,
  app_id: row.id,
  client_id: row.client_id,
  client_secret_alias: row.client_secret_alias,
  name: row.name,
  website: row.website,
  icon: row.icon,
  redirect_uris: row.redirect_uris,
  scopes: row.scopes,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by_email,
  authorized_at: row.authorized_at?.toISOString() ?? null,
  authorized_by: row.authorized_by_email,
})

/** What of an app goes into the audit log: its picture would only fill it. */
const noted = ({
  name,
  website,
  redirect_uris,
  scopes,
}: Pick<AppRow, 'name' | 'website' | 'redirect_uris' | 'scopes'>) => ({
  name,
  website,
  redirect_uris,
  scopes,
})

/** The apps an organization publishes, and the apps that it and its members have let in. */
export function createOAuthApps({ store, record }: Deps) {
  const asPublished = async (row: AppRow): Promise<OAuthApp> =>
    shape({
      ...row,
      created_by_email: await store.emailOf(row.created_by),
      authorized_at: null,
      authorized_by_email: null,
    })

  return {
    list: async ({ slug, type }: Parsed<typeof api.published>): Promise<OAuthApp[]> =>
      (await (type === 'published' ? store.published(slug) : store.authorized(slug))).map(shape),

    async create(
      caller: Caller,
      { slug, public: isPublic, ...settings }: Parsed<typeof api.create>,
      origin: Origin,
    ): Promise<Output<typeof api.create>> {
      const secret = isPublic ? null : newClientSecret()
      const app = await store.transaction(async (tx) => {
        const organizationId = await store.organizationId(tx, slug)
        if (!organizationId) throw new ApiError('organization_not_found')
        if ((await store.count(tx, organizationId)) >= oauthAppLimit) {
          throw new ApiError('too_many_oauth_apps')
        }
        const made = await store.insert(tx, {
          ...settings,
          organization_id: organizationId,
          client_secret_hash: secret && hashOf(secret),
          client_secret_alias: secret && aliasOf(secret),
          created_by: caller.userId,
        })
        await record(tx, {
          organizationId,
          actor: caller,
          action: 'oauthApps.create',
          target: appTarget(made.id),
          change: { after: { ...noted(settings), public: isPublic } },
          origin,
        })
        return made
      })
      return { ...(await asPublished(app)), client_secret: secret }
    },

    async update(
      caller: Caller,
      { slug, id, ...settings }: Parsed<typeof api.update>,
      origin: Origin,
    ): Promise<OAuthApp> {
      const app = await store.transaction(async (tx) => {
        const before = await store.lock(tx, slug, id)
        if (!before) throw new ApiError('oauth_app_not_found')
        await record(tx, {
          organizationId: before.organization_id,
          actor: caller,
          action: 'oauthApps.update',
          target: appTarget(id),
          change: { before: noted(before), after: noted(settings) },
          origin,
        })
        return store.update(tx, id, settings)
      })
      return asPublished(app)
    },

    async rotateSecret(
      caller: Caller,
      slug: string,
      id: string,
      origin: Origin,
    ): Promise<Output<typeof api.rotateSecret>> {
      const secret = newClientSecret()
      const app = await store.transaction(async (tx) => {
        const before = await store.lock(tx, slug, id)
        if (!before) throw new ApiError('oauth_app_not_found')
        if (before.client_secret_hash === null) throw new ApiError('oauth_app_public')
        await record(tx, {
          organizationId: before.organization_id,
          actor: caller,
          action: 'oauthApps.rotateSecret',
          target: appTarget(id),
          change: {
            name: before.name,
            before: { secret: before.client_secret_alias },
            after: { secret: aliasOf(secret) },
          },
          origin,
        })
        return store.update(tx, id, {
          client_secret_hash: hashOf(secret),
          client_secret_alias: aliasOf(secret),
        })
      })
      return { ...(await asPublished(app)), client_secret: secret }
    },

    async remove(caller: Caller, slug: string, id: string, origin: Origin): Promise<OAuthApp> {
      const app = await store.transaction(async (tx) => {
        const before = await store.lock(tx, slug, id)
        if (!before) throw new ApiError('oauth_app_not_found')
        await record(tx, {
          organizationId: before.organization_id,
          actor: caller,
          action: 'oauthApps.remove',
          target: appTarget(id),
          change: { before: noted(before) },
          origin,
        })
        await store.remove(tx, id)
        return before
      })
      return asPublished(app)
    },

    /** Every member's authorization of an app in this organization ends. */
    revoke: (caller: Caller, slug: string, appId: string, origin: Origin) =>
      store.transaction(async (tx) => {
        const organizationId = await store.organizationId(tx, slug)
        if (!organizationId) throw new ApiError('organization_not_found')
        const { count, name } = await store.endGrants(tx, organizationId, appId)
        if (count === 0) throw new ApiError('oauth_app_not_found')
        await record(tx, {
          organizationId,
          actor: caller,
          action: 'oauthApps.revoke',
          target: appTarget(appId),
          change: { name, before: { authorizations: count }, after: { authorizations: 0 } },
          origin,
        })
        return { revoked: count }
      }),

    own: async (userId: string) => (await store.own(userId)).map(shapeOwn),

    async revokeOwn(caller: Caller, id: string, origin: Origin) {
      const grant = (await store.own(caller.userId)).find((one) => one.id === id)
      if (!grant) throw new ApiError('oauth_app_not_found')
      await store.transaction(async (tx) => {
        if (!(await store.endGrant(tx, caller.userId, id))) {
          throw new ApiError('oauth_app_not_found')
        }
        await record(tx, {
          organizationId: grant.organization_id,
          actor: caller,
          action: 'oauthApps.revokeOwn',
          target: appTarget(grant.app_id),
          change: { name: grant.app_name, before: { scopes: grant.scopes } },
          origin,
        })
      })
      return shapeOwn(grant)
    },
  }
}
export type OAuthApps = ReturnType<typeof createOAuthApps>

const shapeOwn = (grant: Awaited<ReturnType<OAuthAppStore['own']>>[number]) => ({
  id: grant.id,
  app: { name: grant.app_name, website: grant.website, icon: grant.icon },
  organization: { slug: grant.slug, name: grant.organization_name },
  scopes: grant.scopes,
  authorized_at: grant.authorized_at.toISOString(),
})
