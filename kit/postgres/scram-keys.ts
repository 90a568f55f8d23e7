import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What a server keeps of a password: enough to check who knows it, and not enough to sign in with (RFC 5803). */
export type Verifier = { iterations: number; salt: Buffer; storedKey: Buffer; serverKey: Buffer }
/** Those, and what whoever signs in has shown that they know: enough to sign in with, wherever this verifier holds. */
export type ScramKeys = Verifier & { clientKey: Buffer }

const form =
  /^SCRAM-SHA-256\$(\d{1,9}):([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]{43}=):([A-Za-z0-9+/]{43}=)$/

/** Undefined: a password that is stored in another way, or not at all. */
export function readVerifier(text: string): Verifier | undefined {
  const [, iterations = '', salt = '', storedKey = '', serverKey = ''] = form.exec(text) ?? []
  if (iterations === '') return undefined
  return {
    iterations: Number(iterations),
    salt: Buffer.from(salt, 'base64'),
    storedKey: Buffer.from(storedKey, 'base64'),
    serverKey: Buffer.from(serverKey, 'base64'),
  }
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

function xor(one: Buffer, other: Buffer): Buffer {
  const result = Buffer.alloc(one.length)
  for (let at = 0; at < one.length; at++) result[at] = (one[at] ?? 0) ^ (other[at] ?? 0)
  return result
}

/** The key that a proof was made with; undefined: it was not made with the right one. */
export function clientKeyOf(
  { storedKey }: Verifier,
  proof: Buffer,
  authMessage: string,
): Buffer | undefined {
  if (proof.length !== storedKey.length) return undefined
  const clientKey = xor(proof, hmac(storedKey, authMessage))
  const digest = createHash('sha256').update(clientKey).digest()
  return timingSafeEqual(digest, storedKey) ? clientKey : undefined
}

export const proofOf = ({ storedKey, clientKey }: ScramKeys, authMessage: string): Buffer =>
  xor(clientKey, hmac(storedKey, authMessage))

export const serverSignatureOf = ({ serverKey }: Verifier, authMessage: string): Buffer =>
  hmac(serverKey, authMessage)
