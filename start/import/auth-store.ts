import { quoteIdent } from '#contract/ddl/sql-text'
import type { Session } from './connections.ts'

/** A table of the auth service, and what of it is no use elsewhere: links and codes that were sent and not yet used. */
export type AuthTable = {
  name: string
  not: readonly string[]
  /** Which rows of the source. */
  where?: string
  /** Which of them are taken here. */
  needs?: string
}

const ofKnownUsers = 'exists (select from auth.users u where u.id = r.user_id)'
const ofKnownProviders = 'exists (select from auth.sso_providers p where p.id = r.sso_provider_id)'

export const authTables: readonly AuthTable[] = [
  {
    name: 'users',
    not: [
      'confirmation_token',
      'recovery_token',
      'email_change_token_new',
      'email_change_token_current',
      'email_change',
      'email_change_confirm_status',
      'phone_change',
      'phone_change_token',
      'reauthentication_token',
    ],
  },
  { name: 'identities', not: [], needs: ofKnownUsers },
  {
    name: 'mfa_factors',
    not: ['secret', 'web_authn_credential', 'web_authn_aaguid', 'last_webauthn_challenge_data'],
    // In older versions the type has no such label.
    where: `s.factor_type::text = 'phone'`,
    needs: ofKnownUsers,
  },
  { name: 'sso_providers', not: [] },
  { name: 'sso_domains', not: [], needs: ofKnownProviders },
  { name: 'saml_providers', not: [], needs: ofKnownProviders },
]

/** Columns that can be written; none when the table is not there or may not be read. */
export async function columnsOf(db: Session, table: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select a.attname::text as name from pg_attribute a where a.attrelid = to_regclass($1) and a.attnum > 0
       and not a.attisdropped and a.attgenerated = '' and has_table_privilege(a.attrelid, 'select') order by a.attnum`,
    [`auth.${table}`],
  )
  return rows.map(({ name }) => name)
}

/** In the first versions of the auth service the id of an identity was what the provider knows. */
const expressionOf = (column: string, there: readonly string[]) =>
  column === 'provider_id' && !there.includes(column) ? 's.id::text' : `s.${quoteIdent(column)}`

export type Mapped = { columns: string[]; select: string }

export function mapped(
  { name, not, where }: AuthTable,
  there: readonly string[],
  here: readonly string[],
): Mapped {
  const isOld = name === 'identities' && !there.includes('provider_id')
  const columns = here.filter(
    (column) =>
      !not.includes(column) &&
      (isOld
        ? column === 'provider_id' || (there.includes(column) && column !== 'id')
        : there.includes(column)),
  )
  const list = columns.map((column) => expressionOf(column, there)).join(', ')
  return {
    columns,
    select: `select ${list} from auth.${quoteIdent(name)} s${where === undefined ? '' : ` where ${where}`}`,
  }
}

export const copyOutOf = ({ select }: Mapped) => `copy (${select}) to stdout`
export const copyIntoStaging = ({ columns }: Mapped) =>
  `copy pg_temp.import_rows (${columns.map(quoteIdent).join(', ')}) from stdin`

/** Rows arrive beside the table, so that those that are there already can be told from new ones. */
export async function makeStaging(target: Session, { name }: AuthTable): Promise<void> {
  const text = `create temporary table import_rows (like auth.${quoteIdent(name)} including defaults) on commit drop`
  await target.query(text)
}

/** Answers how many came, and the ids of those whose address or name somebody else has here. */
export async function takeStaged(target: Session, { name, needs }: AuthTable, { columns }: Mapped) {
  const list = columns.map(quoteIdent).join(', ')
  const into = `auth.${quoteIdent(name)}`
  const text = `insert into ${into} (${list}) select ${list} from pg_temp.import_rows r
    ${needs === undefined ? '' : `where ${needs}`} on conflict do nothing`
  const { rowCount } = await target.query(text)
  const rest = `select r.id::text as id from pg_temp.import_rows r where not exists (select from ${into} t where t.id = r.id)`
  // What is old has an id only from here on, and rows without a conflict are found by it.
  const { rows } = columns.includes('id') ? await target.query<{ id: string }>(rest) : { rows: [] }
  return { taken: rowCount ?? 0, refused: rows.map(({ id }) => id) }
}

/** Users whose password is kept in a form that the auth service does not verify. */
export async function unknownHashes(target: Session): Promise<number> {
  const { rows } = await target.query<{ count: number }>(
    String.raw`select count(*)::int as count from pg_temp.import_rows where encrypted_password <> ''
       and encrypted_password !~ '^\$2[abxy]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$'`,
  )
  return rows[0]?.count ?? 0
}

export async function countOf(source: Session, table: string, where = 'true'): Promise<number> {
  if ((await columnsOf(source, table)).length === 0) return 0
  const text = `select count(*)::int as count from auth.${quoteIdent(table)} s where ${where}`
  return (await source.query<{ count: number }>(text)).rows[0]?.count ?? 0
}

/** Fills the staging table with rows in JSON, for a source that only its API can be asked about. */
export async function stageJson(
  target: Session,
  { name }: AuthTable,
  columns: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const list = columns.map(quoteIdent).join(', ')
  const text = `insert into pg_temp.import_rows (${list})
    select ${list} from jsonb_populate_recordset(null::auth.${quoteIdent(name)}, $1::jsonb)`
  await target.query(text, [JSON.stringify(rows)])
}
