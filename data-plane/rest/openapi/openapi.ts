import {
  bodyHeaders,
  commonHeaders,
  overridden,
  readResult,
  type Answer,
} from '../answers/answer.ts'
import { arrayLiteral } from '../query/array-literal.ts'
import type { Incoming } from '../requests/incoming.ts'
import { negotiate } from '../answers/negotiate.ts'
import { openApiDocument, type Visible } from './openapi-document.ts'
import type { Prepared, Serving } from '../requests/prepared.ts'
import { Problem } from '../answers/problem.ts'
import { prepareCall } from '../requests/serve-call.ts'

/** The parts of an OpenAPI 2.0 document that tell where the server is, as clients reach it. Without an address: none. */
function addressedBy(address: string | undefined): Record<string, unknown> {
  if (!address || !URL.canParse(address)) return {}
  const { protocol, hostname, port, pathname } = new URL(address)
  const scheme = protocol.slice(0, -1)
  const basePath = pathname === '/' ? '/' : pathname.replace(/\/+$/, '')
  return {
    host: `${hostname}:${port || (scheme === 'https' ? 443 : 80)}`,
    schemes: [scheme],
    basePath,
  }
}

/** The section about security: every path takes a token. */
const guardedByToken = {
  securityDefinitions: {
    JWT: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Add the token prepending "Bearer " (without quotes) in front of it',
    },
  },
  security: [{ JWT: [] }],
}

/** GET of the root: what a function of the database makes of it, where the setting `db_root_spec` names one. */
export function prepareRoot(incoming: Incoming, serving: Serving): Prepared {
  const spec = serving.schema.options.get('db_root_spec')
  if (!spec) return prepareOpenApi(incoming, serving)
  const dot = spec.indexOf('.')
  const profile = dot < 0 ? incoming.profile : spec.slice(0, dot)
  // The function makes a description in JSON, whichever of its two names it is asked for by.
  const accept = incoming.headers.accept?.replaceAll('application/openapi+json', 'application/json')
  const headers = accept === undefined ? incoming.headers : { ...incoming.headers, accept }
  return prepareCall({ ...incoming, profile, headers }, spec.slice(dot + 1), serving)
}

/** The OpenAPI 2.0 description of what the role may see, or of all where the database says so. */
function prepareOpenApi(incoming: Incoming, serving: Serving): Prepared {
  const mode = serving.schema.options.get('openapi_mode')
  if (mode === 'disabled') {
    throw new Problem(404, 'PGRST126', 'Root endpoint metadata is disabled')
  }
  const media = negotiate(incoming.headers.accept, ['openapi', 'json'])
  const all = String(mode === 'ignore-privileges')
  return {
    readOnly: true,
    leavesTraces: false,
    settings: [],
    statements: [{ text: visibleSql, values: [arrayLiteral([incoming.profile]), all] }],
    refuse: undefined,
    answer([rows]): Answer {
      const result = readResult(rows)
      // The query's own shape, built by our SQL.
      const visible = JSON.parse(result.body) as Visible
      const { options } = serving.schema
      const document = {
        ...openApiDocument(serving.schema, incoming.profile, visible),
        ...addressedBy(options.get('openapi_server_proxy_uri')),
        ...(options.get('openapi_security_active') === 'true' ? guardedByToken : {}),
      }
      const headers = {
        ...commonHeaders(incoming, serving.settings.exposedSchemas, ['handling', 'timezone']),
        ...bodyHeaders(media),
      }
      return overridden({ status: 200, headers, body: JSON.stringify(document) }, result)
    },
  }
}

/**
 * Runs as the request's role. Names of the relations and functions of one schema ($1, an array) that it may use in some
 * way, or of all ($2), with comments, and what is only of interest here and so is not kept in the schema cache.
 */
const visibleSql = `
select json_build_object(
  'description', (select obj_description(n.oid, 'pg_namespace') from pg_namespace n where n.nspname = any ($1::text[])),
  'relations', coalesce((
    select json_agg(json_build_object('name', c.relname, 'comment', obj_description(c.oid, 'pg_class'), 'columns', (
      select json_agg(json_build_object(
        'name', a.attname, 'comment', col_description(c.oid, a.attnum), 'required', a.attnotnull,
        'maxLength', case when a.atttypid in ('varchar'::regtype, 'bpchar'::regtype) and a.atttypmod > 4
          then a.atttypmod - 4 end,
        'enum', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid)
      ) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    )))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
      and ($2::boolean or has_any_column_privilege(c.oid, 'select, insert, update') or has_table_privilege(c.oid, 'delete'))
  ), '[]'),
  'functions', coalesce((
    select json_agg(json_build_object('name', p.proname, 'comment', obj_description(p.oid, 'pg_proc')))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any ($1::text[]) and p.prokind = 'f' and ($2::boolean or has_function_privilege(p.oid, 'execute'))
  ), '[]')
)::text, 1, nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')`
