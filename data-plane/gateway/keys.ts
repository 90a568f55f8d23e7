import { createHash, timingSafeEqual } from 'node:crypto'
import type { ProjectConnection } from '#contract/internal'
import { KeyError } from './problems.ts'
import type { Identity, Tokens } from './tokens.ts'

export type KeyRole = 'anon' | 'service_role'
/** The key of a request. A legacy key is a token itself and comes with its claims once somebody asks. */
export type Key = { role: KeyRole; token: string | undefined }

type Presented = { apikey: string | undefined; authorization: string | undefined }

/** Which of the project's keys a request shows, in `apikey` or, for the opaque kind, as bearer. @throws KeyError */
export function keyOf(project: ProjectConnection, { apikey, authorization }: Presented): Key {
  const bearer = bearerOf(authorization)
  const inBearer = bearer !== undefined && isOpaque(bearer) ? bearer : undefined
  const shown = apikey || inBearer
  const key = shown === undefined ? undefined : findKey(project, shown)
  // Two keys in one request: both have to be good, or a revoked one would go on working beside a public one.
  const agrees = inBearer === undefined || findKey(project, inBearer) !== undefined
  if (key && agrees) return key
  if (project.settings.keyOptional && agrees) return { role: 'anon', token: undefined }
  if (shown === undefined) {
    throw new KeyError(
      'No API key found in request',
      'No `apikey` request header or url param was found.',
    )
  }
  throw new KeyError(
    'Invalid API key',
    'Compare it with the API keys in the settings of the project.',
  )
}

/**
 * Who the request runs as: the bearer token's user, else the key's role. An opaque key in the bearer is the key.
 * @throws TokenError KeyError
 */
export function identityOf(
  project: ProjectConnection,
  key: Key,
  authorization: string | undefined,
  tokens: Tokens,
): Identity {
  const bearer = bearerOf(authorization)
  if (bearer !== undefined && !isOpaque(bearer)) return tokens.verify(bearer, project.jwtSecret)
  const named = bearer === undefined ? key : (findKey(project, bearer) ?? key)
  if (named.token !== undefined) return tokens.verify(named.token, project.jwtSecret)
  return { role: named.role, claims: JSON.stringify({ role: named.role }) }
}

/** Any other scheme than Bearer is not ours and says nothing. */
export function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer(?: |$)/i.test(authorization)) return undefined
  return authorization.slice(7).trim()
}

const isOpaque = (text: string) => text.startsWith('sb_')

function findKey(project: ProjectConnection, shown: string): Key | undefined {
  if (isOpaque(shown)) {
    const hash = createHash('sha256').update(shown).digest('hex')
    const found = project.opaqueKeys.find((key) => same(key.sha256, hash))
    return found && { role: found.role, token: undefined }
  }
  if (same(project.anonKey, shown)) return { role: 'anon', token: shown }
  if (same(project.serviceKey, shown)) return { role: 'service_role', token: shown }
  return undefined
}

/** Takes the same time wherever the texts differ. An empty key is no key. */
function same(ours: string, theirs: string): boolean {
  const [a, b] = [Buffer.from(ours), Buffer.from(theirs)]
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}
