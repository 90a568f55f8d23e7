import type { Statement } from '../projects/transaction.ts'

/** Headers of an upload that come again with every download. */
export type Kept = Partial<
  Record<'contentDisposition' | 'contentEncoding' | 'contentLanguage' | 'expires', string>
>
/** Sizes of parts in their order, each with how many parts in a row have it: nearly all of an upload have the same. */
export type PartSizes = [size: number, count: number][]

export type ObjectMetadata = Kept & {
  eTag: string
  size: number
  mimetype: string
  cacheControl: string
  lastModified: string
  contentLength: number
  httpStatusCode: number
  /** Of an object that was uploaded in parts. */
  partSizes?: PartSizes
}
export type StoredObject = {
  id: string
  name: string
  bucket_id: string
  owner: string | null
  owner_id: string | null
  /** Null: a row that was written by hand, without bytes. */
  version: string | null
  metadata: Partial<ObjectMetadata> | null
  user_metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
  last_accessed_at: string
}
export type NewObject = {
  bucket: string
  name: string
  version: string
  owner: string | null
  metadata: ObjectMetadata
  userMetadata: Record<string, unknown> | null
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isUuid = (text: string | null): boolean => text !== null && uuid.test(text)

const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const objectJson = (o = 'o'): string =>
  `jsonb_build_object('id', ${o}.id, 'name', ${o}.name, 'bucket_id', ${o}.bucket_id, 'owner', ${o}.owner,
  'owner_id', ${o}.owner_id, 'version', ${o}.version, 'metadata', ${o}.metadata, 'user_metadata', ${o}.user_metadata,
  'created_at', ${iso(`${o}.created_at`)}, 'updated_at', ${iso(`${o}.updated_at`)},
  'last_accessed_at', ${iso(`${o}.last_accessed_at`)})`

export const findObject = (bucket: string, name: string): Statement => ({
  text: `select ${objectJson()} from storage.objects o where o.bucket_id = $1 and o.name = $2`,
  values: [bucket, name],
})

export const findObjects = (bucket: string, names: readonly string[]): Statement => ({
  text: `select to_jsonb(o.name) from storage.objects o where o.bucket_id = $1
    and o.name in (select jsonb_array_elements_text($2::jsonb))`,
  values: [bucket, JSON.stringify(names)],
})

/** Who changes a key waits for who else does, so that each learns whose bytes it has replaced. */
export const lockKey = (bucket: string, name: string): Statement => ({
  text: "select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2, 7))",
  values: [bucket, name],
})

const values = ({ bucket, name, version, owner, metadata, userMetadata }: NewObject) => [
  bucket,
  name,
  version,
  isUuid(owner) ? owner : null,
  owner,
  JSON.stringify(metadata),
  userMetadata && JSON.stringify(userMetadata),
]
const into = `insert into storage.objects (bucket_id, name, version, owner, owner_id, metadata, user_metadata)
  select $1, $2, $3, $4::uuid, $5, $6::jsonb, $7::jsonb`
const replacing = `on conflict (bucket_id, name) do update set version = excluded.version, owner = excluded.owner,
  owner_id = excluded.owner_id, metadata = excluded.metadata, user_metadata = excluded.user_metadata`

/** Without rows: to see what one has made takes a policy more than to make it. */
export const insertObject = (object: NewObject, upsert: boolean): Statement => ({
  text: upsert ? `${into} ${replacing}` : into,
  values: values(object),
})

/**
 * The new row, and the version whose bytes it has replaced; after `lockKey`. No row comes back when there is no object with
 * the ETag of `ifMatch`.
 */
export const commitObject = (
  object: NewObject,
  { upsert, ifMatch }: { upsert: boolean; ifMatch?: string | undefined },
): Statement => ({
  text: `with old as (select version, metadata->>'eTag' as tag from storage.objects where bucket_id = $1 and name = $2),
    made as (${into} where $8::text is null or exists (select from old where $8 in ('*', trim('"' from tag)))
      ${upsert ? replacing : ''} returning *)
    select ${objectJson('made')} || jsonb_build_object('replaced', (select version from old)) from made`,
  values: [...values(object), ifMatch ?? null],
})

export const deleteObjects = (bucket: string, names: readonly string[]): Statement => ({
  text: `delete from storage.objects o where o.bucket_id = $1
    and o.name in (select jsonb_array_elements_text($2::jsonb)) returning ${objectJson()}`,
  values: [bucket, JSON.stringify(names)],
})

/** A part of what is in a bucket, whatever it is. */
export const deleteSome = (bucket: string, max: number): Statement => ({
  text: `delete from storage.objects where id in
    (select id from storage.objects where bucket_id = $1 limit $2::int) returning to_jsonb(id)`,
  values: [bucket, String(max)],
})

/** The bytes stay where they are: they lie under the version. */
export const moveObject = (
  from: { bucket: string; name: string },
  to: { bucket: string; name: string },
): Statement => ({
  text: `update storage.objects o set bucket_id = $3, name = $4
    where o.bucket_id = $1 and o.name = $2 returning ${objectJson()}`,
  values: [from.bucket, from.name, to.bucket, to.name],
})

/** The same of all that are named; all or none, since one that is in the way stops the statement. */
export const moveObjects = (
  from: { bucket: string; names: readonly string[] },
  to: { bucket: string; names: readonly string[] },
): Statement => ({
  text: `update storage.objects o set bucket_id = $3, name = pair.target
    from unnest((select array_agg(value order by ordinality) from jsonb_array_elements_text($2::jsonb) with ordinality),
      (select array_agg(value order by ordinality) from jsonb_array_elements_text($4::jsonb) with ordinality)) as pair (source, target)
    where o.bucket_id = $1 and o.name = pair.source returning to_jsonb(o.id)`,
  values: [from.bucket, JSON.stringify(from.names), to.bucket, JSON.stringify(to.names)],
})

/** Which of these versions some row, the trash, or an upload under way still names; only the owner sees all of them. */
export const knownVersions = (versions: readonly string[]): Statement => ({
  text: `select to_jsonb(v) from jsonb_array_elements_text($1::jsonb) v
    where exists (select from storage.objects where version = v)
      or exists (select from storage.trash where version = v)
      or exists (select from storage.s3_multipart_uploads_parts where version = v)`,
  values: [JSON.stringify(versions)],
})

/** Versions in the order of their text, behind `after`. */
export const versionsAfter = (after: string, max: number): Statement => ({
  text: `select to_jsonb(version) from storage.objects
    where version > $1 order by version limit $2::int`,
  values: [after, String(max)],
})
