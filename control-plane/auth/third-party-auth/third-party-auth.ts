import type { Parsed } from '#contract/endpoint'
import type { ServedThirdParty } from '#contract/internal'
import {
  audienceOf,
  maxThirdParties,
  plainIssuer,
  thirdPartyTypeOf,
  type Jwks,
  type ThirdPartyAuth,
  type thirdPartyAuth as api,
} from '#contract/auth/third-party-auth'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { fetchJwks, JwksError, readCustomJwks, verifyingKeys } from '#kit/jwks'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { Audited } from '../../audited.ts'
import type { ThirdPartyAuthStore, ThirdPartyRow } from './store.ts'

type Deps = {
  store: ThirdPartyAuthStore
  /** How issuers are reached, whose addresses strangers name. */
  fetch: SafeFetch
  audited: Audited
  /** The issuer of the project's own tokens. */
  issuerOf: (ref: string) => string
}

/** Whose tokens a project takes besides its own. */
export function createThirdPartyAuths({ store, fetch, audited, issuerOf }: Deps) {
  function one(rows: readonly ThirdPartyRow[], id: string): ThirdPartyRow {
    const row = rows.find((each) => each.id === id)
    if (!row) throw new ApiError('third_party_auth_not_found')
    return row
  }

  /** Its keys, found before anything is locked: whoever has them may take a while to answer. */
  async function material(input: Parsed<typeof api.create>) {
    const { oidc_issuer_url: named = null, jwks_url: jwksUrl = null } = input
    const given = input.custom_jwks ?? undefined
    const issuer = named === null ? null : plainIssuer(named)
    if (issuer === null && jwksUrl === null && given === undefined)
      throw refused('oidc_issuer_url', 'set an issuer, or where its keys are')
    if (jwksUrl !== null && given !== undefined)
      throw refused('custom_jwks', 'set either the keys or jwks_url, not both')
    if (issuer === plainIssuer(issuerOf(input.ref)))
      throw refused('oidc_issuer_url', 'the project already accepts its own tokens')
    const custom = given === undefined ? null : customOf(given)
    const found = custom ?? (await foundAt(issuer, jwksUrl))
    return {
      type: thirdPartyTypeOf(issuer),
      oidc_issuer_url: issuer,
      jwks_url: jwksUrl,
      custom_jwks: custom && JSON.stringify(custom),
      resolved_jwks: JSON.stringify(found),
    }
  }

  async function foundAt(issuer: string | null, jwksUrl: string | null): Promise<Jwks> {
    const field = jwksUrl === null ? 'oidc_issuer_url' : 'jwks_url'
    const found = await fetchJwks(fetch, { issuer, jwksUrl }).catch((error: unknown) => {
      throw error instanceof JwksError ? refused(field, error.message) : error
    })
    const keys = verifyingKeys(found).flatMap(({ publicJwk }) => (publicJwk ? [publicJwk] : []))
    if (keys.length === 0) throw refused(field, 'there is no key for RS256, ES256 or EdDSA')
    return { keys }
  }

  return {
    list: async (ref: string) => (await store.ofProject(ref)).map(shown),
    get: async (ref: string, id: string) => shown(one(await store.ofProject(ref), id)),

    async create(caller: Caller, input: Parsed<typeof api.create>, origin: Origin) {
      const { ref } = input
      const values = await material(input)
      const by = { caller, ref, origin }
      const { row } = await audited(by, 'thirdPartyAuth.create', async (tx, project) => {
        const rows = await store.ofProject(ref, tx)
        if (rows.length >= maxThirdParties) throw new ApiError('too_many_third_party_auths')
        const { oidc_issuer_url: issuer } = values
        if (issuer !== null && rows.some((each) => each.oidc_issuer_url === issuer))
          throw new ApiError('third_party_auth_exists')
        const made = await store.insert(tx, { ...values, project_id: project.id })
        return { row: made, change: { after: noted(made) } }
      })
      return shown(row)
    },

    async remove(caller: Caller, input: Parsed<typeof api.remove>, origin: Origin) {
      const { ref, tpa_id: id } = input
      const { row } = await audited(
        { caller, ref, origin },
        'thirdPartyAuth.remove',
        async (tx) => {
          const found = one(await store.ofProject(ref, tx), id)
          await store.remove(tx, id)
          return { row: found, change: { before: noted(found) } }
        },
      )
      return shown(row)
    },

    /** For the data plane. */
    async forService(ref: string): Promise<ServedThirdParty[]> {
      return (await store.ofProject(ref)).map((row) => ({
        id: row.id,
        issuer: row.oidc_issuer_url,
        audience: audienceOf(row.oidc_issuer_url),
        jwksUrl: row.jwks_url,
        isFixed: row.custom_jwks !== null,
        jwks: row.resolved_jwks,
        readAt: row.resolved_at.getTime(),
      }))
    },
  }
}
export type ThirdPartyAuths = ReturnType<typeof createThirdPartyAuths>

function customOf(given: unknown): Jwks {
  try {
    return readCustomJwks(given)
  } catch (error) {
    throw error instanceof JwksError ? refused('custom_jwks', error.message) : error
  }
}

const refused = (field: string, why: string) => new ApiError('invalid_input', `${field}: ${why}`)

const noted = ({ id, type, oidc_issuer_url, jwks_url }: ThirdPartyRow) => ({
  id,
  type,
  oidc_issuer_url,
  jwks_url,
})

const shown = (row: ThirdPartyRow): ThirdPartyAuth => ({
  id: row.id,
  type: row.type,
  oidc_issuer_url: row.oidc_issuer_url,
  jwks_url: row.jwks_url,
  custom_jwks: row.custom_jwks,
  inserted_at: row.inserted_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  resolved_jwks: row.resolved_jwks,
  resolved_at: row.resolved_at.toISOString(),
})
