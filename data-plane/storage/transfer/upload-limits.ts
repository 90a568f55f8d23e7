import { StorageError } from '../errors.ts'

/** What of a bucket limits what goes into it. */
export type Limits = { fileSizeLimit: number; mimeTypes: readonly string[] | null }

const tooLarge = () =>
  new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size')

/** @throws StorageError when so many bytes are told, or have come, that it cannot become an object of the bucket */
export function checkSize(size: number, { fileSizeLimit }: Limits): void {
  if (size > fileSizeLimit) throw tooLarge()
}

/** Passes bytes on until there are too many. */
export async function* limited(
  source: AsyncIterable<Uint8Array>,
  limits: Limits,
): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    checkSize(size, limits)
    yield chunk
  }
}

/** `image/*` allows all of a kind, and all of its parameters. */
export function checkMimeType(type: string, { mimeTypes }: Limits): void {
  if (!mimeTypes || mimeTypes.length === 0) return
  const bare = (type.split(';')[0] ?? '').trim().toLowerCase()
  const allows = (pattern: string) => {
    const allowed = pattern.trim().toLowerCase()
    if (allowed === '*' || allowed === '*/*' || allowed === bare) return true
    return allowed.endsWith('/*') && bare.startsWith(allowed.slice(0, -1))
  }
  if (!mimeTypes.some(allows))
    throw new StorageError('InvalidMimeType', `mime type ${type} is not supported`)
}

/** A type as a header can carry it. @throws StorageError */
export function checkedType(type: string): string {
  if (type.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(?:;[\x20-\x7e]*)?$/.test(type))
    return type
  throw new StorageError('InvalidMimeType', 'Invalid Content-Type header')
}

const units: Record<string, number> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** Bytes of a limit as people write it: 1048576, "20MB". @throws StorageError */
export function parseSizeLimit(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined) return null
  const [, amount, unit = 'B'] = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)?$/i.exec(String(value)) ?? []
  const bytes = Math.floor(Number(amount) * (units[unit.toUpperCase()] ?? Number.NaN))
  if (!Number.isSafeInteger(bytes)) {
    throw new StorageError(
      'InvalidParameter',
      'file_size_limit must be a number of bytes or a size such as "20MB"',
    )
  }
  return bytes
}
