import type { OAuthApp } from '#contract/organizations/oauth-apps'
import type { OAuthScope } from '#contract/organizations/oauth-scopes'

/** What the form of an app holds. */
export type AppValues = {
  name: string
  website: string
  icon: string | null
  redirectUris: { uri: string }[]
  scopes: OAuthScope[]
  isPublic: boolean
}

/** Of one that is there, or of one to be published. */
export const valuesOf = (app: OAuthApp | undefined): AppValues => ({
  name: app?.name ?? '',
  website: app?.website ?? '',
  icon: app?.icon ?? null,
  redirectUris: (app?.redirect_uris ?? ['']).map((uri) => ({ uri })),
  // The server keeps only scopes.
  scopes: (app?.scopes ?? []) as OAuthScope[],
  isPublic: app?.client_secret_alias === null,
})
