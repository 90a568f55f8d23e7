import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Takes bytes and says at the end what they add up to, in base64. */
export type Checksum = { update(chunk: Uint8Array): void; digest(): string }

/** The names of the protocol: `x-amz-checksum-...` */
export const checksumNames = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const
export type ChecksumName = (typeof checksumNames)[number]
export const isChecksumName = (name: string): name is ChecksumName =>
  checksumNames.some((known) => known === name)

export function checksum(name: ChecksumName | 'md5'): Checksum {
  if (name === 'crc32') return crc32Checksum()
  if (name === 'crc32c') return crc32cChecksum()
  if (name === 'crc64nvme') return crc64Checksum()
  const hash = createHash(name)
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest('base64') }
}

function base64Of(...words: number[]): string {
  const bytes = Buffer.alloc(words.length * 4)
  for (const [at, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, at * 4)
  return bytes.toString('base64')
}

function crc32Checksum(): Checksum {
  let value = 0
  return {
    update: (chunk) => {
      value = crc32(chunk, value)
    },
    digest: () => base64Of(value),
  }
}

/** The remainders of all bytes by a polynomial whose bits stand in reverse. */
function remainders(polynomial: bigint): bigint[] {
  return Array.from({ length: 256 }, (_, byte) => {
    let rest = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) rest = rest & 1n ? (rest >> 1n) ^ polynomial : rest >> 1n
    return rest
  })
}

const castagnoli = Uint32Array.from(remainders(0x82f63b78n), Number)

function crc32cChecksum(): Checksum {
  let value = 0xffffffff
  return {
    update: (chunk) => {
      let rest = value
      for (let at = 0; at < chunk.length; at++)
        rest = (castagnoli[(rest ^ (chunk[at] ?? 0)) & 255] ?? 0) ^ (rest >>> 8)
      value = rest
    },
    digest: () => base64Of(value ^ 0xffffffff),
  }
}

const nvme = remainders(0x9a6c9329ac4bc9b5n)
const nvmeHigh = Uint32Array.from(nvme, (word) => Number(word >> 32n))
const nvmeLow = Uint32Array.from(nvme, (word) => Number(word & 0xffffffffn))

/** In two halves: numbers of 64 bits are slow. */
function crc64Checksum(): Checksum {
  let [high, low] = [0xffffffff, 0xffffffff]
  return {
    update: (chunk) => {
      for (let at = 0; at < chunk.length; at++) {
        const index = (low ^ (chunk[at] ?? 0)) & 255
        low = ((low >>> 8) | (high << 24)) ^ (nvmeLow[index] ?? 0)
        high = (high >>> 8) ^ (nvmeHigh[index] ?? 0)
      }
    },
    digest: () => base64Of(high ^ 0xffffffff, low ^ 0xffffffff),
  }
}
