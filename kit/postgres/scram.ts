import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)

/**
 * The SCRAM-SHA-256 verifier that Postgres stores for a password (RFC 5803, RFC 7677). Sending this in
 * `ALTER ROLE … PASSWORD` instead of the password keeps the password out of the server's log and of pg_stat_statements.
 */
export async function scramVerifier(
  password: string,
  salt: Buffer = randomBytes(16),
  iterations = 4096,
): Promise<string> {
  const salted = await derive(normalizePassword(password), salt, iterations, 32, 'sha256')
  const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64')
  const serverKey = hmac(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

/**
 * The verifier of a password that a program chose: 256 random bits cannot be guessed, so they need no slow derivation,
 * which client and server would both pay for at every connection.
 */
export const machineVerifier = (password: string): Promise<string> =>
  scramVerifier(password, randomBytes(16), 64)

/** True when the text is already a verifier and not a password. */
export function isScramVerifier(text: string): boolean {
  return /^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/]+=*\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/.test(text)
}

/**
 * SASLprep (RFC 4013) as the server and libpq apply it: other spaces become a space, invisible joiners vanish,
 * the rest is NFKC; a text with forbidden characters is used as it is. A client that does not do this itself
 * must send the result, or a password like "ﬁ" never matches.
 */
export function normalizePassword(password: string): string {
  // oxlint-disable-next-line no-control-regex -- the ASCII range is meant
  if (/^[\x20-\x7e]*$/.test(password)) return password
  const mapped = password
    .replace(/\p{Zs}|\u200b/gu, ' ')
    .replace(
      /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu,
      '',
    )
    .normalize('NFKC')
  const forbidden =
    /[\p{Cc}\p{Co}\p{Cs}\p{Cn}\u0340\u0341\u200e\u200f\u2028-\u202e\u2061-\u206f\ufff9-\ufffd]/u
  const bidi = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
  if (forbidden.test(mapped) || bidi.test(mapped) || mapped === '') return password
  return mapped
}
