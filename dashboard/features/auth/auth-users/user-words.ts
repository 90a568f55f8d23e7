import type { ListedUser, UserField, UserSort, UserState } from '#contract/auth/auth-users'
import type { StatusTone } from '../../../ui/text/Status.tsx'

export const stateWords: Record<UserState, string> = {
  verified: 'Verified',
  unverified: 'Waiting for confirmation',
  anonymous: 'Anonymous',
  banned: 'Banned',
  sso: 'Single sign-on',
}
export const sortWords: Record<UserSort, string> = {
  created_at: 'Created',
  last_sign_in_at: 'Last sign-in',
  email: 'Email',
  phone: 'Phone',
}
export const fieldWords: Record<UserField, string> = {
  all: 'All fields',
  id: 'User ID',
  email: 'Email',
  phone: 'Phone',
  metadata: 'Metadata',
}

const providerWords: Record<string, string> = {
  email: 'Email',
  phone: 'Phone',
  apple: 'Apple',
  azure: 'Azure',
  bitbucket: 'Bitbucket',
  discord: 'Discord',
  facebook: 'Facebook',
  figma: 'Figma',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  kakao: 'Kakao',
  keycloak: 'Keycloak',
  linkedin_oidc: 'LinkedIn',
  notion: 'Notion',
  slack_oidc: 'Slack',
  spotify: 'Spotify',
  twitch: 'Twitch',
  twitter: 'Twitter',
  workos: 'WorkOS',
  zoom: 'Zoom',
}
/** Those that the list can be narrowed to. */
export const knownProviders = Object.keys(providerWords)

export const providerLabel = (name: string): string =>
  providerWords[name] ?? (name.startsWith('sso:') ? 'Single sign-on' : name)

export const providersText = (user: Pick<ListedUser, 'providers' | 'is_anonymous'>): string =>
  user.is_anonymous ? 'Anonymous' : user.providers.map(providerLabel).join(', ')

/** What to call somebody who may have no address. */
export const userName = (user: Pick<ListedUser, 'email' | 'phone' | 'is_anonymous' | 'id'>) =>
  user.email || user.phone || (user.is_anonymous ? 'Anonymous user' : `User ${user.id.slice(0, 8)}`)

type Stateful = Pick<ListedUser, 'banned_until' | 'confirmed_at' | 'is_anonymous' | 'deleted_at'>

/** Of everything that can be said about a user, what matters most. */
export function userStatus(user: Stateful, now: Date): { word: string; tone?: StatusTone } {
  if (user.deleted_at) return { word: 'Deleted', tone: 'danger' }
  if (isBanned(user, now)) return { word: 'Banned', tone: 'danger' }
  if (user.is_anonymous) return { word: 'Anonymous' }
  if (!user.confirmed_at) return { word: 'Waiting for confirmation', tone: 'warning' }
  return { word: 'Verified' }
}

export const isBanned = ({ banned_until: until }: Pick<ListedUser, 'banned_until'>, now: Date) =>
  until !== null && new Date(until) > now

/** Metadata as somebody typed it; undefined when it is no JSON object. */
export function metadataFrom(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // An object's keys are texts; what stands behind them is not looked at.
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
