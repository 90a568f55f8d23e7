import type { ProjectConnection, ServedThirdParty } from '#contract/internal'
import { plainIssuer } from '#contract/auth/third-party-auth'
import { fetchJwks, JwksError, verifyingKeys } from '#kit/jwks'
import { hasSigned, keySetOf, type JwtKey } from '#kit/jwt-key-set'
import type { Log } from '#kit/log'
import { Lru } from '#kit/lru'
import type { SafeFetch } from '#kit/network/safe-fetch'
import { createTokensBy, peek, TokenError, type Identity, type TokenRules } from './tokens.ts'

type Options = {
  /** How issuers are reached, whose addresses strangers name. */
  fetch: SafeFetch
  log: Log
  /** Milliseconds since 1970. */
  now?: () => number
}
type Keyed = Pick<ProjectConnection, 'ref' | 'jwtSecret' | 'signingKeys' | 'thirdPartyAuth'>
type State = { keys: readonly JwtKey[]; readAt: number; askedAt: number; asking?: Promise<void> }
type Known = { party: ServedThirdParty; keys: readonly JwtKey[] }

/** Milliseconds: read anew when older, ask again at the earliest, count at most while nobody answers. */
const ages = { fresh: 600_000, retryAfter: 30_000, longest: 86_400_000 }
/** Integrations whose keys are remembered. */
const max = 5000

/**
 * Tokens that are issued outside of a project. The issuer that a token names chooses whose keys can have signed it, and
 * its `kid` which of these: keys of one integration say nothing for another one, nor for the project itself.
 */
export function createThirdPartyTokens({ fetch, log, now = Date.now }: Options) {
  const tokens = createTokensBy(rules)
  const states = new Lru<State>(max)

  function stateOf(party: ServedThirdParty): State {
    const found = states.get(party.id)
    if (found) return found
    const state = { keys: verifyingKeys(party.jwks), readAt: party.readAt, askedAt: 0 }
    states.set(party.id, state)
    return state
  }

  async function ask(party: ServedThirdParty, state: State, ref: string): Promise<void> {
    try {
      state.keys = verifyingKeys(await fetchJwks(fetch, party))
      state.readAt = now()
    } catch (error) {
      if (!(error instanceof JwksError)) throw error
      log.info({ err: error, ref, issuer: party.issuer }, 'Keys of an issuer cannot be read')
      if (now() - state.readAt > ages.longest) state.keys = []
    } finally {
      delete state.asking
    }
  }

  /** Reads the keys when they are old, or one is asked for that is not among them; not more often than it may. */
  async function refresh(party: ServedThirdParty, kid: unknown, ref: string): Promise<void> {
    if (party.isFixed) return
    const state = stateOf(party)
    const isKnown = state.keys.some((key) => key.kid === kid)
    if (isKnown && now() - state.readAt < ages.fresh) return
    if (!state.asking && now() - state.askedAt > ages.retryAfter) {
      state.askedAt = now()
      state.asking = ask(party, state, ref)
    }
    await state.asking
  }

  return {
    /** To be awaited before `verify`: brings the keys that this token needs. */
    async prepare(project: Keyed, token: string): Promise<void> {
      const { parties, kid } = partiesFor(project, token)
      await Promise.all(parties.map((party) => refresh(party, kid, project.ref)))
    },
    /** Undefined: no integration is for this token. @throws TokenError */
    verify(project: Keyed, token: string): Identity | undefined {
      const { parties, kid } = partiesFor(project, token)
      const known = parties.map((party) => ({ party, keys: stateOf(party).keys }))
      const found = known.find(
        ({ party, keys }) => party.issuer !== null || keys.some((key) => key.kid === kid),
      )
      return found && tokens.verify(token, found, now() / 1000)
    },
  }
}
export type ThirdPartyTokens = ReturnType<typeof createThirdPartyTokens>

/** Those by whose keys the token can have been signed. Without an issuer, they stand behind the project's own keys. */
function partiesFor(project: Keyed, token: string): { parties: ServedThirdParty[]; kid: unknown } {
  const { thirdPartyAuth: all } = project
  const peeked = all.length > 0 ? peek(token) : undefined
  if (!peeked) return { parties: [], kid: undefined }
  const { header, claims } = peeked
  const { kid } = header
  const issuer = typeof claims['iss'] === 'string' ? plainIssuer(claims['iss']) : undefined
  const named = all.filter((party) => party.issuer !== null && party.issuer === issuer)
  if (named.length > 0) return { parties: named, kid }
  const isOwn = keySetOf(project).candidates(header).length > 0
  return { parties: isOwn ? [] : all.filter((party) => party.issuer === null), kid }
}

const rules: TokenRules<Known> = {
  signerOf({ kid, alg }, text, signature, { party, keys }) {
    const fits = (key: JwtKey) => key.kid === kid && key.algorithm === alg
    const found = keys.find((key) => fits(key) && hasSigned(key, text, signature))
    return found && nameOf(party, found)
  },
  isGood: (signer, { party, keys }) => keys.some((key) => nameOf(party, key) === signer),
  accept(claims, { party: { audience } }) {
    if (typeof claims['exp'] !== 'number')
      throw new TokenError('PGRST303', "The JWT 'exp' claim is missing")
    const { aud } = claims
    if (audience !== null && !(Array.isArray(aud) ? aud.includes(audience) : aud === audience))
      throw new TokenError('PGRST303', 'JWT not in audience')
  },
  roleOf({ role = 'anon' }) {
    // It belongs to the project's secret keys: nobody who signs in anywhere else is to pass by all policies.
    if (role === 'service_role')
      throw new TokenError('PGRST303', 'The role service_role is not for tokens of other issuers')
    return role
  },
}

/** All Firebase projects have the same keys: what counts for one integration is to say nothing for another. */
const nameOf = ({ id }: ServedThirdParty, { fingerprint }: JwtKey) => `${id} ${fingerprint}`
