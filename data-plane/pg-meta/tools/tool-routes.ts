import { databaseTools, type Setting } from '#contract/database/database-tools'
import { deparse } from './deparse.ts'
import type { Facts } from './generators/facts.ts'
import { readFacts } from './generators/read-facts.ts'
import { go } from './generators/go.ts'
import { python } from './generators/python.ts'
import { swift } from './generators/swift.ts'
import { typescript } from './generators/typescript.ts'
import { answer, handle, type Http, type MetaRoute, type UseSession } from '../routes.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { ApiError } from '#kit/errors'
import { LibraryError } from '#kit/library-thread'
import { DetailedError } from '../failures.ts'
import { readSql } from '../parser.ts'
import { callLibrary } from '../sql-libraries.ts'

const settingsSql = `
  select name, setting, category,
    split_part(category, ' / ', 1) as group, split_part(category, ' / ', 2) as subgroup,
    unit, short_desc, extra_desc, context, vartype, source, min_val, max_val, enumvals, boot_val, reset_val,
    sourcefile, sourceline, pending_restart
  from pg_settings order by category, name limit $1 offset $2
`

/** The server's parameters as they are for this login. */
const listSettings = (
  db: Queryable,
  { limit, offset }: { limit?: number | undefined; offset: number },
): Promise<Setting[]> => rowsOf<Setting>(db, settingsSql, [limit ?? null, offset])

const versionSql = `
  select version() as version, current_setting('server_version_num')::int as version_number,
    (select count(*)::int from pg_stat_activity) as active_connections,
    current_setting('max_connections')::int as max_connections
`
type Version = {
  version: string
  version_number: number
  active_connections: number
  max_connections: number
}

async function getVersion(db: Queryable): Promise<Version> {
  const [found] = await rowsOf<Version>(db, versionSql, [])
  if (!found) throw new Error('The server reported no version')
  return found
}

async function getHealth(db: Queryable): Promise<{ date: string }> {
  const [now] = await rowsOf<{ date: Date }>(db, 'select now() as date', [])
  return { date: new Date(now?.date ?? Number.NaN).toISOString() }
}

const asText = 'text/plain; charset=utf-8'

type Schemas = { included_schemas?: string | undefined; excluded_schemas?: string | undefined }

/** Facts about the server, tools for SQL texts, and types for programs. */
export function toolRoutes(read: UseSession): MetaRoute[] {
  /** A text that is made from all of a database. */
  async function generate(schemas: Schemas, { reply, who }: Http, write: (facts: Facts) => string) {
    const facts = await read(who, (db) => readFacts(db, schemas))
    return reply.type(asText).send(write(facts))
  }
  return [
    answer(read, databaseTools.health, getHealth),
    answer(read, databaseTools.config, listSettings),
    answer(read, databaseTools.version, getVersion),
    handle(databaseTools.format, async ({ query }, { reply }) =>
      reply.type(asText).send(await formatSql(query)),
    ),
    handle(databaseTools.parse, ({ query }) => parseTree(query)),
    handle(databaseTools.deparse, async ({ ast }, { reply }) =>
      reply.type(asText).send(await deparse(ast)),
    ),
    handle(databaseTools.typescript, (input, http) =>
      generate(input, http, (facts) =>
        typescript(facts, {
          oneToOne: input.detect_one_to_one_relationships === 'true',
          postgrestVersion: input.postgrest_version,
        }),
      ),
    ),
    handle(databaseTools.go, (input, http) => generate(input, http, go)),
    handle(databaseTools.swift, (input, http) =>
      generate(input, http, (facts) => swift(facts, input.access_control)),
    ),
    handle(databaseTools.python, (input, http) => generate(input, http, python)),
  ]
}

/** The text with its lines broken as people do. */
async function formatSql(query: string): Promise<string> {
  if (query.trim() === '') throw new ApiError('invalid_input', 'The query is empty')
  const how = { language: 'postgresql', keywordCase: 'preserve', tabWidth: 2 }
  try {
    return String(await callLibrary('sql-formatter', 'format', query, how))
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error
    throw new ApiError('invalid_input', `The query cannot be read: ${error.message.split('\n')[0]}`)
  }
}

/** The parse tree of Postgres's own grammar. */
async function parseTree(query: string): Promise<Record<string, unknown>> {
  if (query.trim() === '') throw new ApiError('invalid_input', 'The query is empty')
  const read = await readSql(query)
  if (!('message' in read)) return { ...read }
  const { message, position } = read
  throw new DetailedError('query_failed', message, {
    // syntax_error, which is all that a parser finds.
    code: '42601',
    formattedError: `ERROR:  42601: ${message}\n`,
    ...(position === undefined ? {} : { position: position + 1 }),
  })
}
