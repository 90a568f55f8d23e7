import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** A device with keys, as far as a server can tell: ES256, no attestation. */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const device = {
    counter: 0,
    userVerified: true,
    id: id.toString('base64url'),
    userHandle: undefined as string | undefined,
  }
  type Where = { origin: string; rpId?: string; challenge?: string }

  const clientData = (type: string, challenge: string, { origin }: Where) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  /** Hash of the name, flags (present, verified, key attached), count, and the key. */
  function authenticatorData(rpId: string, attached: Buffer): Buffer {
    device.counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(device.counter)
    const flags = 1 + (device.userVerified ? 4 : 0) + (attached.length > 0 ? 64 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attached])
  }

  return Object.assign(device, {
    /** What a browser makes of options to create a key. */
    create(
      options: { challenge: string; rp: { id?: string }; user: { id: string } },
      where: Where,
    ) {
      const challenge = where.challenge ?? options.challenge
      device.userHandle = options.user.id
      const length = Buffer.from([0, id.length])
      const attached = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const data = authenticatorData(where.rpId ?? options.rp.id ?? '', attached)
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ])
      return credential(device.id, {
        clientDataJSON: clientData('webauthn.create', challenge, where).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    /** What it makes of options to sign with one. */
    get(options: { challenge: string; rpId?: string }, where: Where) {
      const client = clientData('webauthn.get', where.challenge ?? options.challenge, where)
      const data = authenticatorData(where.rpId ?? options.rpId ?? '', Buffer.alloc(0))
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return credential(device.id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: device.userHandle,
      })
    },
  })
}

const credential = <R>(id: string, response: R) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  response,
  clientExtensionResults: {},
})

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** RFC 8949, as much of it as a key and its wrapping need. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) + value])
  if (value < 256) return Buffer.from([(major << 5) + 24, value])
  return Buffer.from([(major << 5) + 25, value >> 8, value & 255])
}
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborMap = (pairs: [Buffer, Buffer][]) =>
  Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])

/** EC2 key of curve P-256 for ES256 (RFC 9053). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = (text: string) => cborBytes(Buffer.from(text, 'base64url'))
  return cborMap([
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), point(x)],
    [cborInt(-3), point(y)],
  ])
}
