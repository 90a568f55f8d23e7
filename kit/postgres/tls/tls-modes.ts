import type { ClientConfig } from 'pg'

/** How TLS is used, in the words and with the meanings of libpq (PostgreSQL documentation, "SSL Support"). */
export const tlsModes = [
  'disable',
  'allow',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
] as const
export type TlsMode = (typeof tlsModes)[number]
export const isTlsMode = (text: string): text is TlsMode => tlsModes.some((mode) => mode === text)

/** In PEM: who is trusted to sign the server's certificate, and what shows who we are. */
export type Certificates = { ca?: string; cert?: string; key?: string }
export type TlsWay = NonNullable<ClientConfig['ssl']>

/**
 * The ways in which a server is asked for a connection, the second only where it refuses the first: `prefer` takes TLS where the
 * server has it, `allow` where the server insists. Neither looks at a certificate, so neither protects from who sits in between.
 */
export function tlsWays(mode: TlsMode, certificates: Certificates = {}): readonly TlsWay[] {
  const encrypted = { ...certificates, rejectUnauthorized: false }
  // verify-ca asks who signed the certificate, and not whose name is in it.
  const signed = { ...certificates, checkServerIdentity: () => undefined }
  switch (mode) {
    case 'disable':
      return [false]
    case 'allow':
      return [false, encrypted]
    case 'prefer':
      return [encrypted, false]
    case 'require':
      // Whoever names whom to trust wants it to be looked at (as libpq has it).
      return [certificates.ca === undefined ? encrypted : signed]
    case 'verify-ca':
      return [signed]
    case 'verify-full':
      return [certificates]
  }
}

/** A server without TLS, or one whose pg_hba.conf has no entry for a connection with, or without, it. */
export const isTlsRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message.includes('does not support SSL') || ('code' in error && error.code === '28000'))

/** What `open` makes by the first of these ways that the server does not refuse. */
export async function openByWays<T>(
  ways: readonly TlsWay[],
  open: (ssl: TlsWay) => Promise<T>,
): Promise<T> {
  const [first = false, ...others] = ways
  try {
    return await open(first)
  } catch (error) {
    if (others.length === 0 || !isTlsRefusal(error)) throw error
    return openByWays(others, open)
  }
}
