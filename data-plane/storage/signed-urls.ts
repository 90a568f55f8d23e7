import { createHmac, timingSafeEqual } from 'node:crypto'
import { StorageError } from './errors.ts'

/** What an address that is signed allows, and nothing else. */
export type Grant = {
  scope: 'download' | 'render' | 'upload' | 'archive'
  /** Bucket and key, joined by a slash; of an archive, bucket and what was chosen. */
  url: string
  /** Of an image: how it is rendered. */
  transformations?: Record<string, unknown>
  /** Of an upload: who it is from, and whether it may replace what is there. */
  owner?: string | null
  upsert?: boolean
}

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

/** The key is made for this alone: what it signs is no login, and what signs logins opens no object. */
const keyOf = (sealingKey: string) =>
  createHmac('sha256', Buffer.from(sealingKey, 'hex')).update('signed urls of storage').digest()

const signature = (text: string, sealingKey: string) =>
  createHmac('sha256', keyOf(sealingKey)).update(text).digest()

/** A token that is good for so many seconds. */
export function signGrant(grant: Grant, seconds: number, sealingKey: string): string {
  const now = Math.floor(Date.now() / 1000)
  const payload = JSON.stringify({ ...grant, iat: now, exp: now + seconds })
  const text = `${header}.${Buffer.from(payload).toString('base64url')}`
  return `${text}.${signature(text, sealingKey).toString('base64url')}`
}

/** @throws StorageError for a token of another kind, of another object, or one that has expired */
export function verifyGrant(
  token: string | undefined,
  expected: Pick<Grant, 'scope' | 'url'>,
  sealingKey: string,
): Grant {
  const wrong = () =>
    expected.scope === 'upload'
      ? new StorageError('InvalidUploadSignature', 'Invalid signature')
      : new StorageError('InvalidSignature', 'Invalid signature')
  if (!token)
    throw new StorageError('InvalidSignature', "querystring must have required property 'token'")
  const [first = '', payload = '', sign = '', ...more] = token.split('.')
  const [ours, theirs] = [
    signature(`${first}.${payload}`, sealingKey),
    Buffer.from(sign, 'base64url'),
  ]
  const isPlain = more.length === 0 && theirs.toString('base64url') === sign
  if (!isPlain || theirs.length !== ours.length || !timingSafeEqual(ours, theirs)) {
    throw new StorageError('InvalidJWT', 'signature verification failed')
  }
  // Our own signature is on it, so it is what signGrant wrote.
  const grant = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Grant & { exp: number }
  if (grant.exp * 1000 <= Date.now()) {
    throw new StorageError('ExpiredToken', '"exp" claim timestamp check failed', {
      error: 'InvalidJWT',
    })
  }
  if (grant.scope !== expected.scope || grant.url !== expected.url) throw wrong()
  return grant
}
