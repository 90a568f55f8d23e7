import { oauthApps } from '#contract/organizations/oauth-apps'
import { q } from '../../../api/client.ts'

export const publishedQuery = (slug: string) => q(oauthApps.published, { slug, type: 'published' })
export const authorizedQuery = (slug: string) =>
  q(oauthApps.published, { slug, type: 'authorized' })
export const ownQuery = q(oauthApps.own, {})

/** After any change: an app that is gone is gone from what it was let into, too. */
export const ofApps = [oauthApps.published, oauthApps.own]
