import type { Statement } from '../../projects/transaction.ts'

/** What tells these from the uploads in parts of another protocol, which share their tables. */
const kind = 'tus'

/** An upload that comes in pieces; each piece is bytes of their own until all have come. */
export type ResumableUpload = {
  id: string
  bucket_id: string
  key: string
  owner_id: string | null
  user_metadata: Record<string, unknown> | null
  metadata: {
    size: number
    mimetype: string
    cacheControl: string
    upsert: boolean
    /** As the client has told it, for the client. */
    told: Record<string, string | null>
    /** The object is there; nothing more can come. */
    isFinished?: boolean
  }
  created_at: string
  parts: { version: string; size: number; etag: string }[]
}
export type NewUpload = Omit<ResumableUpload, 'parts' | 'created_at'>
export type Piece = { version: string; size: number; md5: string }

export const saveUpload = (upload: NewUpload): Statement => ({
  text: `insert into storage.s3_multipart_uploads
    (id, in_progress_size, upload_signature, bucket_id, key, version, owner_id, user_metadata, metadata)
    values ($1, $2::bigint, '${kind}', $3, $4, $1, $5, $6::jsonb, $7::jsonb)`,
  values: [
    upload.id,
    String(upload.metadata.size),
    upload.bucket_id,
    upload.key,
    upload.owner_id,
    upload.user_metadata && JSON.stringify(upload.user_metadata),
    JSON.stringify(upload.metadata),
  ],
})

export const findUpload = (id: string): Statement => ({
  text: `select jsonb_build_object('id', u.id, 'bucket_id', u.bucket_id, 'key', u.key, 'owner_id', u.owner_id,
      'user_metadata', u.user_metadata, 'metadata', u.metadata, 'created_at', u.created_at,
      'parts', coalesce((select jsonb_agg(jsonb_build_object('version', p.version, 'size', p.size, 'etag', p.etag)
        order by p.part_number) from storage.s3_multipart_uploads_parts p where p.upload_id = u.id), '[]'))
    from storage.s3_multipart_uploads u where u.id = $1 and u.upload_signature = '${kind}'`,
  values: [id],
})

/** Who adds to an upload waits for who else does. */
export const lockUpload = (id: string): Statement => ({
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 8))',
  values: [id],
})

/** The piece that begins where the last one ended; no row when another one came first. After `lockUpload`. */
export const addPiece = (id: string, offset: number, piece: Piece): Statement => ({
  text: `insert into storage.s3_multipart_uploads_parts
      (upload_id, size, part_number, bucket_id, key, etag, owner_id, version)
    select u.id, $3::bigint, have.pieces + 1, u.bucket_id, u.key, $4, u.owner_id, $5
    from storage.s3_multipart_uploads u cross join lateral (
      select count(*)::int as pieces, coalesce(sum(size), 0) as bytes
      from storage.s3_multipart_uploads_parts where upload_id = u.id) have
    where u.id = $1 and have.bytes = $2::bigint and u.metadata -> 'isFinished' is null
    returning to_jsonb(version)`,
  values: [id, String(offset), String(piece.size), piece.md5, piece.version],
})

/** The object is there: what is left of the upload answers who asks how far it came. */
export const finishUpload = (id: string): readonly Statement[] => [
  {
    text: `update storage.s3_multipart_uploads set metadata = metadata || '{"isFinished": true}' where id = $1`,
    values: [id],
  },
  { text: 'delete from storage.s3_multipart_uploads_parts where upload_id = $1', values: [id] },
]

export const removeUpload = (id: string): Statement => ({
  text: 'delete from storage.s3_multipart_uploads where id = $1',
  values: [id],
})

/** What nobody has finished in time; its bytes are the scrubber's. */
export const removeExpired = (seconds: number): Statement => ({
  text: `delete from storage.s3_multipart_uploads where id in (select id from storage.s3_multipart_uploads
    where upload_signature = '${kind}' and created_at < now() - $1::int * interval '1 second' limit 100)`,
  values: [String(seconds)],
})
