import { z } from 'zod'
import { maskProblem, MaskedColumn, type BranchMask } from '#contract/projects/branch-masks'

/**
 * What the catalogue says of each column of a list of masks ($1, JSON), by the place in the list; nothing of those that are
 * not there. No row of a table is read.
 */
export const maskedColumnsQuery = `
with recursive wanted as (
  select w.place, c.oid, c.relkind, a.attnum, a.attnotnull, a.attgenerated, a.atttypid, a.atttypmod
  from pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) with ordinality w (mask, place)
  join pg_catalog.pg_namespace n on n.nspname = w.mask ->> 'schema'
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = w.mask ->> 'table'
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = w.mask ->> 'column' and a.attnum > 0
    and not a.attisdropped
), below as (
  select w.place, w.oid from wanted w
  union select b.place, i.inhrelid from below b join pg_catalog.pg_inherits i on i.inhparent = b.oid
)
select w.place::int as place,
  w.relkind in ('r', 'p') and not exists (select from below b join pg_catalog.pg_class c on c.oid = b.oid
    where b.place = w.place and c.relkind not in ('r', 'p')) as is_table,
  exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
    and d.objid = w.oid and d.deptype = 'e') as of_extension,
  w.atttypid in (25, 1042, 1043) or exists (select from pg_catalog.pg_type t
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass and d.objid = t.oid and d.deptype = 'e'
    join pg_catalog.pg_extension e on d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass and e.oid = d.refobjid
    where t.oid = w.atttypid and t.typname = 'citext' and e.extname = 'citext') as is_text,
  case when w.atttypid in (1042, 1043) and w.atttypmod > 4 then w.atttypmod - 4 end as max_length,
  w.attnotnull as not_null,
  w.attgenerated <> '' as generated,
  exists (select from pg_catalog.pg_constraint k join below b on b.place = w.place
    join pg_catalog.pg_attribute own on own.attrelid = b.oid
    join pg_catalog.pg_attribute named on named.attrelid = w.oid and named.attnum = w.attnum and named.attname = own.attname
    where k.contype = 'f' and (k.conrelid = b.oid and own.attnum = any (k.conkey)
      or k.confrelid = b.oid and own.attnum = any (k.confkey))) as linked,
  exists (select from pg_catalog.pg_index i where i.indrelid = w.oid and (i.indisunique or i.indisexclusion)
    and w.attnum = any (i.indkey)) as "unique",
  exists (select from pg_catalog.pg_partitioned_table p join below b on b.oid = p.partrelid
    where b.place = w.place and (w.attnum = any (p.partattrs) or p.partexprs is not null)) as of_partition_key,
  (select pg_catalog.concat('trigger ', t.tgname) from pg_catalog.pg_trigger t join below b on b.oid = t.tgrelid
    where b.place = w.place and t.tgenabled in ('A', 'R')
    union all
    select pg_catalog.concat('rule ', r.rulename) from pg_catalog.pg_rewrite r join below b on b.oid = r.ev_class
    where b.place = w.place and r.ev_enabled in ('A', 'R')
    limit 1) as fires,
  (select k.attname::text from pg_catalog.pg_index i
    join pg_catalog.pg_attribute k on k.attrelid = i.indrelid and k.attnum = i.indkey[0]
    where i.indrelid = w.oid and i.indisprimary and i.indnkeyatts = 1 and k.atttypid in (20, 21, 23, 2950)) as id_column
from wanted w`

const Row = MaskedColumn.extend({ place: z.number() })

/** Answers of that query in the order of the masks. */
export function maskedColumns(
  masks: readonly BranchMask[],
  rows: readonly unknown[],
): { mask: BranchMask; found: MaskedColumn | undefined }[] {
  const found = new Map(rows.map((row) => Row.parse(row)).map((row) => [row.place, row]))
  return masks.map((mask, i) => ({ mask, found: found.get(i + 1) }))
}

/** What is wrong with a list of masks in a database, in words; empty: nothing. */
export const maskProblems = (masks: readonly BranchMask[], rows: readonly unknown[]): string[] =>
  maskedColumns(masks, rows).flatMap(({ mask, found }) => maskProblem(mask, found) ?? [])
