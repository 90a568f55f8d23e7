import type { Statement } from '../../projects/transaction.ts'
import type { Kept } from '../objects-store.ts'

/** What tells these from uploads that can break off and go on, which share their tables. */
const kind = 's3'

/** An upload in parts. */
export type PartedUpload = {
  id: string
  bucket_id: string
  key: string
  owner_id: string | null
  user_metadata: Record<string, unknown> | null
  metadata: { mimetype: string; cacheControl: string } & Kept
  created_at: string
}
export type Part = {
  part_number: number
  version: string
  size: number
  /** The MD5 of its bytes, 32 hexadecimal digits. */
  etag: string
  created_at: string
}
export type NewPart = Omit<Part, 'created_at'>

const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const upload = `jsonb_build_object('id', u.id, 'bucket_id', u.bucket_id, 'key', u.key, 'owner_id', u.owner_id,
  'user_metadata', u.user_metadata, 'metadata', u.metadata, 'created_at', ${iso('u.created_at')})`
const part = `jsonb_build_object('part_number', p.part_number, 'version', p.version, 'size', p.size,
  'etag', p.etag, 'created_at', ${iso('p.created_at')})`

export const saveParted = (made: Omit<PartedUpload, 'created_at'>): Statement => ({
  text: `insert into storage.s3_multipart_uploads
    (id, upload_signature, bucket_id, key, version, owner_id, user_metadata, metadata)
    values ($1, '${kind}', $2, $3, $1, $4, $5::jsonb, $6::jsonb)`,
  values: [
    made.id,
    made.bucket_id,
    made.key,
    made.owner_id,
    made.user_metadata && JSON.stringify(made.user_metadata),
    JSON.stringify(made.metadata),
  ],
})

export const findParted = (id: string, bucket: string, key: string): Statement => ({
  text: `select ${upload} from storage.s3_multipart_uploads u
    where u.id = $1 and u.bucket_id = $2 and u.key = $3 and u.upload_signature = '${kind}'`,
  values: [id, bucket, key],
})

/** One upload under way, or the first part of the keys of several: up to the first delimiter behind the prefix. */
export type UploadOrPrefix = { upload: PartedUpload | null; common: string | null }

/**
 * Uploads under way, by key and id, behind a key or one upload of it; all, or those of an owner. Where the key is itself
 * what several have in common, behind all of these. A page of them is read off the index.
 */
export const listParted = (ask: {
  bucket: string
  prefix: string
  delimiter: string
  afterKey: string
  afterId: string
  max: number
  owner: string | null
  isAll: boolean
}): Statement => ({
  text: `with cut as (
      select u.*, case when $8 = '' then 0 else strpos(substr(u.key, length($2) + 1), $8) end as at
      from storage.s3_multipart_uploads u
      where u.bucket_id = $1 and u.upload_signature = '${kind}'
        and u.key >= $2 and u.key < storage.prefix_end($2) collate "C"
        and ($3 = '' or (u.key, u.id) > ($3, $4) and (u.key > $3 or $4 <> ''))
        and ($6::boolean or u.owner_id = $7)
    ), named as (
      select *, case when at > 0 then left(key, length($2) + at + length($8) - 1) end as common from cut
    ), beside as (
      select *, lag(common) over (order by key, id) as before from named where common is distinct from $3
    )
    select jsonb_build_object('common', u.common, 'upload', case when u.common is null then ${upload} end) from beside u
    where u.common is null or u.common is distinct from u.before order by u.key, u.id limit $5::int`,
  values: [
    ask.bucket,
    ask.prefix,
    ask.afterKey,
    ask.afterId,
    String(ask.max),
    String(ask.isAll),
    ask.owner,
    ask.delimiter,
  ],
})

export const partsAfter = (id: string, after: number, max: number): Statement => ({
  text: `select ${part} from storage.s3_multipart_uploads_parts p
    where p.upload_id = $1 and p.part_number > $2::int order by p.part_number limit $3::int`,
  values: [id, String(after), String(max)],
})

/**
 * The part in the place of an older one of its number, unless all parts together become too large; then, and when the
 * upload has ended, there is no row. After `lockUpload`.
 */
export const putPart = (id: string, made: NewPart, largest: number): Statement => ({
  text: `with room as (
      select u.* from storage.s3_multipart_uploads u where u.id = $1 and $3::bigint + (
        select coalesce(sum(p.size), 0) from storage.s3_multipart_uploads_parts p
        where p.upload_id = $1 and p.part_number <> $2::int) <= $6::bigint
    ), gone as (
      delete from storage.s3_multipart_uploads_parts p using room
      where p.upload_id = room.id and p.part_number = $2::int returning p.version
    ), made as (
      insert into storage.s3_multipart_uploads_parts
        (upload_id, part_number, size, bucket_id, key, etag, owner_id, version)
      select id, $2::int, $3::bigint, bucket_id, key, $4, owner_id, $5 from room returning created_at
    )
    select jsonb_build_object('created_at', ${iso('made.created_at')},
      'replaced', coalesce((select jsonb_agg(version) from gone), '[]')) from made`,
  values: [
    id,
    String(made.part_number),
    String(made.size),
    made.etag,
    made.version,
    String(largest),
  ],
})

/** What nobody has completed in time; its bytes are the scrubber's. */
export const removeAbandoned = (days: number): Statement => ({
  text: `delete from storage.s3_multipart_uploads where id in (select id from storage.s3_multipart_uploads
    where upload_signature = '${kind}' and created_at < now() - $1::int * interval '1 day' limit 100)`,
  values: [String(days)],
})
