import { createHmac } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { UploadAnswer } from '#contract/database/table-transfer'
import { ApiError } from '#kit/errors'
import { sameSecret } from '#kit/ids'
import { DetailedError } from '../../failures.ts'
import {
  isDiskFull,
  type ImportKey,
  type ImportRecord,
  type ImportSpool,
} from './row-import-spool.ts'

const tokenMs = 3_600_000

/**
 * Lets who has it write the file of one import, which was begun by somebody who may, and nothing else: what becomes of
 * the file is up to calls that are authorized each time.
 */
export function uploadToken(secret: string, key: ImportKey, until = Date.now() + tokenMs): string {
  return `${until}.${signatureOf(secret, key, until)}`
}

/** Also tells that the parts of the key are names of our own making. */
export function isUploadToken(secret: string, key: ImportKey, token: string): boolean {
  const [until = '', signature = ''] = token.split('.')
  if (!/^\d{1,15}$/.test(until) || Number(until) < Date.now()) return false
  return sameSecret(signature, signatureOf(secret, key, Number(until)))
}

const signatureOf = (secret: string, { ref, id }: ImportKey, until: number) =>
  createHmac('sha256', secret).update(`import upload ${ref} ${id} ${until}`).digest('base64url')

/**
 * Takes bytes of a file as they come, and keeps what has come when they are cut off.
 * @throws ApiError conflict, body_too_large, not_found or disk_full
 */
export async function takeUpload(
  spool: ImportSpool,
  key: ImportKey,
  offset: number,
  { body, length }: { body: Readable; length: number | undefined },
): Promise<UploadAnswer> {
  return spool.alone(key, async () => {
    const record = await spool.read(key)
    if (!record) throw new ApiError('not_found', 'There is no such import')
    await goesOnAt(spool, record, offset, length ?? 0)
    const { size } = record.input.file
    await spool.appendEach(key, offset, upTo(size - offset, body)).catch(refuseFull)
    return { received: await spool.received(key) }
  })
}

async function* upTo(max: number, body: Readable): AsyncGenerator<Uint8Array> {
  let taken = 0
  // A request without a parser of text gives its bytes.
  for await (const bytes of body as AsyncIterable<Buffer>) {
    taken += bytes.length
    if (taken > max) throw tooLong()
    yield bytes
  }
}

/** @throws ApiError unless so many bytes, which begin at an offset, are what comes next of the file */
export async function goesOnAt(
  spool: ImportSpool,
  { id, who: { ref }, phase, input: { file } }: ImportRecord,
  offset: number,
  length: number,
): Promise<void> {
  if (phase !== 'receiving') throw new ApiError('conflict', 'The file is complete')
  const received = await spool.received({ ref, id })
  if (offset !== received)
    throw new DetailedError('conflict', `The file continues at byte ${received}`, { received })
  if (received + length > file.size) throw tooLong()
}

const tooLong = () => new ApiError('body_too_large', 'The file is larger than announced')

export const noRoom = () =>
  new ApiError('disk_full', 'There is not enough disk space for this file')

export function refuseFull(error: unknown): never {
  throw isDiskFull(error) ? noRoom() : error
}
