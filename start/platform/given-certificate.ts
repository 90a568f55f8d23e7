import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/**
 * Whether the operator's certificate is for a name. The file is read each time: it may be another one by now. Rejects where it cannot be
 * read, and then nobody orders one in its place.
 */
export async function isInFile(file: string | undefined, hostname: string): Promise<boolean> {
  if (file === undefined) return false
  const certificate = new X509Certificate(await readFile(file))
  return certificate.checkHost(hostname, { subject: 'never' }) !== undefined
}
