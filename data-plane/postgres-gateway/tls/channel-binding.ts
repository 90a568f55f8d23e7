import { createHash } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/** Of the certificate that was asked about last: all connections show the same until it is replaced. */
let last: { certificate: Buffer; endPoint: Promise<Buffer | undefined> } | undefined

/**
 * What ties a login to the encrypted connection that it is made over (`tls-server-end-point` of RFC 5929): a hash of the certificate
 * that the server has shown. A client that signs it with its password finds out somebody between who has shown another. Undefined
 * where the certificate's signature has no hash, as those of Ed25519.
 */
export function endPointOf(socket: TLSSocket): Promise<Buffer | undefined> {
  const shown = socket.getCertificate()
  if (!shown || !('raw' in shown)) return Promise.resolve(undefined)
  const certificate = shown.raw
  if (!last?.certificate.equals(certificate)) last = { certificate, endPoint: hashOf(certificate) }
  return last.endPoint
}

async function hashOf(certificate: Buffer): Promise<Buffer | undefined> {
  await import('reflect-metadata')
  const { X509Certificate } = await import('@peculiar/x509')
  const { signatureAlgorithm } = new X509Certificate(new Uint8Array(certificate))
  const { hash } = signatureAlgorithm as { hash?: { name: string } }
  if (!hash) return undefined
  const name = hash.name.replace('-', '').toLowerCase()
  // Those that are not trusted any more give way to SHA-256.
  return createHash(['md5', 'sha1'].includes(name) ? 'sha256' : name)
    .update(certificate)
    .digest()
}
