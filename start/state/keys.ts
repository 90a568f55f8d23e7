import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { StateError } from './layout.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/i)
const Keys = z.strictObject({
  masterKey: hex,
  platformPassword: z.string().min(1),
  /** Of the manifest, so that nobody without the passphrase can change what is restored. */
  manifest: hex,
})
export type Keys = z.infer<typeof Keys>

const Sealed = z.strictObject({
  version: z.literal(1),
  /** Scrypt, with 128 MB of memory. */
  kdf: z.strictObject({
    n: z.literal(131_072),
    r: z.literal(8),
    p: z.literal(1),
    salt: z.string(),
  }),
  nonce: z.string(),
  tag: z.string(),
  text: z.string(),
})
const cost = { n: 131_072, r: 8, p: 1 } as const
const algorithm = 'aes-256-gcm'
const associated = Buffer.from('plinth platform backup keys v1')

/** Letters of the shortest passphrase. */
export const shortestPassphrase = 12

const keyFrom = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { n: N, r, p } = cost
    scrypt(passphrase.normalize('NFC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

/** The text of the file that holds the keys. */
export async function sealKeys(keys: Keys, passphrase: string): Promise<string> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(algorithm, await keyFrom(passphrase, salt), nonce)
  cipher.setAAD(associated)
  const text = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()])
  return JSON.stringify({
    version: 1,
    kdf: { ...cost, salt: salt.toString('base64') },
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    text: text.toString('base64'),
  })
}

/** @throws StateError where the passphrase is another one, or the text was changed: the two cannot be told apart */
export async function openKeys(text: string, passphrase: string): Promise<Keys> {
  const found = Sealed.safeParse(jsonOf(text))
  if (!found.success) throw new StateError('the backup is damaged: its keys cannot be read')
  const { kdf, nonce, tag, text: sealed } = found.data
  const bytes = (base64: string) => Buffer.from(base64, 'base64')
  const key = await keyFrom(passphrase, bytes(kdf.salt))
  try {
    const decipher = createDecipheriv(algorithm, key, bytes(nonce), { authTagLength: 16 })
    decipher.setAAD(associated).setAuthTag(bytes(tag))
    const opened = Buffer.concat([decipher.update(bytes(sealed)), decipher.final()])
    return Keys.parse(JSON.parse(opened.toString('utf8')))
  } catch (error) {
    throw new StateError('the passphrase is not the one of this backup, or its keys are damaged', {
      cause: error,
    })
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
