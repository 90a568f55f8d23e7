import type { DatabaseTrigger, EventTrigger } from '#contract/database/database-triggers'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from '../scope.ts'

export const enabledModeOf = (column: string) =>
  `case ${column} when 'O' then 'ORIGIN' when 'R' then 'REPLICA' when 'A' then 'ALWAYS' else 'DISABLED' end`

/** `tgtype` is a set of bits: 1 row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate, 64 instead. */
const triggerRows = `
  select
    t.oid as id, c.oid as table_id, ${enabledModeOf('t.tgenabled')} as enabled_mode,
    encode(t.tgargs, 'hex') as args, t.tgname as name, c.relname as table, n.nspname as schema,
    case when t.tgtype & 1 = 1 then 'ROW' else 'STATEMENT' end as orientation,
    case when t.tgtype & 66 = 2 then 'BEFORE' when t.tgtype & 66 = 64 then 'INSTEAD OF' else 'AFTER' end as activation,
    array_remove(array[
      case when t.tgtype & 4 = 4 then 'INSERT' end, case when t.tgtype & 16 = 16 then 'UPDATE' end,
      case when t.tgtype & 8 = 8 then 'DELETE' end, case when t.tgtype & 32 = 32 then 'TRUNCATE' end
    ], null) as events,
    p.proname as function_name, pn.nspname as function_schema,
    coalesce((
      select array_agg(a.attname::text order by k.position)
      from unnest(t.tgattr) with ordinality k (attnum, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    ), '{}') as columns,
    t.tgoldtable as old_table, t.tgnewtable as new_table,
    case when t.tgconstraint <> 0 then jsonb_build_object(
      'deferrable', t.tgdeferrable, 'initially_deferred', t.tginitdeferred,
      'from', (
        select jsonb_build_object('schema', fn.nspname, 'table', f.relname)
        from pg_class f join pg_namespace fn on fn.oid = f.relnamespace where f.oid = t.tgconstrrelid
      )
    ) end as "constraint",
    pg_get_triggerdef(t.oid) as definition
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_proc p on p.oid = t.tgfoid
  join pg_namespace pn on pn.oid = p.pronamespace
  where not t.tgisinternal
`

type Row = Omit<DatabaseTrigger, 'function_args' | 'condition'> & { args: string }

/** Arguments are texts that end with a NUL each. */
const triggerOf = ({ args, ...row }: Row): DatabaseTrigger => ({
  ...row,
  function_args: Buffer.from(args, 'hex').toString('utf8').split('\0').slice(0, -1),
  condition: conditionIn(row.definition),
})

/** A partition's triggers are its table's, which is where they are changed. */
const listSql = `${triggerRows} and t.tgparentid = 0 and ${inScope}
  order by n.nspname, c.relname, t.tgname limit $4 offset $5`

export async function listTriggers(db: Queryable, scope: Scope): Promise<DatabaseTrigger[]> {
  const values = [...scopeValues(scope), scope.limit ?? null, scope.offset]
  return (await rowsOf<Row>(db, listSql, values)).map(triggerOf)
}

export async function getTrigger(db: Queryable, id: number): Promise<DatabaseTrigger> {
  const [row] = await rowsOf<Row>(db, `${triggerRows} and t.oid = $1::int8`, [id])
  if (!row) throw new ApiError('not_found', `Cannot find a trigger with ID ${id}`)
  return triggerOf(row)
}

const eventRows = `
  select
    t.oid as id, t.evtname as name, t.evtevent as event, coalesce(t.evttags, '{}') as tags,
    ${enabledModeOf('t.evtenabled')} as enabled_mode,
    p.proname as function_name, n.nspname as function_schema, pg_get_userbyid(t.evtowner) as owner,
    (select e.extname from pg_depend d join pg_extension e on e.oid = d.refobjid
     where d.classid = 'pg_event_trigger'::regclass and d.objid = t.oid and d.deptype = 'e'
       and d.refclassid = 'pg_extension'::regclass) as extension
  from pg_event_trigger t
  join pg_proc p on p.oid = t.evtfoid
  join pg_namespace n on n.oid = p.pronamespace
  order by t.evtname
`

/** Only a superuser can make them; a project's own role is none. */
const mayCreate = 'select rolsuper as may from pg_roles where rolname = current_user'

export async function listEventTriggers(
  db: Queryable,
): Promise<{ event_triggers: EventTrigger[]; can_create: boolean }> {
  const event_triggers = await rowsOf<EventTrigger>(db, eventRows, [])
  const [role] = await rowsOf<{ may: boolean }>(db, mayCreate, [])
  return { event_triggers, can_create: role?.may ?? false }
}

/**
 * The condition of a trigger, from its definition as Postgres prints it; null when there is none. What reads like
 * the words of the grammar inside of quoted names and texts is passed over.
 */
export function conditionIn(definition: string): string | null {
  const head = /^(?:"(?:[^"]|"")*"|[^"])*? FOR EACH (?:ROW|STATEMENT) (WHEN \()?/.exec(definition)
  if (!head?.[1]) return null
  const start = head[0].length
  let depth = 1
  for (let at = start; at < definition.length; at += 1) {
    const sign = definition[at]
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth === 0) return definition.slice(start, at)
    if (sign === '"' || sign === "'") {
      // Doubled ones close and open again, which comes to the same.
      at = definition.indexOf(sign, at + 1)
      if (at < 0) return null
    }
  }
  return null
}
