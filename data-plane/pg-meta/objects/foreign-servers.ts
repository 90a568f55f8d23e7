import { DatabaseError } from 'pg'
import type { Server, Wrapper } from '#contract/database/database-server'
import { importForeignSchema, replaceMapping } from '#contract/ddl/foreign-data'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const wrapperRows = `
  select w.fdwname as name, pg_get_userbyid(w.fdwowner) as owner,
    (select e.extname from pg_depend d join pg_extension e on e.oid = d.refobjid
      where d.classid = 'pg_foreign_data_wrapper'::regclass and d.objid = w.oid and d.deptype = 'e') as extension,
    has_foreign_data_wrapper_privilege(w.oid, 'USAGE') as may_use
  from pg_foreign_data_wrapper w order by w.fdwname
`

/** A mapping's options hold secrets: only their names are told. Those of others, Postgres does not show at all. */
const serverRows = `
  select s.oid as id, s.srvname as name, w.fdwname as wrapper, pg_get_userbyid(s.srvowner) as owner,
    coalesce((select jsonb_object_agg(o.option_name, o.option_value) from pg_options_to_table(s.srvoptions) o), '{}')
      as options,
    coalesce((
      select jsonb_agg(jsonb_build_object('user', u.usename, 'options',
        (select coalesce(jsonb_agg(o.option_name), '[]') from pg_options_to_table(u.umoptions) o)) order by u.usename)
      from pg_user_mappings u where u.srvid = s.oid
    ), '[]') as mappings,
    coalesce((
      select jsonb_agg(jsonb_build_object('id', c.oid::int8, 'schema', n.nspname, 'name', c.relname)
        order by n.nspname, c.relname)
      from pg_foreign_table t join pg_class c on c.oid = t.ftrelid join pg_namespace n on n.oid = c.relnamespace
      where t.ftserver = s.oid
    ), '[]') as tables
  from pg_foreign_server s join pg_foreign_data_wrapper w on w.oid = s.srvfdw
  order by s.srvname
`

export const getForeign = async (db: Queryable) => ({
  wrappers: await rowsOf<Wrapper>(db, wrapperRows, []),
  servers: await rowsOf<Server>(db, serverRows, []),
})

type Mapping = { server: string; user: string; options: Record<string, string> }

/** Expects a transaction around it. */
export async function setMapping(db: Queryable, mapping: Mapping) {
  await executeChange(db, replaceMapping(mapping))
  const { server, user } = mapping
  return { server, user }
}

const trialSchema = 'plinth trial'

/** Reads a row of the other server's catalog through tables that are gone afterwards. Expects a transaction around it. */
export async function testServer(db: Queryable, { server }: { server: string }) {
  const known = 'select from pg_foreign_server where srvname = $1'
  if ((await rowsOf(db, known, [server])).length === 0)
    throw new ApiError('not_found', `There is no server ${server}`)
  const asked = { server, remote: 'pg_catalog', local: trialSchema, createLocal: true }
  await db.query('savepoint trial')
  try {
    // A server that does not answer would keep one of few sessions busy.
    await db.query("set local statement_timeout = '10s'")
    await executeChange(db, importForeignSchema({ ...asked, only: ['pg_namespace'] }))
    await db.query('select nspname from "plinth trial".pg_namespace limit 1')
    return { server, error: null }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const { message, detail } = error
    return { server, error: [message, detail].filter(Boolean).join(' ') }
  } finally {
    await db.query('rollback to savepoint trial')
  }
}
