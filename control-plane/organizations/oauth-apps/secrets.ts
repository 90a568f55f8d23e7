import { createHash, randomBytes } from 'node:crypto'

/** What is random enough to be kept as a plain SHA-256: 160 bits of chance cannot be guessed from it. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const newClientSecret = () => `sba_${randomBytes(20).toString('hex')}`
export const newAccessToken = () => `sbp_oauth_${randomBytes(20).toString('hex')}`
export const newRefreshToken = () => `sbr_${randomBytes(32).toString('hex')}`
export const newCode = () => randomBytes(32).toString('hex')

/** First and last characters, to tell secrets apart in lists. */
export const aliasOf = (secret: string) => `${secret.slice(0, 8)}...${secret.slice(-4)}`

/** The S256 challenge of a PKCE verifier (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
