import { z } from 'zod'
import type { Session } from './connections.ts'
import { askJson, send, type Api } from './http.ts'
import { attempt } from './source-store.ts'
import {
  BucketRow,
  ListedRow,
  ObjectRow,
  objectOf,
  type Bucket,
  type StoredObject,
} from './storage-rows.ts'
import { countObjects, readBuckets, readObjects } from './storage-store.ts'

const perPage = 500

/** What the storage of a source holds: by its database, which knows all of it, or by its API. */
export type StorageSource = {
  buckets(): Promise<Bucket[]>
  objects(bucket: string): AsyncIterable<StoredObject[]>
  /** Undefined where only reading everything would tell. */
  count(bucket: string): Promise<number | undefined>
}

export const storageOfDatabase = (source: Session): StorageSource => ({
  buckets: async () =>
    (await attempt(source, () => readBuckets(source))).map((row) => BucketRow.parse(row)),
  count: (bucket) => attempt(source, () => countObjects(source, bucket)),
  async *objects(bucket) {
    let after = ''
    for (;;) {
      const rows = await attempt(source, () => readObjects(source, bucket, after, perPage))
      const page = rows.map((row) => objectOf(bucket, ObjectRow.parse(row)))
      if (page.length > 0) yield page
      if (page.length < perPage) return
      after = page.at(-1)?.name ?? after
    }
  },
})

const Listed = z.array(ListedRow)
const Info = z.looseObject({ metadata: z.record(z.string(), z.unknown()).nullish() })

export const storageOfApi = (api: Api): StorageSource => ({
  buckets: () => askJson(api, '/storage/v1/bucket', z.array(BucketRow)),
  count: () => Promise.resolve(undefined),
  objects: (bucket) => listFolder(api, bucket, ''),
})

/** One level at a time, as every version of the service can: what has no id is a folder. */
async function* listFolder(
  api: Api,
  bucket: string,
  folder: string,
): AsyncIterable<StoredObject[]> {
  const folders: string[] = []
  for (let offset = 0; ; offset += perPage) {
    const json = {
      prefix: folder,
      limit: perPage,
      offset,
      sortBy: { column: 'name', order: 'asc' },
    }
    const path = `/storage/v1/object/list/${encodeURIComponent(bucket)}`
    const listed = await askJson(api, path, Listed, { method: 'POST', json })
    const page: StoredObject[] = []
    for (const row of listed) {
      const name = folder === '' ? row.name : `${folder}/${row.name}`
      if (row.id === null) folders.push(name)
      else
        page.push({
          ...objectOf(bucket, ObjectRow.parse(row), name),
          ...(await metadataOf(api, bucket, name)),
        })
    }
    if (page.length > 0) yield page
    if (listed.length < perPage) break
  }
  for (const name of folders) if (isReachable(name)) yield* listFolder(api, bucket, name)
}

/** A list does not tell what people have said of an object. */
async function metadataOf(
  api: Api,
  bucket: string,
  name: string,
): Promise<{ userMetadata: Record<string, unknown> | null }> {
  const path = objectPath('object/info', bucket, name)
  if (path === undefined) return { userMetadata: null }
  const answer = await send(api, path)
  if (answer.statusCode !== 200) {
    await answer.body.dump()
    return { userMetadata: null }
  }
  const metadata = Info.safeParse(await answer.body.json()).data?.metadata
  return { userMetadata: metadata && Object.keys(metadata).length > 0 ? metadata : null }
}

/** Parts that mean another place in an address are not sent in one. */
export const isReachable = (name: string) =>
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** The address of an object below a project's; undefined when no address leads to it. */
export const objectPath = (verb: string, bucket: string, name: string) =>
  isReachable(name) && isReachable(bucket)
    ? `/storage/v1/${verb}/${[bucket, ...name.split('/')].map(encodeURIComponent).join('/')}`
    : undefined
