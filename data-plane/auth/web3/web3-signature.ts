import { createPublicKey, verify } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

/** A raw key of Ed25519 as SPKI: everything but the 32 bytes at its end is always the same. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether the owner of a Solana address signed a text. `signature` is 64 bytes in base64 or base64url. */
export function isSignedBySolana(address: string, message: string, signature: string): boolean {
  const key = bytesOf(() => base58.decode(address))
  const signed = Buffer.from(signature, 'base64')
  if (key?.length !== 32 || signed.length !== 64 || !/^[\w+/=-]+$/.test(signature)) return false
  const spki = Buffer.concat([ed25519Prefix, key])
  const owner = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(message), owner, signed)
}

/** The address, in small letters, whose owner signed a text (EIP-191); undefined when nobody can have signed it so. */
export function ethereumSigner(message: string, signature: string): string | undefined {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return undefined
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) return undefined
  const text = Buffer.from(message)
  const digest = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]),
  )
  const key = bytesOf(() => {
    const recovered = Buffer.concat([Buffer.from([recovery]), bytes.subarray(0, 64)])
    const point = secp256k1.recoverPublicKey(new Uint8Array(recovered), digest, { prehash: false })
    return secp256k1.Point.fromBytes(point).toBytes(false)
  })
  // The address is the end of the hash of the point without its first byte, which only says how it is written.
  return key && `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex')}`
}

/** What the function reads; undefined when it cannot: then it was no address or no signature. */
function bytesOf(read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
