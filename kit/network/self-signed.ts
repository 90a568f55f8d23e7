import { createSign, randomBytes, type KeyObject } from 'node:crypto'

type Keys = {
  publicKey: KeyObject
  privateKey: KeyObject
  commonName: string
  /** UTC; never, unless told. */
  until?: Date
}

/**
 * A certificate of an RSA key, signed by the key itself, as base64 of its DER: for places that want a public key in this
 * form and trust it for where it stands, as metadata of SAML do. It says nothing else and does not run out (RFC 5280 §4.1.2.5).
 */
export function selfSigned({ publicKey, privateKey, commonName, until }: Keys): string {
  // sha256WithRSAEncryption, 1.2.840.113549.1.1.11
  const algorithm = sequence(der(6, Buffer.from('2a864886f70d01010b', 'hex')), der(5))
  // commonName, 2.5.4.3
  const called = sequence(der(6, Buffer.from('550403', 'hex')), der(12, Buffer.from(commonName)))
  const name = sequence(der(0x31, called))
  const validity = sequence(
    der(23, Buffer.from('200101000000Z')),
    der(24, Buffer.from(until ? timeOf(until) : noEnd)),
  )
  // Positive, as serial numbers are.
  const serial = der(2, Buffer.concat([Buffer.from([1]), randomBytes(15)]))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(serial, algorithm, name, validity, name, key)
  const signature = createSign('sha256').update(body).sign(privateKey)
  return sequence(body, algorithm, der(3, Buffer.from([0]), signature)).toString('base64')
}

const noEnd = '99991231235959Z'
/** GeneralizedTime, such as 20301231235959Z. */
const timeOf = (at: Date) => at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
