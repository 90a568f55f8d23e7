import { createHash, randomBytes } from 'node:crypto'

/** A new access token: `sbp_` and 160 random bits in hex, the form that public command line tools check for. */
export const newAccessToken = (): string => `sbp_${randomBytes(20).toString('hex')}`

/** What is stored of a token. Plain SHA-256: there is nothing to guess in 160 random bits. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Enough to tell one's tokens apart, too little to use: `sbp_0123...cdef`. */
export const aliasOf = (token: string): string => `${token.slice(0, 8)}...${token.slice(-4)}`
