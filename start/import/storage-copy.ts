import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { RefusedError } from '../manage/manage-client.ts'
import { messageOf } from './connections.ts'
import { AnswerError, refusal, send, type Api } from './http.ts'
import { objectPath } from './storage-source.ts'
import type { StoredObject } from './storage-rows.ts'

/** Before an object is tried once more, in ms. */
const pauses = [500, 3000]

/**
 * Streams one object from the source to the target. What breaks off is tried again; the bytes are compared with what the
 * source's row says of them. Answers why it is not here.
 */
export async function copyObject(
  source: Api,
  target: Api,
  object: StoredObject,
  mayReplace: boolean,
): Promise<string | undefined> {
  const from = objectPath('object/authenticated', object.bucket, object.name)
  const to = objectPath('object', object.bucket, object.name)
  if (from === undefined || to === undefined) return 'no address leads to a name like this'
  for (let tries = 0; ; tries += 1) {
    try {
      return await copyOnce(source, from, target, to, object, mayReplace || tries > 0)
    } catch (error) {
      if (error instanceof AnswerError && error.status < 500) return error.message
      const pause = pauses[tries]
      // One object in the way of all others would be worse than an object that is missing and told of.
      if (pause === undefined) return messageOf(error)
      await delay(pause)
    }
  }
}

async function copyOnce(
  source: Api,
  from: string,
  target: Api,
  to: string,
  object: StoredObject,
  mayReplace: boolean,
): Promise<string | undefined> {
  const answer = await send(source, from)
  if (answer.statusCode !== 200) throw await refusal(source, answer)
  const hash = createHash('md5')
  let size = 0
  const counted = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash.update(bytes)
      size += bytes.length
      done(null, bytes)
    },
  })
  answer.body.on('error', (error) => counted.destroy(error))
  try {
    const body = answer.body.pipe(counted)
    const stored = await send(target, to, {
      method: 'POST',
      headers: sent(object, mayReplace),
      body,
    })
    if (stored.statusCode !== 200) throw await refusal(target, stored)
    await stored.body.dump()
  } finally {
    // A target that refuses it has not read it to its end.
    answer.body.destroy()
  }
  const isShort = object.size !== null && object.size !== size
  const isOther = object.md5 !== null && object.md5 !== hash.digest('hex')
  if (isShort || isOther) {
    const what = isShort ? `${size} bytes came instead of ${object.size}` : 'its bytes have changed'
    throw new RefusedError(`${what}: it was written to meanwhile, or broke off`)
  }
  return undefined
}

const printableHeader = (text: string | null) =>
  text !== null && /^[\x20-\x7e]{1,255}$/.test(text) ? text : undefined

function sent(object: StoredObject, mayReplace: boolean): Record<string, string> {
  const cacheControl = printableHeader(object.cacheControl)
  const metadata = object.userMetadata
  return {
    'content-type': printableHeader(object.mimetype) ?? 'application/octet-stream',
    'x-upsert': String(mayReplace),
    ...(cacheControl === undefined ? {} : { 'cache-control': cacheControl }),
    ...(metadata === null
      ? {}
      : { 'x-metadata': Buffer.from(JSON.stringify(metadata)).toString('base64') }),
  }
}
