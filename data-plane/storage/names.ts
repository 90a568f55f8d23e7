import { StorageError } from './errors.ts'

const inBucketNames = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]+$/
const inKeys = /^[A-Za-z0-9_!.*'() &$=@;:+,?/-]+$/

/** A bucket as somebody may make it: 1 to 100 characters of the contract's set, no slash, no space at its ends. */
export function checkBucketName(name: string): void {
  if (name.length > 100 || !inBucketNames.test(name) || name.trim() !== name) {
    throw new StorageError('InvalidBucketName', 'Bucket name invalid')
  }
}

/**
 * A key as somebody may make it: up to 1,024 bytes of the contract's set, without empty parts. Bytes are stored under
 * another name, so parts like `..` lead nowhere; they are refused all the same, since clients resolve them in addresses.
 * With `folders` it may end with a slash: tools of the S3 protocol make such objects to stand for folders.
 */
export function checkKey(key: string, { folders = false } = {}): void {
  const parts = (folders ? key.replace(/\/$/, '') : key).split('/')
  const strange = parts.some((part) => part === '' || part === '.' || part === '..')
  if (key.length > 1024 || !inKeys.test(key) || strange) throw invalidKey(key)
}

export const invalidKey = (key: string): StorageError =>
  new StorageError('InvalidKey', `Invalid key: ${key.slice(0, 1024)}`)
