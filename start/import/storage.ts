import { refusalOf } from './apply.ts'
import { createMutex, type Limiter } from '#kit/concurrency'
import { failpoint } from '#kit/failpoints'
import { AnswerError, askJson, type Api } from './http.ts'
import { z } from 'zod'
import type { Base } from './parts.ts'
import { copyObject } from './storage-copy.ts'
import type { StorageSource } from './storage-source.ts'
import type { Bucket, StoredObject } from './storage-rows.ts'
import { bucketHere, completeBucket, completeObject, objectHere } from './storage-store.ts'
import { inTransaction } from './state-store.ts'

const atOnce = 4
const anything = z.unknown()

/** Buckets, then what is in each; the limits of a bucket at the end, since what it holds may be older than they are. */
export async function importStorage(run: Base, from: StorageSource, source: Api): Promise<void> {
  const { report, isRehearsal, notify } = run
  const buckets = await from.buckets()
  report.count('storage', 'bucket', { found: buckets.length })
  for (const bucket of buckets) {
    if (isRehearsal) {
      report.count('storage', 'object', { found: (await from.count(bucket.id)) ?? 0 })
      continue
    }
    if (!(await makeBucket(run, bucket))) continue
    let done = 0
    for await (const page of from.objects(bucket.id)) {
      await importPage(run, source, page)
      done += page.length
      notify(`storage: ${bucket.id}, ${done} objects looked at`)
    }
    await limitBucket(run, bucket)
  }
}

/** Answers whether there is a bucket for the objects. */
async function makeBucket(
  { target, targetApi, state, report }: Base,
  bucket: Bucket,
): Promise<boolean> {
  if (await state.find('bucket', bucket.id)) {
    report.count('storage', 'bucket', { before: 1 })
    return true
  }
  const leave = (reason: string) => report.leave('storage', 'bucket', bucket.id, reason)
  if (bucket.type !== 'STANDARD') {
    leave(`buckets of the type ${bucket.type} are not offered here`)
    return false
  }
  const { id, name, public: isPublic } = bucket
  const isThere = await bucketHere(target, id)
  // Made by a run that was ended before it could say so; any other is somebody else's: objects go in, and the rest stays.
  if (isThere && !(await state.find('bucket begun', id))) {
    report.count('storage', 'bucket', { before: 1 })
    return true
  }
  try {
    await state.note('bucket begun', id)
    const json = { id, name, public: isPublic }
    if (!isThere) await askJson(targetApi, '/storage/v1/bucket', anything, { method: 'POST', json })
    failpoint('import.bucket:made')
    await inTransaction(target, async () => {
      await completeBucket(target, bucket)
      await state.note('bucket', id)
    })
    report.count('storage', 'bucket', { imported: 1 })
    return true
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error
    leave(error.message)
    return false
  }
}

async function limitBucket({ targetApi, state, report }: Base, bucket: Bucket): Promise<void> {
  const { id, fileSizeLimit, mimeTypes } = bucket
  const isOurs = (await state.find('bucket', id)) !== undefined
  if (!isOurs || (fileSizeLimit === null && mimeTypes === null)) return
  if (await state.find('limits', id)) return
  try {
    const json = {
      public: bucket.public,
      file_size_limit: fileSizeLimit,
      allowed_mime_types: mimeTypes,
    }
    const path = `/storage/v1/bucket/${encodeURIComponent(id)}`
    await askJson(targetApi, path, anything, { method: 'PUT', json })
    await state.note('limits', id)
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error
    report.leave('storage', 'limits of a bucket', id, error.message)
  }
}

/** A few at a time; what is here already is not read again. */
async function importPage(run: Base, source: Api, page: readonly StoredObject[]): Promise<void> {
  const { state, report } = run
  const known = await state.known('object', page.map(keyOf))
  report.count('storage', 'object', { found: page.length, before: known.size })
  const waiting = page.filter((object) => !known.has(keyOf(object)))
  // Transactions of one session, one after the other.
  const exclusively = createMutex()
  const worker = async () => {
    for (let object = waiting.shift(); object; object = waiting.shift())
      await importObject(run, source, object, exclusively)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const keyOf = ({ bucket, name }: StoredObject) => `${bucket}/${name}`

async function importObject(
  run: Base,
  source: Api,
  object: StoredObject,
  exclusively: Limiter,
): Promise<void> {
  const { target, targetApi, state, report } = run
  const key = keyOf(object)
  const leave = (reason: string) => report.leave('storage', 'object', key, reason)
  const [here, begun] = await exclusively(async () => [
    await objectHere(target, object.bucket, object.name),
    await state.find('upload', key),
  ])
  const isSame =
    here !== undefined && here.size === object.size && here.md5 !== null && here.md5 === object.md5
  if (here && !isSame && !begun) return leave('another object has this name here, and stays')
  if (!isSame) {
    await exclusively(() => state.note('upload', key))
    const failure = await copyObject(source, targetApi, object, begun !== undefined)
    if (failure !== undefined) return leave(failure)
  }
  try {
    await exclusively(() =>
      inTransaction(target, async () => {
        await completeObject(target, object)
        await state.note('object', key)
      }),
    )
    report.count('storage', 'object', { imported: 1 })
  } catch (error) {
    leave(`its bytes are here, its owner and times are not: ${refusalOf(error).reason}`)
  }
}
