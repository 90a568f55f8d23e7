import type { RunSql } from '../masks-store.ts'
import type { Json, Side } from './three-sides.ts'

/** Projects with more compare none: half of a list would look like buckets that are gone. */
const maxBuckets = 1000

const readSql = `select b.id, jsonb_build_object('name', b.name, 'public', coalesce(b.public, false),
    'file_size_limit', b.file_size_limit, 'allowed_mime_types', to_jsonb(b.allowed_mime_types)) as settings
  from storage.buckets b where b.type = 'STANDARD' and length(b.id) between 1 and 200 order by b.id limit ${maxBuckets + 1}`

const writeSql = `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  select one.id, one.settings ->> 'name', (one.settings ->> 'public')::boolean, (one.settings ->> 'file_size_limit')::bigint,
    (select array_agg(value) from jsonb_array_elements_text(nullif(one.settings -> 'allowed_mime_types', 'null')))
  from jsonb_each($1::jsonb) as one (id, settings)
  on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types, updated_at = now()`

/** The buckets of a project, without what is in them. */
export const bucketsStore = (runSql: RunSql) => ({
  async read(ref: string): Promise<Side> {
    const rows = await runSql(ref, { query: readSql, login: 'plinth_read_only' })
    if (rows.length > maxBuckets) return {}
    // The query gives an id and an object for each.
    return Object.fromEntries(rows.map((row) => [String(row['id']), row['settings'] as Json]))
  },
  /** Makes those that are not there, and changes the others. */
  async write(ref: string, buckets: Side): Promise<void> {
    await runSql(ref, {
      query: writeSql,
      parameters: [JSON.stringify(buckets)],
      login: 'postgres',
    })
  },
})
export type BucketsStore = ReturnType<typeof bucketsStore>
