import type { Statement } from '../projects/transaction.ts'

export type BucketUsage = { id: string; objects: number; bytes: number }

/** What lies in each bucket; reads every object. A size that was written by hand and is no number counts nothing. */
export const usageByBucket: Statement = {
  text: `select jsonb_build_object('id', b.id, 'objects', count(o.id), 'bytes', coalesce(sum(
      case when jsonb_typeof(o.metadata -> 'size') = 'number' then (o.metadata ->> 'size')::numeric end), 0))
    from storage.buckets b left join storage.objects o on o.bucket_id = b.id group by b.id order by b.id`,
  values: [],
}
