import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** An upload that began in this browser and has not ended: with the same file it goes on where it was. */
export type Interrupted = {
  ref: string
  bucket: string
  path: string
  size: number
  modified: number
  at: number
}
type Sent = { ref: string; bucket: string; path: string; file: File }

/** Milliseconds that the server keeps the beginning of a file. */
const life = 24 * 3_600_000
/** As many are remembered at most. */
const max = 200

export const useInterrupted = create<{ list: readonly Interrupted[] }>()(
  persist((): { list: readonly Interrupted[] } => ({ list: [] }), {
    name: 'plinth.storage-uploads',
  }),
)

/** Which upload goes on with which file. */
export const fingerprintOf = ({ ref, bucket, path, file }: Sent) =>
  ['plinth', ref, bucket, path, file.size, file.lastModified].join('/')

const isSame = (one: Pick<Interrupted, 'ref' | 'bucket' | 'path'>, other: typeof one) =>
  one.ref === other.ref && one.bucket === other.bucket && one.path === other.path

export function rememberInterrupted({ ref, bucket, path, file }: Sent): void {
  const now = Date.now()
  const { size, lastModified: modified } = file
  useInterrupted.setState(({ list }) => ({
    list: [
      { ref, bucket, path, size, modified, at: now },
      ...list.filter((one) => !isSame(one, { ref, bucket, path }) && now - one.at < life),
    ].slice(0, max),
  }))
}

export const forgetInterrupted = (of: Pick<Interrupted, 'ref' | 'bucket' | 'path'>) =>
  useInterrupted.setState(({ list }) => ({ list: list.filter((one) => !isSame(one, of)) }))

/** Whether this is the file that was being sent. */
export const isFileOf = ({ size, modified }: Interrupted, file: File) =>
  file.size === size && file.lastModified === modified
