import type { Statement } from '../projects/transaction.ts'
import { isUuid } from './objects-store.ts'

export type Bucket = {
  id: string
  name: string
  owner: string
  owner_id: string | null
  public: boolean
  type: 'STANDARD' | 'ANALYTICS' | 'VECTOR'
  file_size_limit: number | null
  allowed_mime_types: string[] | null
  created_at: string
  updated_at: string
}
export type BucketChange = Partial<
  Pick<Bucket, 'public' | 'file_size_limit' | 'allowed_mime_types'>
>

const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const columns = `jsonb_build_object('id', id, 'name', name, 'owner', coalesce(owner::text, ''), 'owner_id', owner_id,
  'public', coalesce(public, false), 'type', type, 'file_size_limit', file_size_limit,
  'allowed_mime_types', to_jsonb(allowed_mime_types),
  'created_at', ${iso('created_at')}, 'updated_at', ${iso('updated_at')})`

export const findBucket = (id: string): Statement => ({
  text: `select ${columns} from storage.buckets where id = $1`,
  values: [id],
})

const sortable = ['id', 'name', 'created_at', 'updated_at'] as const
export type BucketSort = (typeof sortable)[number]
export const isBucketSort = (text: string): text is BucketSort => sortable.some((s) => s === text)

export const listBuckets = (ask: {
  limit: number | null
  offset: number
  sort: BucketSort
  descending: boolean
  search: string
}): Statement => ({
  text: `select ${columns} from storage.buckets where $1 = '' or strpos(lower(name), lower($1)) > 0
    order by ${ask.sort} ${ask.descending ? 'desc' : 'asc'}, id limit $2 offset $3`,
  values: [ask.search, ask.limit === null ? null : String(ask.limit), String(ask.offset)],
})

/** No row comes back: to see what one has made takes a policy more than to make it. */
export const insertBucket = (
  bucket: Pick<Bucket, 'id' | 'name' | 'public' | 'file_size_limit' | 'allowed_mime_types'>,
  owner: string | null,
): Statement => ({
  text: `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
    values ($1, $2, $3::uuid, $4, $5::boolean, $6::bigint, (select array_agg(value) from jsonb_array_elements_text($7::jsonb)))`,
  values: [
    bucket.id,
    bucket.name,
    isUuid(owner) ? owner : null,
    owner,
    String(bucket.public),
    bucket.file_size_limit === null ? null : String(bucket.file_size_limit),
    bucket.allowed_mime_types && JSON.stringify(bucket.allowed_mime_types),
  ],
})

/** Only what is named changes; null takes a limit away. */
export function updateBucket(id: string, change: BucketChange): Statement {
  return {
    text: `update storage.buckets set updated_at = now(),
      public = case when $2::jsonb ? 'public' then ($2::jsonb ->> 'public')::boolean else public end,
      file_size_limit = case when $2::jsonb ? 'file_size_limit'
        then ($2::jsonb ->> 'file_size_limit')::bigint else file_size_limit end,
      allowed_mime_types = case when $2::jsonb ? 'allowed_mime_types' then (select array_agg(value)
        from jsonb_array_elements_text(nullif($2::jsonb -> 'allowed_mime_types', 'null'))) else allowed_mime_types end
      where id = $1 returning to_jsonb(id)`,
    values: [id, JSON.stringify(change)],
  }
}

export const deleteBucket = (id: string): Statement => ({
  text: 'delete from storage.buckets where id = $1 returning to_jsonb(id)',
  values: [id],
})

export const hasObjects = (id: string): Statement => ({
  text: `select to_jsonb(true) from storage.objects where bucket_id = $1
    union all select to_jsonb(true) from storage.s3_multipart_uploads where bucket_id = $1 limit 1`,
  values: [id],
})

/** The beginnings of uploads that have not come to an end; the versions of what had come of them. */
export const deleteUploads = (id: string): Statement => ({
  text: `with gone as (delete from storage.s3_multipart_uploads where bucket_id = $1 returning id)
    select to_jsonb(part.version) from storage.s3_multipart_uploads_parts part join gone on gone.id = part.upload_id`,
  values: [id],
})
