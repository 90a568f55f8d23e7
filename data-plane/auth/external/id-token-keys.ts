import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { ExternalProvider } from './external-providers.ts'
import type { Fetch } from './oidc-client.ts'

export type OidcProvider = Extract<ExternalProvider, { kind: 'oidc' }>

/** Who signs the tokens of a provider, and with which keys. Entra names its tenant in the issuer as `{tenantid}`. */
export type Signer = { issuer: string; keys: JWTVerifyGetKey }

const Described = z.object({ issuer: z.string(), jwks_uri: z.string() })
const knownForMs = 60 * 60 * 1000
const signers = new WeakMap<OidcProvider, { signer: Signer; until: number }>()

/**
 * What a provider publishes of itself, asked again after an hour; keys are asked for again when a token names a new one.
 * It is found at the address that was configured and nowhere else: a token never says where its keys are.
 */
export async function signerOf(provider: OidcProvider, reach: Fetch): Promise<Signer> {
  const known = signers.get(provider)
  if (known && known.until > performance.now()) return known.signer
  const address = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await reach(address, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  const { issuer, jwks_uri } = Described.parse(await response.json())
  if (issuer !== provider.issuer && provider.ways?.verified !== 'entra') {
    throw new Error(`${provider.issuer} calls itself ${issuer}`)
  }
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    [customFetch]: (url, init) => reach(url, { ...init, body: null }),
  })
  const signer = { issuer, keys }
  signers.set(provider, { signer, until: performance.now() + knownForMs })
  return signer
}
