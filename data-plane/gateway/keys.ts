import { createHash, timingSafeEqual } from 'node:crypto'
import type { ProjectConnection } from '#contract/internal'
import { KeyError } from './problems.ts'
import { peek, TokenError, type Identity } from './tokens.ts'

export type KeyRole = 'anon' | 'service_role'
/** The key of a request. A legacy key is a token itself and comes with its claims once somebody asks. */
export type Key = {
  role: KeyRole
  token: string | undefined
  /** What an opaque key is known by. */
  sha256?: string
}

type Presented = {
  apikey: string | undefined
  authorization: string | undefined
  /** A page seems to have sent it. */
  fromBrowser?: boolean
  /** The service asks by itself who it is, where somebody shows no key at all. */
  optional?: boolean
}

/** Roles that a key can have. */
const keyRoles: readonly KeyRole[] = ['anon', 'service_role']

/**
 * Which of the project's keys a request shows, in `apikey` or, for the opaque kind, as bearer. What somebody has signed for
 * one of the roles of keys by a key of the project is a legacy key too: apps that come from elsewhere bring theirs along.
 * @throws KeyError
 */
export function keyOf(project: ProjectConnection, presented: Presented, verify: Verify): Key {
  const { apikey, authorization, fromBrowser = false, optional = false } = presented
  const bearer = bearerOf(authorization)
  const inBearer = bearer !== undefined && isOpaque(bearer) ? bearer : undefined
  const shown = apikey || inBearer
  const key =
    shown === undefined ? undefined : (findKey(project, shown) ?? signedKey(project, shown, verify))
  // Two keys in one request: both have to be good, or a revoked one would go on working beside a public one.
  const second = inBearer === undefined ? undefined : findKey(project, inBearer)
  const agrees = inBearer === undefined || second !== undefined
  if (fromBrowser && (isSecret(key) || isSecret(second))) throw secretInBrowser()
  // A legacy key in the bearer is a token too: it must not go on as one when legacy keys have ended.
  if (bearer !== undefined && project.legacyKeysDisabledAt !== undefined) findKey(project, bearer)
  if (key && agrees) return key
  if (project.settings.keyOptional && agrees) return { role: 'anon', token: undefined }
  if (shown === undefined) {
    if (optional) return { role: 'anon', token: undefined }
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

/** Verifies a token for a project. @throws TokenError */
export type Verify = (project: ProjectConnection, token: string) => Identity

/**
 * Who the request runs as: the bearer token's user, else the key's role. An opaque key in the bearer is the key.
 * @throws TokenError KeyError
 */
export function identityOf(
  project: ProjectConnection,
  key: Key,
  authorization: string | undefined,
  verify: Verify,
): Identity {
  const bearer = bearerOf(authorization)
  if (bearer !== undefined && !isOpaque(bearer)) return verify(project, bearer)
  const named = namedBy(project, key, bearer)
  if (named.token !== undefined) return verify(project, named.token)
  return { role: named.role, claims: JSON.stringify({ role: named.role }) }
}

/** An opaque key in the bearer is the key. */
const namedBy = (project: ProjectConnection, key: Key, bearer: string | undefined): Key =>
  bearer === undefined ? key : (findKey(project, bearer) ?? key)

/** The role that a request has by a key that is no token; undefined when a token says who it is. */
export function opaqueRoleOf(
  project: ProjectConnection,
  key: Key,
  authorization: string | undefined,
): KeyRole | undefined {
  const bearer = bearerOf(authorization)
  if (bearer !== undefined && !isOpaque(bearer)) return undefined
  const { sha256, role } = namedBy(project, key, bearer)
  return sha256 === undefined ? undefined : role
}

const isSecret = (key: Key | undefined) => key?.sha256 !== undefined && key.role === 'service_role'

/** Whoever opens the page can read the key: better noticed before it is published. */
const secretInBrowser = () =>
  new KeyError(
    'Forbidden use of secret API key in browser',
    'Secret API keys belong on servers only. If this one has reached a page or an app that people can open, delete it in the settings of the project and make another one.',
  )

/** Any other scheme than Bearer is not ours and says nothing. */
export function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer(?: |$)/i.test(authorization)) return undefined
  return authorization.slice(7).trim()
}

export const isOpaque = (text: string) => text.startsWith('sb_')

/** @throws KeyError for a legacy key of a project that has ended them */
function findKey(project: ProjectConnection, shown: string): Key | undefined {
  if (isOpaque(shown)) {
    const sha256 = createHash('sha256').update(shown).digest('hex')
    const found = project.opaqueKeys.find((key) => same(key.sha256, sha256))
    return found && { role: found.role, token: undefined, sha256 }
  }
  const role = legacyRoleOf(project, shown)
  if (role) refuseDisabled(project)
  return role && { role, token: shown }
}

function refuseDisabled({ legacyKeysDisabledAt: at }: ProjectConnection): void {
  if (at === undefined) return
  throw new KeyError(
    'Legacy API keys are disabled',
    `The anon and service_role keys of this project were disabled at ${at}. Use a publishable or secret API key, or enable them again in the settings of the project.`,
  )
}

/** @throws KeyError for one of a project that has ended its legacy keys */
function signedKey(project: ProjectConnection, shown: string, verify: Verify): Key | undefined {
  if (shown.split('.', 4).length !== 3) return undefined
  try {
    verify(project, shown)
    // One that names no role is let in as a token, but is no key.
    const role = peek(shown)?.claims['role']
    const known = keyRoles.find((one) => one === role)
    if (known) refuseDisabled(project)
    return known && { role: known, token: shown }
  } catch (error) {
    if (error instanceof TokenError) return undefined
    throw error
  }
}

function legacyRoleOf(project: ProjectConnection, shown: string): KeyRole | undefined {
  if (same(project.anonKey, shown)) return 'anon'
  return same(project.serviceKey, shown) ? 'service_role' : undefined
}

/** Takes the same time wherever the texts differ. An empty key is no key. */
function same(ours: string, theirs: string): boolean {
  const [a, b] = [Buffer.from(ours), Buffer.from(theirs)]
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}
