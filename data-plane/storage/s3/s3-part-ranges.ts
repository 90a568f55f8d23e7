import type { ByteRange } from '../backends/backend.ts'
import type { Content } from '../transfer/download-headers.ts'
import type { PartSizes, StoredObject } from '../objects-store.ts'
import { headerOf, numberOf, type S3Call } from './s3-call.ts'
import { S3Error } from './s3-errors.ts'

export const maxParts = 10_000

export function partSizesOf(sizes: readonly number[]): PartSizes {
  const runs: PartSizes = []
  for (const size of sizes) {
    const last = runs.at(-1)
    if (last?.[0] === size) last[1] += 1
    else runs.push([size, 1])
  }
  return runs
}

/** @throws S3Error */
export function partNumberOf(call: Pick<S3Call, 'query'>): number {
  const number = numberOf(call, 'partNumber', { least: 1, max: maxParts })
  if (number > maxParts)
    throw new S3Error('InvalidArgument', `partNumber is a number from 1 to ${maxParts}`)
  return number
}

/** The bytes of one part of an object. Without `parts` it was not made of any, and is its own first one. */
export type ObjectPart = { range: ByteRange; parts: number | undefined }

/** The part that is asked for by its number; undefined: none is. @throws S3Error */
export function partOf(
  call: Pick<S3Call, 'query' | 'request'>,
  { metadata }: Pick<StoredObject, 'metadata'>,
  { size }: Pick<Content, 'size'>,
): ObjectPart | undefined {
  if (!call.query.has('partNumber')) return undefined
  const number = partNumberOf(call)
  if (headerOf(call, 'range') !== undefined)
    throw new S3Error('InvalidRequest', 'Request a part or a range, not both')
  const runs = knownSizes(metadata?.partSizes, size)
  let [start, before] = [0, 0]
  for (const [each, count] of runs ?? [[size, 1]]) {
    const inside = number - before - 1
    if (inside < count) {
      const first = start + inside * each
      const parts = runs?.reduce((sum, [, many]) => sum + many, 0)
      return { range: { start: first, end: first + each - 1 }, parts }
    }
    start += each * count
    before += count
  }
  throw new S3Error('InvalidPartNumber', 'The object has no part of this number')
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/** Rows can be written by hand: sizes that do not add up to the bytes there are count as none. */
function knownSizes(value: unknown, size: number): PartSizes | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const runs = value.map((run: unknown) => (Array.isArray(run) ? (run as unknown[]) : []))
  const isWhole = runs.every(
    (run): run is [number, number] => run.length === 2 && run.every(isCount),
  )
  if (!isWhole) return undefined
  return runs.reduce((sum, [each, count]) => sum + each * count, 0) === size ? runs : undefined
}
