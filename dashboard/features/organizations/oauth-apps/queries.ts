import { api } from '#contract/api'
import { forget, q } from '../../../api/client.ts'

export const publishedQuery = (slug: string) =>
  q(api.oauthApps.published, { slug, type: 'published' })
export const authorizedQuery = (slug: string) =>
  q(api.oauthApps.published, { slug, type: 'authorized' })
export const ownQuery = q(api.oauthApps.own, {})

/** After any change: an app that is gone is gone from what it was let into, too. */
export const forgetApps = () => forget(api.oauthApps.published, api.oauthApps.own)
