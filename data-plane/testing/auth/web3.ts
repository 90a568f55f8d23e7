import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

/** A wallet for Solana, as the client library knows wallets. */
export function newSolanaWallet() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const address = base58.encode(new Uint8Array(raw))
  const signed = (message: string) => sign(null, Buffer.from(message), privateKey)
  return {
    address,
    sign: (message: string) => signed(message).toString('base64url'),
    publicKey: { toBase58: () => address },
    signMessage: async (message: Uint8Array) =>
      new Uint8Array(signed(Buffer.from(message).toString())),
  }
}

/** A wallet for Ethereum. */
export function newEthereumWallet() {
  const key = new Uint8Array(randomBytes(32))
  const point = secp256k1.Point.fromBytes(secp256k1.getPublicKey(key)).toBytes(false)
  const address = `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString('hex')}`
  return {
    address,
    sign(message: string): string {
      const text = Buffer.from(message)
      const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`)
      const digest = keccak_256(Buffer.concat([prefix, text]))
      const signature = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
      const v = Buffer.from([27 + (signature[0] ?? 0)])
      return `0x${Buffer.concat([signature.subarray(1), v]).toString('hex')}`
    },
  }
}

type Parts = {
  domain?: string
  uri?: string
  address: string
  issued?: Date
  chainId?: string
  version?: string
  more?: string[]
}

/** A message of EIP-4361. */
export function siwe({
  domain = 'localhost:3000',
  uri = `http://${domain}/in`,
  address,
  issued = new Date(),
  chainId = '1',
  version = '1',
  more = [],
}: Parts) {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Let me in',
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    'Nonce: 12345678',
    `Issued At: ${issued.toISOString()}`,
    ...more,
  ].join('\n')
}
