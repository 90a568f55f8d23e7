import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { NoBytesError } from '../backends/backend.ts'
import { StorageError } from '../errors.ts'
import type { Storage } from '../transfer/uploads.ts'

const prefix = 'choice-'

/**
 * What somebody has chosen to save as an archive lies with the bytes of the project: it is too long for an address. No row
 * names it, so that the scrubber removes it a day later, when the address is good no more.
 */
export async function keepChoice(
  { backend, ref }: Pick<Storage, 'backend' | 'ref'>,
  paths: readonly string[],
): Promise<string> {
  const version = prefix + randomUUID()
  await backend.write(
    { ref, version },
    (async function* () {
      yield Buffer.from(JSON.stringify(paths))
    })(),
  )
  return version
}

export const isChoice = (version: string): boolean => version.startsWith(prefix)

/** @throws StorageError */
export async function choiceOf(
  { backend, ref }: Pick<Storage, 'backend' | 'ref'>,
  version: string,
): Promise<string[]> {
  if (!isChoice(version)) throw new StorageError('InvalidSignature', 'Invalid signature')
  try {
    // We have written it ourselves.
    return JSON.parse(await text(await backend.read({ ref, version }))) as string[]
  } catch (error) {
    if (error instanceof NoBytesError)
      throw new StorageError('ExpiredToken', 'The archive is no longer available')
    throw error
  }
}
