import { z } from 'zod'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null)
const uuid = z
  .uuid()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

export const BucketRow = z
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

export const ObjectRow = z.object({
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

/** As the API lists it: a folder has no id, and what else is one need not be a UUID. */
export const ListedRow = ObjectRow.extend({ id: text })

export const objectOf = (bucket: string, row: z.output<typeof ObjectRow>, name = row.name) => {
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
