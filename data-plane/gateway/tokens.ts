import { hasSigned, type JwtKeySet } from '#kit/jwt-key-set'
import { Lru } from '#kit/lru'

/**
 * What a verified token says. `claims` is its payload as JSON text, byte for byte as it was signed, unless the role stands
 * elsewhere in it or nowhere: then it is added.
 */
export type Identity = { role: string; claims: string }

/** Why a token is not accepted; the codes and words of the data API's contract §8. */
export class TokenError extends Error {
  readonly code: 'PGRST301' | 'PGRST303'
  readonly details: string | null

  constructor(code: 'PGRST301' | 'PGRST303', message: string, details: string | null = null) {
    super(message)
    this.code = code
    this.details = details
  }
}

type Verified = Identity & { signer: string; expires: number; starts: number }

/** Seconds that the clocks of issuer and server may differ (contract §8). */
const leeway = 30
const longestToken = 16_384
/** Larger tokens are verified each time: a few thousand of them would fill the memory. */
const longestRemembered = 4096

/** What of a token depends on who serves it; `K` is what its keys are kept in. */
export type TokenRules<K> = {
  /**
   * The key by which `text` was signed so, in the way that the token's header says; undefined when it was by none. It has
   * to be the same text whenever it is the same key, and another one for any other key of any project.
   */
  signerOf(
    header: Record<string, unknown>,
    text: string,
    signature: Buffer,
    keys: K,
  ): string | undefined
  /** Whether what was the signer once is still among the keys. */
  isGood(signer: string, keys: K): boolean
  /** Looks at the claims besides their times. @throws TokenError */
  accept?(claims: Record<string, unknown>, keys: K): void
  /** The role that the claims name. */
  roleOf(claims: Record<string, unknown>): unknown
}

/** A project's: the keys of its set, each for its one algorithm, whatever else the header asks for. */
const projectRules: TokenRules<JwtKeySet> = {
  signerOf: (header, text, signature, keySet) =>
    keySet.candidates(header).find((key) => hasSigned(key, text, signature))?.fingerprint,
  isGood: (fingerprint, keySet) => keySet.holds(fingerprint),
  roleOf: (claims) => claims['role'] ?? 'anon',
}

export type Tokens<K> = {
  /** @throws TokenError. `now` is in seconds since 1970. */
  verify(token: string, keys: K, now?: number): Identity
}
export type ProjectTokens = Tokens<JwtKeySet>

/**
 * Verifies tokens and remembers the good ones until they expire, so that a signature is computed once per token. The
 * rules fix the algorithms: what the token's header asks for is only compared with them.
 */
export function createTokensBy<K>(rules: TokenRules<K>, max = 5000): Tokens<K> {
  const known = new Lru<Verified>(max)
  return {
    verify(token, keys, now = Date.now() / 1000) {
      const found = known.get(token)
      // What one project's key has signed is nothing to another project, nor to its own once the key is revoked.
      const verified = found && rules.isGood(found.signer, keys) ? found : check(token, keys, rules)
      if (verified.expires + leeway < now) {
        known.delete(token)
        throw new TokenError('PGRST303', 'JWT expired')
      }
      if (verified.starts - leeway > now) throw new TokenError('PGRST303', 'JWT not yet valid')
      if (verified !== found && token.length <= longestRemembered) known.set(token, verified)
      return verified
    },
  }
}

/** For projects. */
export const createTokens = (max?: number): ProjectTokens => createTokensBy(projectRules, max)

function check<K>(token: string, keys: K, rules: TokenRules<K>): Verified {
  if (token === '') {
    throw new TokenError('PGRST301', 'Empty JWT is sent in Authorization header')
  }
  const parts = token.split('.', 4)
  const [header = '', payload = '', signature = ''] = parts
  if (parts.length !== 3 || token.length > longestToken) {
    const found = token.split('.').length
    throw new TokenError('PGRST301', `Expected 3 parts in JWT; got ${found}`)
  }
  const described = jsonObject(header, 'header')
  const given = Buffer.from(signature, 'base64url')
  // Comparing the text refuses the other spellings of the same bytes that base64url allows.
  const isPlain = described['crit'] === undefined && given.toString('base64url') === signature
  const signer = isPlain
    ? rules.signerOf(described, `${header}.${payload}`, given, keys)
    : undefined
  if (signer === undefined) throw noSuitableKey()
  const roleOf = (claims: Record<string, unknown>) => {
    rules.accept?.(claims, keys)
    return rules.roleOf(claims)
  }
  return { ...readClaims(payload, roleOf), signer }
}

/** What a token says of itself, believed by nobody yet; undefined when it is no token. */
export function peek(token: string) {
  const [header = '', payload = '', signature] = token.split('.', 3)
  if (signature === undefined || token.length > longestToken) return undefined
  try {
    return { header: jsonObject(header, 'header'), claims: jsonObject(payload, 'claims') }
  } catch (error) {
    // Whoever verifies it will say what is wrong with it.
    if (error instanceof TokenError) return undefined
    throw error
  }
}

function readClaims(
  payload: string,
  roleOf: TokenRules<never>['roleOf'],
): Omit<Verified, 'signer'> {
  const claims = jsonObject(payload, 'claims')
  const seconds = (name: 'exp' | 'nbf' | 'iat') => {
    const value = claims[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw new TokenError('PGRST303', `The JWT '${name}' claim must be a number`)
  }
  const [expires, notBefore, issued] = [seconds('exp'), seconds('nbf'), seconds('iat')]
  if (issued !== undefined && issued - leeway > Date.now() / 1000) {
    throw new TokenError('PGRST303', 'JWT issued at future')
  }
  const role = roleOf(claims)
  if (typeof role !== 'string' || role === '' || role.includes('\0')) {
    throw new TokenError('PGRST303', "The JWT 'role' claim must be a string")
  }
  return {
    role,
    claims:
      claims['role'] === role
        ? Buffer.from(payload, 'base64url').toString()
        : JSON.stringify({ ...claims, role }),
    expires: expires ?? Infinity,
    starts: notBefore ?? -Infinity,
  }
}

function jsonObject(part: string, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    // A parsed JSON object has string keys only.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // Not JSON: the same answer as for JSON that is no object.
  }
  throw new TokenError('PGRST301', `The JWT ${name} cannot be decoded`)
}

const noSuitableKey = () =>
  new TokenError(
    'PGRST301',
    'No suitable key or wrong key type',
    'None of the keys was able to decode the JWT',
  )
