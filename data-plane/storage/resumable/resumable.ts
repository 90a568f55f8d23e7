import { randomUUID } from 'node:crypto'
import { rowsOf, subjectOf } from '../access.ts'
import type { Written } from '../backends/backend.ts'
import { StorageError } from '../errors.ts'
import {
  addPiece,
  finishUpload,
  findUpload,
  lockUpload,
  removeExpired,
  removeUpload,
  saveUpload,
  type NewUpload,
  type ResumableUpload,
} from './resumable-store.ts'
import { commit, forget, metadataOf, rehearse, type Storage } from '../transfer/uploads.ts'

/** An upload can be gone on with for so long (contract §5). */
export const lifeSeconds = 24 * 60 * 60

const operation = 'storage.tus.upload.part'
const noUpload = () => new StorageError('NoSuchUpload', 'Upload not found')

/** Uploads of one caller that can break off and go on. All that is known of one is in the database and in its pieces. */
export function resumableUploads(storage: Storage, may: { pass: (upload: Whose) => boolean }) {
  const { access, backend, ref } = storage
  const service = (...statements: Parameters<typeof access.asService>[0]['statements'][number][]) =>
    access.asService({ operation, statements })

  async function find(id: string): Promise<ResumableUpload> {
    const [rows] = await service(findUpload(id))
    const [upload] = rowsOf<ResumableUpload>(rows)
    // Who may not go on with it does not learn that it is there.
    if (!upload || !may.pass(upload)) throw noUpload()
    return upload
  }

  async function begin(upload: NewUpload): Promise<void> {
    await service(removeExpired(lifeSeconds), saveUpload(upload))
  }

  /** Takes what comes. The offset that is reached. */
  async function write(id: string, offset: number, source: AsyncIterable<Uint8Array>) {
    const version = randomUUID()
    const { size, md5 } = await backend.write({ ref, version }, source)
    const [, rows] =
      size === 0 ? [] : await service(lockUpload(id), addPiece(id, offset, { version, size, md5 }))
    if (rows?.length !== 1) {
      await forget(storage, [version])
      if (size > 0)
        throw new StorageError('ResourceLocked', 'Another request has continued this upload', {
          status: 409,
        })
    }
    return offset + size
  }

  /** Makes the object, once all of it has come. What fails here is made up for when somebody asks how far it is. */
  async function finish(id: string): Promise<void> {
    const upload = await find(id)
    const { bucket_id: bucket, key: name, metadata, parts, user_metadata: userMetadata } = upload
    if (metadata.isFinished) return
    const target = { bucket, name, upsert: metadata.upsert, operation: 'storage.tus.upload.finish' }
    const version = randomUUID()
    const { size, md5 } = await joined(parts, version)
    try {
      await commit(storage, target, {
        version,
        metadata: metadataOf({ ...metadata, userMetadata }, { size, eTag: `"${md5}"` }),
        userMetadata,
        owner: upload.owner_id,
      })
    } catch (error) {
      if (error instanceof StorageError) await forget(storage, [version])
      // Who asked at the same time has made it.
      if ((await find(id)).metadata.isFinished) return
      throw error
    }
    await service(...finishUpload(id))
    await forget(
      storage,
      parts.map((part) => part.version),
    )
  }

  async function joined(parts: ResumableUpload['parts'], version: string): Promise<Written> {
    const to = { ref, version }
    const [first, ...more] = parts
    if (!first) return backend.write(to, nothing())
    if (more.length > 0)
      return backend.join(
        parts.map((part) => ({ ref, version: part.version })),
        to,
      )
    await backend.copy({ ref, version: first.version }, to)
    return { size: first.size, md5: first.etag }
  }

  async function remove(id: string): Promise<void> {
    const { parts } = await find(id)
    await service(removeUpload(id))
    await forget(
      storage,
      parts.map((part) => part.version),
    )
  }

  return { find, begin, write, finish, remove }
}

export type Whose = Pick<ResumableUpload, 'bucket_id' | 'key' | 'owner_id'>

/** Their own, and the service's every one. */
export const ownUploads = ({ access: { identity } }: Storage) => ({
  pass: ({ owner_id: owner }: Whose) =>
    identity.role === 'service_role' || owner === subjectOf(identity),
})

/** Whether policies let the caller begin an upload. @throws StorageError */
export const mayBegin = (storage: Storage, upload: NewUpload): Promise<void> =>
  rehearse(
    storage,
    {
      bucket: upload.bucket_id,
      name: upload.key,
      upsert: upload.metadata.upsert,
      operation: 'storage.tus.upload.create',
    },
    upload.metadata.mimetype,
  )

/** How many bytes of an upload have come. */
export const offsetOf = ({ metadata, parts }: ResumableUpload): number =>
  metadata.isFinished ? metadata.size : parts.reduce((sum, part) => sum + part.size, 0)

async function* nothing(): AsyncIterable<Uint8Array> {}
