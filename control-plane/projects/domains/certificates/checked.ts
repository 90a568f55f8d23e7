import { createPrivateKey, X509Certificate } from 'node:crypto'

/** What an authority has answered with, once it is known to be what was ordered. */
export type CheckedCertificate = {
  certificate: string
  /** Tells it from others. */
  version: string
  notBefore: Date
  notAfter: Date
}

/** Chains are some kB; each data plane keeps one for every name. */
const largest = 100_000
const one = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g

/**
 * Reads a chain of certificates (PEM) that is to be shown for a name, by whoever holds this key.
 * @throws Error with words for the owner of the name, where it cannot be
 */
export function checkCertificate(
  chain: string,
  { hostname, key, now }: { hostname: string; key: string; now: Date },
): CheckedCertificate {
  const parts = chain.length > largest ? [] : (chain.match(one) ?? [])
  const [leaf] = parts
  if (leaf === undefined) throw new Error('The answer holds no certificate')
  const read = new X509Certificate(leaf)
  // The common name says nothing: clients go by the alternative names alone.
  if (read.checkHost(hostname, { subject: 'never', wildcards: false }) === undefined)
    throw new Error('The certificate is for another name')
  if (!read.checkPrivateKey(createPrivateKey(key)))
    throw new Error('The certificate is for another key')
  const notBefore = new Date(read.validFrom)
  const notAfter = new Date(read.validTo)
  if (notAfter <= now) throw new Error('The certificate has expired already')
  return {
    certificate: `${parts.join('\n')}\n`,
    version: read.fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 40),
    notBefore,
    notAfter,
  }
}
