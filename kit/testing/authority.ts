import { randomBytes, webcrypto } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const
const dayMs = 86_400_000
const serialNumber = () => `4${randomBytes(16).toString('hex').slice(1)}`
const newKeys = () => webcrypto.subtle.generateKey(curve, true, ['sign', 'verify'])
const isAddress = (name: string) => /^[\d.]+$/.test(name)

type Validity = { notBefore?: Date; notAfter?: Date }

/** An authority of a test, which signs for whatever it is told to. */
export async function createTestAuthority(name = 'Test authority') {
  const keys = await newKeys()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [name] }],
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 3650 * dayMs),
    signingAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  })

  async function sign(
    publicKey: x509.PublicKeyType,
    names: readonly string[],
    { notBefore = new Date(Date.now() - 60_000), notAfter }: Validity = {},
  ): Promise<string> {
    const made = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: [{ CN: ['Test'] }],
      issuer: root.subjectName,
      notBefore,
      notAfter: notAfter ?? new Date(notBefore.getTime() + 90 * dayMs),
      signingAlgorithm,
      publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isAddress(value) ? 'ip' : 'dns', value }) as const),
        ),
      ],
    })
    return `${made.toString('pem')}\n`
  }

  return {
    /** What clients trust, as PEM. */
    certificate: `${root.toString('pem')}\n`,
    sign,
    /** A new key and a certificate for these names, as PEM. */
    async issue(names: readonly string[], validity?: Validity) {
      const own = await newKeys()
      const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey))
      const key = `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END PRIVATE KEY-----\n`
      return { key, certificate: await sign(own.publicKey, names, validity) }
    },
  }
}
export type TestAuthority = Awaited<ReturnType<typeof createTestAuthority>>
