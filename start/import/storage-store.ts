import { z } from 'zod'
import type { Session } from './connections.ts'
import type { Bucket, StoredObject } from './storage-rows.ts'

/** Rows as JSON: each version of the storage service has other columns. */
export async function readBuckets(source: Session): Promise<unknown[]> {
  const { rows } = await source.query<{ row: unknown }>(
    `select to_jsonb(b) as row from storage.buckets b order by b.id`,
  )
  return rows.map(({ row }) => row)
}

/** The next objects of a bucket by name. */
export async function readObjects(source: Session, bucket: string, after: string, max: number) {
  const { rows } = await source.query<{ row: unknown }>(
    `select to_jsonb(o) - 'path_tokens' as row from storage.objects o
     where o.bucket_id = $1 and o.name collate "C" > $2 order by o.name collate "C" limit $3`,
    [bucket, after, max],
  )
  return rows.map(({ row }) => row)
}

export async function countObjects(source: Session, bucket: string): Promise<number> {
  const { rows } = await source.query<{ count: number }>(
    `select count(*)::int as count from storage.objects where bucket_id = $1 and name is not null`,
    [bucket],
  )
  return rows[0]?.count ?? 0
}

const Here = z.object({ size: z.number().nullish(), eTag: z.string().nullish() }).nullish()
export type ObjectHere = { size: number | null; md5: string | null }

/** What the target has under a name. */
export async function objectHere(
  target: Session,
  bucket: string,
  name: string,
): Promise<ObjectHere | undefined> {
  const { rows } = await target.query<{ metadata: unknown }>(
    'select metadata from storage.objects where bucket_id = $1 and name = $2',
    [bucket, name],
  )
  const [row] = rows
  if (!row) return undefined
  const metadata = Here.safeParse(row.metadata).data
  return { size: metadata?.size ?? null, md5: metadata?.eTag?.replaceAll('"', '') ?? null }
}

/** What an upload cannot say: whose it is, since when, and by which id tables of the customer know it. */
export async function completeObject(target: Session, object: StoredObject): Promise<void> {
  await target.query('set local session_replication_role = replica')
  await target.query(
    `update storage.objects set id = coalesce($3::uuid, id), owner = $4::uuid, owner_id = $5, metadata = metadata || $6::jsonb,
       created_at = coalesce($7::timestamptz, created_at), updated_at = coalesce($8::timestamptz, updated_at),
       last_accessed_at = coalesce($9::timestamptz, last_accessed_at)
     where bucket_id = $1 and name = $2`,
    [
      object.bucket,
      object.name,
      object.id,
      object.owner,
      object.ownerId,
      JSON.stringify(object.kept),
      object.createdAt,
      object.updatedAt,
      object.lastAccessedAt,
    ],
  )
}

export async function bucketHere(target: Session, id: string): Promise<boolean> {
  const { rows } = await target.query('select from storage.buckets where id = $1', [id])
  return rows.length > 0
}

export async function completeBucket(target: Session, bucket: Bucket): Promise<void> {
  await target.query(
    `update storage.buckets set owner = $2::uuid, owner_id = $3, created_at = coalesce($4::timestamptz, created_at) where id = $1`,
    [bucket.id, bucket.owner, bucket.ownerId, bucket.createdAt],
  )
}
