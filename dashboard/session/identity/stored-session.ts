import type { Session } from '@supabase/auth-js'

/** A token that ends sooner is refreshed first, by the client of the auth service; ms. */
const margin = 90_000

/** What the client of the auth service has kept in this browser, when it can be used as it is. `now` in ms. */
export function storedSession(key: string, now: number): Session | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isSession(stored) && (stored.expires_at ?? 0) * 1000 > now + margin ? stored : undefined
  } catch {
    return undefined // no storage in this browser, or not what the client has written: it decides
  }
}

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  'access_token' in value &&
  typeof value.access_token === 'string' &&
  'refresh_token' in value &&
  'expires_at' in value &&
  typeof value.expires_at === 'number' &&
  'user' in value &&
  typeof value.user === 'object' &&
  value.user !== null

/** `shown`: this session has shown a second factor; `owned`: the person has one. */
export type Assurance = { shown: boolean; owned: boolean }

/** How sure the session is of its person, by its token and by the factors it was told of. Throws for no JWT. */
export function assuranceOf({ access_token, user }: Session): Assurance {
  const claims: unknown = JSON.parse(textOf(access_token.split('.')[1] ?? ''))
  const level = typeof claims === 'object' && claims !== null && 'aal' in claims ? claims.aal : null
  return {
    shown: level === 'aal2',
    owned: (user.factors ?? []).some(({ status }) => status === 'verified'),
  }
}

function textOf(base64url: string): string {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}
