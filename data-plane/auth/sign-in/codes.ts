import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { purposeKey } from '../sessions/jwt.ts'
import type { JwtSettings } from '../tenant.ts'

/** What the database keeps instead of a token, so that reading it signs nobody in. */
export function storedHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Digits for people to type. */
export function newOtp(length: number): string {
  let otp = ''
  while (otp.length < length) otp += String(randomInt(10))
  return otp
}

const pkcePrefix = 'pkce_'

/**
 * The token of a link belongs to the code in the same mail: it can be worked out from address and code, but only with
 * a key of the tenant, so neither guessing codes nor reading the database gives a link. A link of a PKCE flow shows it.
 */
export function linkToken(jwt: JwtSettings, address: string, otp: string, pkce: boolean): string {
  const mac = createHmac('sha256', purposeKey(jwt, 'one-time code')).update(`${address}\0${otp}`)
  return (pkce ? pkcePrefix : '') + mac.digest('hex')
}

export function isPkceToken(token: string): boolean {
  return token.startsWith(pkcePrefix)
}

/** The stored forms that an address and a typed code may have. */
export function hashesOfOtp(jwt: JwtSettings, address: string, otp: string): string[] {
  return [false, true].map((pkce) => storedHash(linkToken(jwt, address, otp, pkce)))
}

const refreshPrefix = 'plrt_'

/** The first refresh token of a session. */
export function newRefreshToken(): string {
  return refreshPrefix + randomBytes(32).toString('base64url')
}

/**
 * The token that follows one in its chain. Only hashes are stored, yet a request that ran in parallel must get the
 * active token: whoever holds a parent can have its child worked out again, with a key that only the tenant has.
 */
export function nextRefreshToken(jwt: JwtSettings, parent: string): string {
  const mac = createHmac('sha256', purposeKey(jwt, 'refresh chain')).update(parent)
  return refreshPrefix + mac.digest('base64url')
}

/** A code for the PKCE exchange. */
export function newAuthCode(): string {
  return randomBytes(32).toString('base64url')
}
