import type { Statement } from '../../projects/transaction.ts'

export type Trashed = {
  id: string
  bucket: string
  name: string
  metadata: Record<string, unknown> | null
  owner_id: string | null
  deleted_at: string
  deleted_by: string | null
  expires_at: string
  /** To the microsecond: a page goes on behind it. */
  moment: string
}
export type Requested = { id: string; name?: string | undefined }
/** One that was there; `back` is false where its name is taken. */
export type Outcome = { id: string; bucket: string; name: string; back: boolean }

const iso = (moment: string) =>
  `to_char((${moment}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const kept = 't.deleted_at > now() - make_interval(days => $1::int)'

/** What can still be had back, the newest first. */
export function listTrash(ask: {
  days: number
  bucket: string | undefined
  search: string
  after: { moment: string; id: string } | undefined
  max: number
}): Statement {
  const values: string[] = [String(ask.days), String(ask.max)]
  const place = (value: string) => `$${values.push(value)}`
  const bucket = ask.bucket === undefined ? '' : `and t.bucket_id = ${place(ask.bucket)}`
  const part = ask.search === '' ? '' : `and strpos(lower(t.name), lower(${place(ask.search)})) > 0`
  const behind = ask.after
    ? `and (t.deleted_at, t.id) < (${place(ask.after.moment)}::timestamptz, ${place(ask.after.id)}::uuid)`
    : ''
  return {
    text: `select jsonb_build_object('id', t.id, 'bucket', t.bucket_id, 'name', t.name, 'metadata', t.metadata,
        'owner_id', t.owner_id, 'deleted_at', ${iso('t.deleted_at')}, 'deleted_by', t.deleted_by,
        'expires_at', ${iso('t.deleted_at + make_interval(days => $1::int)')}, 'moment', t.deleted_at)
      from storage.trash t where ${kept} ${bucket} ${part} ${behind}
      order by t.deleted_at desc, t.id desc limit $2::int`,
    values,
  }
}

/**
 * Each goes back as it was, or stays where its name is taken; of two of one name the one that was deleted last goes back.
 * Who restores the same at the same moment waits, and finds it gone.
 */
export const restoreTrash = (requested: readonly Requested[], days: number): Statement => ({
  text: `with asked as (select (e ->> 'id')::uuid as id, e ->> 'name' as name from jsonb_array_elements($2::jsonb) e),
    wanted as (
      select t.*, coalesce(a.name, t.name) as target from storage.trash t join asked a on a.id = t.id
      where ${kept} and exists (select from storage.buckets b where b.id = t.bucket_id) for update of t),
    back as (
      insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, user_metadata, version,
        created_at, updated_at, last_accessed_at)
      select object_id, bucket_id, target, owner, owner_id, metadata, user_metadata, version,
        created_at, updated_at, last_accessed_at
      from wanted order by deleted_at desc, wanted.id on conflict do nothing returning id, version),
    gone as (
      delete from storage.trash t using wanted w join back b on b.id = w.object_id and b.version = w.version
      where t.id = w.id returning t.id)
    select jsonb_build_object('id', w.id, 'bucket', w.bucket_id, 'name', w.target, 'back', g.id is not null)
    from wanted w left join gone g on g.id = w.id`,
  values: [String(days), JSON.stringify(requested)],
})

/** For ever. Versions come back: their bytes go after the rows. */
export const deleteTrash = (ids: readonly string[]): Statement => ({
  text: `delete from storage.trash where id in (select jsonb_array_elements_text($1::jsonb)::uuid)
    returning to_jsonb(version)`,
  values: [JSON.stringify(ids)],
})

/** From now on nothing of it can be had back; how many there were. */
export function giveUpTrash(bucket: string | undefined): Statement {
  const narrowed = bucket === undefined ? '' : 'and bucket_id = $1'
  return {
    text: `with given as (update storage.trash set deleted_at = '-infinity'
        where deleted_at > '-infinity' ${narrowed} returning id)
      select to_jsonb(count(*)) from given`,
    values: bucket === undefined ? [] : [bucket],
  }
}

/** A part of what is over; two processes never take the same. */
export const deleteExpired = (days: number, max: number): Statement => ({
  text: `delete from storage.trash where id in (
      select t.id from storage.trash t where not (${kept})
      order by t.deleted_at limit $2::int for update skip locked)
    returning to_jsonb(version)`,
  values: [String(days), String(max)],
})

/** How much waits, and what of it is over already. A size that was written by hand and is no number counts nothing. */
export const trashUsage: Statement = {
  text: `select jsonb_build_object('objects', count(*), 'bytes', coalesce(sum(
    case when jsonb_typeof(metadata -> 'size') = 'number' then (metadata ->> 'size')::numeric end), 0)) from storage.trash`,
  values: [],
}
