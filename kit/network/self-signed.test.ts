import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from './self-signed.ts'

test('a certificate holds the key, is signed by it and has no end', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const made = selfSigned({ publicKey, privateKey, commonName: 'Käse & Co' })
  const certificate = new X509Certificate(Buffer.from(made, 'base64'))
  expect(certificate.subject).toBe('CN=Käse & Co')
  expect(certificate.verify(publicKey)).toBe(true)
  expect(certificate.checkPrivateKey(privateKey)).toBe(true)
  expect(new Date(certificate.validTo).getFullYear()).toBe(9999)
})
