import { notOfExtension, ofSchemas } from './reading.ts'

const tabled = `join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace`
const isChosen = `n.nspname = any ($1::text[]) and ${notOfExtension('pg_class', 'c.oid')}`

const constraint = (kinds: string, kind: string) =>
  ofSchemas(`
  select '${kind}' as kind, format('%I on %I.%I', k.conname, n.nspname, c.relname) as name,
    array[format('alter table %I.%I add constraint %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid))] as sql
  from pg_constraint k ${tabled}
  -- What a table inherits comes from where it inherits it.
  where k.contype in (${kinds}) and k.conparentid = 0 and (k.conislocal or k.coninhcount = 0) and ${isChosen}
  order by k.oid
`)

export const keys = constraint(`'p', 'u', 'x'`, 'key')
export const checks = constraint(`'c'`, 'check')
export const foreignKeys = constraint(`'f'`, 'foreign key')

/** Of a partitioned table the index is made for all partitions at once, so the word ONLY is left out where it stands. */
export const indexes = ofSchemas(`
  select 'index' as kind, format('%I.%I', n.nspname, ic.relname) as name, array[
    case when ic.relkind = 'I' and starts_with(def, head || ' ON ONLY ')
      then head || ' ON ' || substr(def, length(head) + 10) else def end] as sql
  from pg_index i join pg_class ic on ic.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = ic.relnamespace
  cross join lateral (select pg_get_indexdef(ic.oid) as def,
    format('CREATE %sINDEX %I', case when i.indisunique then 'UNIQUE ' else '' end, ic.relname) as head) as told
  where not exists (select from pg_constraint k where k.conindid = ic.oid and k.contype in ('p', 'u', 'x'))
    and not exists (select from pg_inherits h where h.inhrelid = ic.oid) and ${isChosen}
  order by ic.oid
`)

export const statistics = ofSchemas(`
  select 'statistics' as kind, format('%I.%I', n.nspname, s.stxname) as name, array[pg_get_statisticsobjdef(s.oid)] as sql
  from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace
  where n.nspname = any ($1::text[]) and ${notOfExtension('pg_statistic_ext', 's.oid')}
`)
