import { z } from 'zod'
import type { AuthConfig } from '../config.ts'
import { AuthError, type AuthErrorCode } from '../errors.ts'
import { matchesGlob } from '../sign-in/redirects.ts'

/** Brings three hundred files with it, and many programs never see a key. */
const library = () => import('@simplewebauthn/server')

/** Where keys belong to: a name of the DNS, and the pages below it that may ask for them. */
export type RelyingParty = { id: string; origins: readonly string[]; name: string }

/** A public key of somebody's device, with the count of what it has signed. */
export type DeviceKey = {
  id: string
  /** base64url */
  publicKey: string
  counter: number
  transports: readonly string[]
}

/** What browsers make of a ceremony; the library reads it with care. */
export const CredentialJson = z.looseObject({
  id: z.string().min(1).max(2048),
  rawId: z.string().max(2048),
  type: z.literal('public-key'),
  response: z.looseObject({}),
  clientExtensionResults: z.looseObject({}).default({}),
})
export type CredentialJson = z.infer<typeof CredentialJson>

/** The tenant's own, as it is set or else as the site has it. */
export function relyingPartyOf({ siteUrl, webauthn }: AuthConfig): RelyingParty {
  const site = new URL(siteUrl)
  const id = webauthn.rpId || site.hostname
  return {
    id,
    origins: webauthn.rpOrigins.length > 0 ? webauthn.rpOrigins : [site.origin],
    name: webauthn.rpName || id,
  }
}

/** Whether pages of an origin belong to the tenant: to its site, its redirect targets, or its list for keys. */
export function isOwnOrigin(
  { siteUrl, uriAllowList, webauthn }: AuthConfig,
  origin: string,
): boolean {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false
  const named = [siteUrl, ...webauthn.rpOrigins]
    .filter((one) => URL.canParse(one))
    .map((one) => new URL(one).origin)
  return (
    named.includes(origin) ||
    uriAllowList.some((glob) => matchesGlob(glob, `${origin}/`) || matchesGlob(glob, origin))
  )
}

export async function registrationOptions(
  party: RelyingParty,
  user: { id: string; name: string },
  known: readonly Pick<DeviceKey, 'id' | 'transports'>[],
  { resident }: { resident: boolean },
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: user.name,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: {
      residentKey: resident ? 'required' : 'discouraged',
      userVerification: resident ? 'required' : 'preferred',
    },
  })
}

export async function authenticationOptions(
  party: Pick<RelyingParty, 'id'>,
  keys: readonly Pick<DeviceKey, 'id' | 'transports'>[],
  { resident }: { resident: boolean },
) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: keys.map(({ id, transports }) => ({ id, transports: [...transports] })),
    userVerification: resident ? 'required' : 'preferred',
  })
}

type Expected = {
  challenge: string
  party: Pick<RelyingParty, 'id' | 'origins'>
  verified: boolean
  refusal: AuthErrorCode
}

/** The key that a device made for this challenge. Throws `refusal` for anything else. */
export async function checkRegistration(response: CredentialJson, expected: Expected) {
  const { challenge, party, verified, refusal } = expected
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    // Loose on purpose: what is missing in it is refused by the library.
    response: response as never,
    expectedChallenge: challenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: verified,
  }).catch(refuseWith(refusal))
  if (!result.verified) throw new AuthError(refusal)
  const { credential, aaguid, fmt, credentialDeviceType, credentialBackedUp } =
    result.registrationInfo
  const key: DeviceKey = {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: (credential.transports ?? []).filter((one) => typeof one === 'string').slice(0, 10),
  }
  return {
    key,
    aaguid,
    format: fmt,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

/**
 * Checks what a known key signed, and that its count did not go back, as that of a copied key does. The new count.
 * Throws `refusal` for anything else.
 */
export async function checkAssertion(
  response: CredentialJson,
  key: DeviceKey,
  expected: Expected,
): Promise<{ counter: number; backedUp: boolean }> {
  const { challenge, party, verified, refusal } = expected
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: challenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: verified,
    credential: {
      id: key.id,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
      counter: key.counter,
    },
  }).catch(refuseWith(refusal))
  if (!result.verified) throw new AuthError(refusal)
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  return { counter: newCounter, backedUp: credentialBackedUp }
}

/** The library reads nothing but its input, so whatever it throws is about that. */
const refuseWith = (refusal: AuthErrorCode) => (): never => {
  throw new AuthError(refusal)
}
