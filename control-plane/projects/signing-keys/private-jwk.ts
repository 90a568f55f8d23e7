import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  sign,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import {
  signingAlgorithms,
  type PrivateJwk,
  type SigningAlgorithm,
} from '#contract/projects/signing-keys'
import { ApiError } from '#kit/errors'

const generate = promisify(generateKeyPair)

/** Fewest and most bits of an RSA key: less is no protection, more costs every request that is verified. */
const rsaBits = { least: 2048, max: 4096 }
/** Fewest and most bytes of a shared secret (RFC 7518 §3.2). */
const secretBytes = { least: 32, max: 512 }
const longestKid = 200

/** Makes a key: private, as a JWK. */
export async function newPrivateJwk(algorithm: SigningAlgorithm): Promise<PrivateJwk> {
  switch (algorithm) {
    case 'HS256':
      return { kty: 'oct', k: randomBytes(64).toString('base64url') }
    case 'RS256':
      return exported(await generate('rsa', { modulusLength: rsaBits.least }))
    case 'ES256':
      return exported(await generate('ec', { namedCurve: 'P-256' }))
    case 'EdDSA':
      return exported(await generate('ed25519'))
  }
}

const exported = ({ privateKey }: { privateKey: KeyObject }): PrivateJwk => ({
  ...privateKey.export({ format: 'jwk' }),
})

/** The algorithm that a key says it is for. @throws ApiError invalid_input */
export function algorithmOf(jwk: PrivateJwk): SigningAlgorithm {
  const found = signingAlgorithms.find((algorithm) => algorithm === jwk['alg'])
  if (!found) throw refused(`alg must be one of ${signingAlgorithms.join(', ')}`)
  return found
}

/**
 * What people bring along, with nothing in it but the key itself, after one signature by it was made and verified.
 * @throws ApiError invalid_input when it is not private, or not a key for this algorithm. No words of the key are in it.
 */
export function readPrivateJwk(algorithm: SigningAlgorithm, jwk: PrivateJwk) {
  const { alg, kid, use } = jwk
  if (alg !== undefined && alg !== algorithm) throw refused(`alg is not ${algorithm}`)
  if (use !== undefined && use !== 'sig') throw refused('use is not "sig"')
  if (kid !== undefined && !(typeof kid === 'string' && /^[\x20-\x7e]+$/.test(kid)))
    throw refused('kid must be a text of printable characters')
  if (kid !== undefined && kid.length > longestKid) throw refused('kid is too long')
  const own = algorithm === 'HS256' ? readSecret(jwk) : readPair(algorithm, jwk)
  return { jwk: own, kid }
}

function readSecret({ kty, k }: PrivateJwk): PrivateJwk {
  if (kty !== 'oct' || typeof k !== 'string') throw refused('a shared secret has kty "oct" and k')
  const bytes = Buffer.from(k, 'base64url')
  if (bytes.toString('base64url') !== k.replace(/=+$/, '')) throw refused('k is not base64url')
  if (bytes.length < secretBytes.least || bytes.length > secretBytes.max)
    throw refused(`k must hold ${secretBytes.least} to ${secretBytes.max} bytes`)
  return { kty, k: bytes.toString('base64url') }
}

const kinds = {
  RS256: { kty: 'RSA', crv: undefined },
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
} as const

function readPair(algorithm: Exclude<SigningAlgorithm, 'HS256'>, jwk: PrivateJwk): PrivateJwk {
  const { kty, crv } = kinds[algorithm]
  if (jwk['kty'] !== kty) throw refused(`a key for ${algorithm} has kty "${kty}"`)
  if (crv !== undefined && jwk['crv'] !== crv)
    throw refused(`a key for ${algorithm} has crv "${crv}"`)
  if (typeof jwk['d'] !== 'string') throw refused('it is not private: d is missing')
  const key = read(jwk)
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && (bits < rsaBits.least || bits > rsaBits.max))
    throw refused(`an RSA key must have ${rsaBits.least} to ${rsaBits.max} bits`)
  return exported({ privateKey: key })
}

function read(jwk: PrivateJwk): KeyObject {
  try {
    // Its fields are unknown values; the reader refuses what is no key.
    const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' })
    const [data, hash] = [randomBytes(32), key.asymmetricKeyType === 'ed25519' ? null : 'sha256']
    const publicKey = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    if (verify(hash, data, publicKey, sign(hash, data, key))) return key
  } catch {
    // The reader's words could quote the key.
  }
  throw refused('it cannot be read, or its private half does not belong to its public one')
}

const refused = (why: string) => new ApiError('invalid_input', `private_jwk: ${why}`)
