import type { Readable } from 'node:stream'

/** Where some bytes lie: those of one version of one object. Versions are made by us (UUIDs) and never used twice. */
export type Place = { ref: string; version: string }
/** The first and the last byte, both included. */
export type ByteRange = { start: number; end: number }
export type Written = {
  size: number
  /** 32 hexadecimal digits. */
  md5: string
}

/** There are no bytes at this place. */
export class NoBytesError extends Error {}

/**
 * Where the bytes of all projects lie. What was written at a place is never changed, so a reader sees one version whole,
 * whatever happens to the object meanwhile. `testing/storage/backend-conformance.ts` says how each kind has to behave.
 */
export type Backend = {
  /** Resolves once the bytes survive a crash. When the source fails, nothing is at the place. */
  write(place: Place, source: AsyncIterable<Uint8Array>): Promise<Written>
  /** The bytes as a stream; it has begun when this resolves. @throws NoBytesError */
  read(place: Place, range?: ByteRange): Promise<Readable>
  /** Bytes at a place. @throws NoBytesError */
  size(place: Place): Promise<number>
  /** @throws NoBytesError when there is nothing at `from` */
  copy(from: Place, to: Place): Promise<void>
  /** All parts one behind the other; the parts stay. @throws NoBytesError */
  join(parts: readonly Place[], to: Place): Promise<Written>
  /** Places without bytes are passed over. */
  remove(places: readonly Place[]): Promise<void>
  /** All that lies there of a project, with the time at which it came, in ms since 1970. */
  list(ref: string): AsyncIterable<{ version: string; at: number }>
  /** All of a project. */
  removeProject(ref: string): Promise<void>
}
