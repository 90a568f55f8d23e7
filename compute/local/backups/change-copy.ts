import { randomBytes } from 'node:crypto'
import { DatabaseError } from 'pg'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import { isUserMask, maskName } from '#contract/projects/branch-masks'
import { failpoint } from '#kit/failpoints'
import type { Client } from '#kit/postgres/client'
import { maskedColumns, maskedColumnsQuery, maskProblems } from '#kit/postgres/masks/masked-columns'
import { CopyRefusedError, type CopyChanges } from '../../provider.ts'
import { withAdmin, withChanger, type Admin } from '../admin-session.ts'
import {
  filesOf,
  filledViews,
  forgetLargeObjects,
  forgetStatistics,
  otherDatabases,
  rewriteCatalogue,
  sequencesIn,
  tablesToEmpty,
  tablesWithin,
  type Relation,
} from './copy-store.ts'

/**
 * The server of a copy that is changed. Statistics are not made meanwhile, and a file of the write-ahead log is not used again: what
 * it said before would still stand at its end.
 */
export const changingSettings = {
  autovacuum: 'off',
  wal_recycle: 'off',
  // All tables of a project may be emptied in one transaction.
  max_locks_per_transaction: '512',
}

/** What repeats the addresses of users. */
const ofUsers = {
  email: [
    `update auth.users set email_change = '' where email_change <> ''`,
    `update auth.users set raw_user_meta_data = raw_user_meta_data - 'email'::text
     where raw_user_meta_data ? 'email'`,
    `update auth.identities i set identity_data = case when u.email is null
         then i.identity_data - 'email'::text
         else pg_catalog.jsonb_set(i.identity_data, '{email}', pg_catalog.to_jsonb(u.email)) end
     from auth.users u where u.id = i.user_id and i.identity_data ? 'email'`,
  ],
  phone: [
    `update auth.users set phone_change = '' where phone_change <> ''`,
    `update auth.users set raw_user_meta_data = raw_user_meta_data - 'phone'::text
     where raw_user_meta_data ? 'phone'`,
    `update auth.identities set identity_data = identity_data - 'phone'::text
     where identity_data ? 'phone'`,
    'update auth.mfa_factors set phone = null where phone is not null',
  ],
}
/** Mails, codes and what was done are known by the address, and end with it. */
const usersEmptied = [
  'auth.audit_log_entries',
  'auth.flow_state',
  'auth.one_time_tokens',
  'auth.saml_relay_states',
]
const usersWritten = ['auth.users', 'auth.identities', 'auth.mfa_factors']

const split = (name: string) => {
  const [schema = '', table = ''] = name.split('.')
  return { schema, table }
}
const tableOf = ({ schema, table }: { schema: string; table: string }) =>
  `${quoteIdent(schema)}.${quoteIdent(table)}`

/**
 * Changes a copy that nobody has reached yet, through a login that may do nothing else to it. Values go in one transaction; then their
 * tables are written anew and what else knew of them is thrown away, so that neither older versions of rows, nor statistics, nor the
 * write-ahead log have them still. Whatever fails, the caller throws the copy away.
 * @throws CopyRefusedError
 */
export async function changeCopy(admin: Admin, { rows, masks }: CopyChanges): Promise<void> {
  if (rows && masks.length === 0) return
  const users = masks.filter(isUserMask)
  const look = await withAdmin(admin, 'copies', async (client) => {
    const found = await client.query(maskedColumnsQuery, [JSON.stringify(masks)])
    const problems = maskProblems(masks, found.rows)
    if (problems.length > 0)
      throw new CopyRefusedError(`The list of masked columns does not fit: ${problems.join('. ')}`)
    const others = rows ? [] : await otherDatabases(client)
    if (others.length > 0)
      throw new CopyRefusedError(
        `The project has other databases, whose rows cannot be left out: ${others.join(', ')}`,
      )
    const emptied = await tablesToEmpty(client, !rows)
    const also = users.length > 0 ? await tablesWithin(client, usersEmptied.map(split)) : []
    const named = masks.map(({ schema, table }) => ({ schema, table }))
    const more = users.length > 0 ? usersWritten.map(split) : []
    return {
      columns: maskedColumns(masks, found.rows),
      written: await tablesWithin(client, [...named, ...more]),
      emptied: [...new Map([...emptied, ...also].map((one) => [one.oid, one])).values()],
      views: await filledViews(client),
      sequences: rows ? [] : await sequencesIn(client, [...new Set(emptied.map((t) => t.schema))]),
    }
  })
  const { columns, written, emptied, views, sequences } = look
  const changed = [...written, ...emptied, ...views]
  const all = [...changed, ...sequences]
  const grants = (role: string) => [
    ...[...new Set(all.map(({ schema }) => schema))].map(
      (schema) => `grant usage on schema ${schema} to ${role}`,
    ),
    ...written.map(({ name }) => `grant select, update, maintain on table ${name} to ${role}`),
    ...emptied.map(({ name }) => `grant select, truncate, maintain on table ${name} to ${role}`),
    ...views.map(({ name }) => `grant maintain on table ${name} to ${role}`),
    ...sequences.map(({ name }) => `grant update on sequence ${name} to ${role}`),
  ]
  await withChanger(admin, grants, async (client) => {
    await inOneTransaction(client, [
      ...(emptied.length > 0
        ? [
            {
              what: 'Emptying tables',
              sql: `truncate ${emptied.map(({ name }) => name).join(', ')}`,
            },
          ]
        : []),
      ...sequences.map(({ name }) => ({
        what: `Beginning ${name} anew`,
        sql: `select pg_catalog.setval(seqrelid, seqstart, false) from pg_catalog.pg_sequence
          where seqrelid = ${quoteLiteral(name)}::pg_catalog.regclass`,
      })),
      ...(rows ? maskingOf(columns) : []),
      ...(rows ? users : []).flatMap((mask) =>
        ofUsers[mask.column === 'email' ? 'email' : 'phone'].map((sql) => ({
          what: `Masking what repeats ${maskName(mask)}`,
          sql,
        })),
      ),
      ...views.map(({ name }) => ({
        what: `Emptying ${name}`,
        sql: `refresh materialized view ${name} with no data`,
      })),
    ])
    failpoint('compute.copy.masked')
    const oids = changed.map(({ oid }) => oid)
    await withAdmin(admin, 'copies', async (superuser) => {
      await forgetStatistics(superuser, oids)
      if (!rows) await forgetLargeObjects(superuser)
    })
    for (const { name, file } of rows ? written : [])
      if (file !== null) await run(client, `Writing ${name} anew`, `vacuum (full, analyze) ${name}`)
    failpoint('compute.copy.rewritten')
    await withAdmin(admin, 'copies', async (superuser) => {
      await wasRewritten(superuser, changed)
      await rewriteCatalogue(superuser)
    })
  })
}

type Statement = { what: string; sql: string }

/** One statement for each column. Equal values become equal hashes, and nobody knows the salt afterwards. */
function maskingOf(columns: ReturnType<typeof maskedColumns>): Statement[] {
  const salt = quoteLiteral(randomBytes(16).toString('hex'))
  return columns.map(({ mask, found }) => {
    const column = quoteIdent(mask.column)
    const id = found?.id_column
    const value = {
      null: 'null',
      empty: `''`,
      fixed: quoteLiteral(mask.text),
      hash: `pg_catalog.md5(pg_catalog.concat(${salt}, ${column}))`,
      fake_email: `pg_catalog.concat('user-', ${
        id ? quoteIdent(id) : `pg_catalog.md5(pg_catalog.concat(${salt}, ctid))`
      }, '@example.com')`,
    }[mask.kind]
    return {
      what: `Masking ${maskName(mask)}`,
      sql: `update ${tableOf(mask)} set ${column} = ${value} where ${column} is not null`,
    }
  })
}

async function inOneTransaction(client: Client, statements: readonly Statement[]): Promise<void> {
  await client.query('begin')
  for (const { what, sql } of statements) await run(client, what, sql)
  await client.query('commit')
}

/** What a server says of a failure may hold values, so neither people nor logs are told more than its kind. */
async function run(client: Client, what: string, sql: string): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new CopyRefusedError(`${what} failed: ${kindOf(error)}`)
  }
}

const kinds: Readonly<Record<string, string>> = {
  '23502': 'a value may not be null',
  '23505': 'values have to be unique',
  '23514': 'a check of the table refuses the value',
  '42501': 'something that the table runs may not be run by others',
}
function kindOf({ code, constraint }: DatabaseError): string {
  const kind = kinds[code ?? ''] ?? `error ${code ?? 'without a code'} of the database`
  return constraint === undefined ? kind : `${kind} (${constraint})`
}

/** Whoever may not rewrite a table is only warned by the server, so it is looked at. */
async function wasRewritten(client: Client, relations: readonly Relation[]): Promise<void> {
  const files = await filesOf(
    client,
    relations.map(({ oid }) => oid),
  )
  for (const { oid, name, file } of relations)
    if (file !== null && files.get(oid) === file)
      throw new CopyRefusedError(`${name} could not be written anew`)
}
