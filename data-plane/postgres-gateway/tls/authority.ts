import { randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname } from 'node:path'

/** Only programs that take connections need it. */
async function library() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** The installation's own authority: whoever trusts its certificate knows the servers that it has signed for. */
export type Authority = { key: webcrypto.CryptoKey; certificate: string }
/** A key and its certificate, as PEM. */
export type KeyPair = { key: string; certificate: string }

const dayMs = 86_400_000
const authorityDays = 3650
/** With less left it is written anew, for the same key: who trusts the former one trusts the new one, too. */
const authorityLeftDays = 730
/** Clocks of clients may be slow. */
const backdatedMs = 3_600_000
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const
const name = [{ CN: ['Plinth database authority'] }]

const pemOf = (label: string, bytes: ArrayBuffer) =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`
const part = (text: string, label: string) =>
  new RegExp(`-----BEGIN ${label}-----\\s([\\s\\S]+?)-----END ${label}-----`).exec(text)
/** Positive, and of 16 bytes. */
const serial = () => `4${randomBytes(16).toString('hex').slice(1)}`
const newKeys = () => webcrypto.subtle.generateKey(curve, true, ['sign', 'verify'])
const exported = async (key: webcrypto.CryptoKey) =>
  pemOf('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', key))

async function selfSigned(keys: webcrypto.CryptoKeyPair, now: number): Promise<string> {
  const x509 = await library()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name,
    notBefore: new Date(now - backdatedMs),
    notAfter: new Date(now + authorityDays * dayMs),
    signingAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

/** Of an authority that was written to a file. @throws Error where that is none */
async function readAuthority(file: string) {
  const text = await readFile(file, 'utf8')
  const [, base64 = ''] = part(text, 'PRIVATE KEY') ?? []
  const [certificate = ''] = part(text, 'CERTIFICATE') ?? []
  try {
    const key = await webcrypto.subtle.importKey(
      'pkcs8',
      Buffer.from(base64, 'base64'),
      curve,
      true,
      ['sign'],
    )
    return { key, certificate: `${certificate}\n`, until: validUntil(certificate) }
  } catch {
    throw new Error(`${file} does not hold a key and its certificate`)
  }
}

/** When a certificate (PEM) ends, in milliseconds. */
export const validUntil = (certificate: string): number =>
  Date.parse(new X509Certificate(certificate).validTo)

/** Puts it there whole or not at all; `isNew`: unless another process was first. */
async function write(file: string, text: string, isNew: boolean): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(aside, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (!isNew) return rename(aside, file)
  try {
    await link(aside, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(aside)
  }
}

/**
 * The authority that `file` holds; the first start makes it. Nobody else can read the file, and the key stands nowhere else.
 * @throws Error where the file holds something else
 */
export async function loadAuthority(
  file: string,
  now: () => number = Date.now,
): Promise<Authority> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const found = await readAuthority(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!found) {
    const keys = await newKeys()
    const text = (await exported(keys.privateKey)) + (await selfSigned(keys, now()))
    await write(file, text, true)
    const { key, certificate } = await readAuthority(file)
    return { key, certificate }
  }
  await chmod(file, 0o600)
  const { key, certificate, until } = found
  if (until - now() > authorityLeftDays * dayMs) return { key, certificate }
  const publicKey = await publicKeyOf(certificate)
  const renewed = await selfSigned({ privateKey: key, publicKey }, now())
  await write(file, (await exported(key)) + renewed, false)
  return { key, certificate: renewed }
}

async function publicKeyOf(certificate: string): Promise<webcrypto.CryptoKey> {
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return webcrypto.subtle.importKey('spki', spki, curve, true, ['verify'])
}

/** Addresses and names by which a server is reached; of a name also the names directly below it. */
function alternatives(hosts: readonly string[]) {
  return [...new Set(hosts)].flatMap((host): { type: 'ip' | 'dns'; value: string }[] =>
    isIP(host) === 0
      ? [
          { type: 'dns', value: host },
          { type: 'dns', value: `*.${host}` },
        ]
      : [{ type: 'ip', value: host }],
  )
}

/** A new key and a certificate for a server at these hosts, good for `days`. */
export async function issue(
  { key, certificate }: Authority,
  hosts: readonly string[],
  days: number,
  now: number,
): Promise<KeyPair> {
  const x509 = await library()
  const authority = new x509.X509Certificate(certificate)
  const keys = await newKeys()
  const made = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [{ CN: ['Plinth databases'] }],
    issuer: authority.subjectName,
    notBefore: new Date(now - backdatedMs),
    notAfter: new Date(now + days * dayMs),
    signingAlgorithm,
    publicKey: keys.publicKey,
    signingKey: key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternatives(hosts)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
    ],
  })
  return { key: await exported(keys.privateKey), certificate: `${made.toString('pem')}\n` }
}
