import { z } from 'zod'
import type { Session } from './connections.ts'
import { askJson, send } from './http.ts'
import type { Api } from './run.ts'
import { attempt } from './source-store.ts'
import { countObjects, readBuckets, readObjects } from './storage-store.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null)
const uuid = z
  .uuid()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

const BucketRow = z
  .object({
    id: z.string(),
    name: z.string(),
    public: z.boolean().nullish(),
    type: text,
    file_size_limit: z.number().nullish(),
    allowed_mime_types: z.array(z.string()).nullish(),
    owner: uuid,
    owner_id: text,
    created_at: text,
  })
  .transform((row) => ({
    id: row.id,
    name: row.name,
    public: row.public ?? false,
    type: row.type ?? 'STANDARD',
    fileSizeLimit: row.file_size_limit ?? null,
    mimeTypes: row.allowed_mime_types ?? null,
    owner: row.owner,
    ownerId: row.owner_id ?? row.owner,
    createdAt: row.created_at,
  }))
export type Bucket = z.output<typeof BucketRow>

const Metadata = z.looseObject({
  size: z.number().nullish(),
  eTag: text,
  mimetype: text,
  cacheControl: text,
  contentDisposition: z.string().optional(),
  contentEncoding: z.string().optional(),
  contentLanguage: z.string().optional(),
  expires: z.string().optional(),
})

const ObjectRow = z.object({
  id: uuid,
  name: z.string(),
  owner: uuid,
  owner_id: text,
  metadata: Metadata.nullish().catch(null),
  user_metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  created_at: text,
  updated_at: text,
  last_accessed_at: text,
})

const objectOf = (bucket: string, row: z.output<typeof ObjectRow>, name = row.name) => {
  const { size, eTag, mimetype, cacheControl, contentDisposition, contentEncoding } =
    row.metadata ?? {}
  const { contentLanguage, expires } = row.metadata ?? {}
  const kept = { contentDisposition, contentEncoding, contentLanguage, expires }
  return {
    bucket,
    name,
    id: row.id,
    owner: row.owner,
    ownerId: row.owner_id ?? row.owner,
    size: size ?? null,
    /** Of the bytes, where the source has it: what came in parts has another kind of tag. */
    md5: /^"?([0-9a-f]{32})"?$/.exec(eTag ?? '')?.[1] ?? null,
    mimetype: mimetype ?? 'application/octet-stream',
    cacheControl: cacheControl ?? null,
    userMetadata: row.user_metadata ?? null,
    kept: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastAccessedAt: row.last_accessed_at,
  }
}
export type StoredObject = ReturnType<typeof objectOf>

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

const Listed = z.array(ObjectRow.extend({ id: text }))
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
          ...(await toldOf(api, bucket, name)),
        })
    }
    if (page.length > 0) yield page
    if (listed.length < perPage) break
  }
  for (const name of folders) if (isReachable(name)) yield* listFolder(api, bucket, name)
}

/** A list does not tell what people have said of an object. */
async function toldOf(
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
  const told = Info.safeParse(await answer.body.json()).data?.metadata
  return { userMetadata: told && Object.keys(told).length > 0 ? told : null }
}

/** Parts that mean another place in an address are not sent in one. */
export const isReachable = (name: string) =>
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** The address of an object below a project's; undefined when no address leads to it. */
export const objectPath = (verb: string, bucket: string, name: string) =>
  isReachable(name) && isReachable(bucket)
    ? `/storage/v1/${verb}/${[bucket, ...name.split('/')].map(encodeURIComponent).join('/')}`
    : undefined
