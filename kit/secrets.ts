import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Envelope encryption of secrets at rest: AES-256-GCM under a key derived from the master key. Sealed text is
 * `v1.<base64url of nonce + tag + ciphertext>`; `identity` is bound as additional data, so a sealed value that is
 * copied to another row does not open there.
 */
export type Secrets = {
  seal(plaintext: string, identity: string): string
  /** @throws Error when the text was not sealed by this key for this identity. */
  open(sealed: string, identity: string): string
  /** A secret for one purpose, always the same for the same master key; 64 hexadecimal digits. */
  derive(purpose: string): string
}

const nonceBytes = 12
const tagBytes = 16

export function createSecrets(masterKey: Buffer): Secrets {
  if (masterKey.length !== 32) throw new Error('The master key must have 32 bytes')
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'plinth envelope v1', 32))
  return {
    derive: (purpose) =>
      Buffer.from(hkdfSync('sha256', masterKey, '', `plinth purpose ${purpose}`, 32)).toString(
        'hex',
      ),
    seal(plaintext, identity) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(identity))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, identity) {
      if (!sealed.startsWith('v1.')) throw new Error('Not a sealed value')
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      if (bytes.length < nonceBytes + tagBytes) throw new Error('Not a sealed value')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(identity))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') +
        decipher.final('utf8')
      )
    },
  }
}

/** Keys that appear in examples and tutorials: starting with one of them would protect nothing. */
const knownKeys = [
  Buffer.alloc(32, 0),
  Buffer.alloc(32, 0xff),
  Buffer.from('0123456789abcdef'.repeat(2)),
]

/**
 * The master key: from the environment (64 hex digits), else from `file` (0600), which the first start makes.
 * @throws Error with one line that says what is wrong.
 */
export function loadMasterKey(file: string, fromEnvironment?: string): Buffer {
  return fromEnvironment === undefined
    ? parseMasterKey(readOrMake(file), file)
    : parseMasterKey(fromEnvironment, 'PLINTH_MASTER_KEY')
}

/** `where` it was found. @throws Error with one line that says what is wrong. */
export function parseMasterKey(hex: string, where: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new Error(`${where} must hold 64 hexadecimal digits; make one with: openssl rand -hex 32`)
  }
  const key = Buffer.from(hex, 'hex')
  if (knownKeys.some((known) => known.equals(key))) {
    throw new Error(`${where} is a well-known value; make one with: openssl rand -hex 32`)
  }
  return key
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Written aside and linked into place, so that two first starts agree on one key and a crash leaves none in part. */
export function readOrMake(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const aside = `${file}.${process.pid}`
    writeFileSync(aside, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
    try {
      linkSync(aside, file)
      // What is sealed with it from now on can never be opened without it.
      syncFolder(dirname(file))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    } finally {
      rmSync(aside)
    }
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8').trim()
}
