import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { createPlatformDatabase } from '#kit/testing/postgres'
import { root } from '#kit/root'

type Column = { table: string; column: string; type: string; nullable: boolean; given: boolean }

/** Every column of the platform's tables. `given`: the database writes it when nobody does. */
const columnsSql = `select format('%s.%s', n.nspname, c.relname) as table, a.attname as column,
    format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
    a.atthasdef or a.attidentity <> '' or a.attgenerated <> '' as given
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'platform' and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
  order by 1, a.attnum`

async function columnsOf(): Promise<Column[]> {
  const database = await createPlatformDatabase()
  onTestFinished(() => database.drop())
  const { rows } = await withClient(database.adminConfig, (client) =>
    client.query<Column>(columnsSql),
  )
  return rows
}

/** What the driver makes of a value. */
const kinds: Record<string, string> = {
  bigint: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  'character varying': 'string',
  cidr: 'string',
  date: 'Date',
  'double precision': 'number',
  inet: 'string',
  integer: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
}
function kindOf(type: string): string {
  if (type.endsWith('[]')) return `readonly ${kindOf(type.slice(0, -2))}[]`
  const kind = kinds[type]
  if (!kind) throw new Error(`What is a ${type} in the types of rows?`)
  return kind
}

/** Says in types what a column of the types of rows does not say as the database does. */
const rules = `import type { Insertable, Selectable } from 'kysely'
import type { Tables } from '#control-plane/platform-database/tables'

type Read<T extends keyof Tables, C extends keyof Tables[T]> = Selectable<Tables[T]>[C & keyof Selectable<Tables[T]>]
type MayLack<T extends keyof Tables, C> = C extends keyof Insertable<Tables[T]>
  ? undefined extends Insertable<Tables[T]>[C] ? true : false
  // Nobody gives it at all: the one row is there.
  : false
export type Misfit<T extends keyof Tables, C extends keyof Tables[T], Kind, Nullable, Given> =
  [Exclude<Read<T, C>, null>] extends [Kind]
    ? null extends Read<T, C>
      ? Nullable extends true ? Lacking<T, C, Given> : 'is never null in the database'
      : Nullable extends true ? 'can be null in the database' : Lacking<T, C, Given>
    : 'has another type in the database'
type Lacking<T extends keyof Tables, C, Given> =
  Given extends true ? never : MayLack<T, C> extends true ? 'has to be given' : never
export type { Tables }
`

/** One line for each column and table, in an order that says which a complaint is about. */
function claimsOf(columns: readonly Column[]): { name: string; text: string }[] {
  const tables = new Map<string, string[]>()
  for (const { table, column } of columns) tables.set(table, [...(tables.get(table) ?? []), column])
  const record = (keys: string, names: Iterable<string>) =>
    `({ ${[...names].map((name) => `'${name}': true`).join(', ')} }) satisfies { [Key in ${keys}]: true }`
  const claims = columns.map(({ table, column, type, nullable, given }) => ({
    name: `${table}.${column}`,
    text: `export const _: never = 0 as unknown as Misfit<'${table}', '${column}', ${kindOf(type)}, ${nullable}, ${given || nullable}>`,
  }))
  const whole = [...tables].map(([table, own]) => ({
    name: table,
    text: record(`keyof Tables['${table}']`, own),
  }))
  return [...claims, ...whole, { name: 'all tables', text: record('keyof Tables', tables.keys()) }]
}

/** The complaints of the compiler, each with the name of what it is about. */
async function complaintsAbout(claims: ReturnType<typeof claimsOf>): Promise<string[]> {
  const outputs = join(root, 'test-output')
  await mkdir(outputs, { recursive: true })
  const folder = await mkdtemp(join(outputs, 'row-types-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const head = "import type { Misfit, Tables } from './rules.ts'"
  const lines = claims.map(({ text }, index) => text.replace('const _', `const c${index}`))
  await writeFile(join(folder, 'rules.ts'), rules)
  await writeFile(join(folder, 'claims.ts'), [head, ...lines].join('\n'))
  const config = { extends: join(root, 'tsconfig.server.json'), include: [], files: ['claims.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const said = await new Promise<string>((resolve) => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    execFile(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], (_, out) =>
      resolve(out),
    )
  })
  return said.split('\n').flatMap((line) => {
    const [, number, text] = /claims\.ts\((\d+),\d+\): error (.*)$/.exec(line) ?? []
    if (number === undefined) return line.includes('error') ? [line] : []
    const about = claims[Number(number) - 2]?.name ?? line
    return [`${about}: ${/'"(.*)"' is not assignable/.exec(text ?? '')?.[1] ?? text}`]
  })
}

test('the types of rows say what the tables are, and the tables what the types say', async () => {
  const columns = await columnsOf()
  expect(columns.length).toBeGreaterThan(300)
  expect(await complaintsAbout(claimsOf(columns))).toEqual([])
})

test('what does not fit is named', async () => {
  const columns = await columnsOf()
  const changes: Record<string, Partial<Column> | undefined> = {
    'platform.projects.name': { nullable: true },
    'platform.projects.failure': { nullable: false },
    'platform.projects.status_since': { type: 'bigint' },
    'platform.members.inserted_at': { given: false },
    'platform.mails.tenant': { column: 'renter' },
  }
  const other = columns
    .map((column) => ({ ...column, ...changes[`${column.table}.${column.column}`] }))
    .filter(({ table }) => table !== 'platform.snippet_favorites')
  const complaints = await complaintsAbout(claimsOf(other))
  expect(complaints.map((line) => line.replace(/TS\d+: /, ''))).toEqual([
    expect.stringMatching(/^platform\.mails\.renter: .*"renter"/),
    'platform.members.inserted_at: has to be given',
    'platform.projects.name: can be null in the database',
    'platform.projects.status_since: has another type in the database',
    'platform.projects.failure: is never null in the database',
    expect.stringMatching(/^platform\.mails: .*renter/),
    expect.stringMatching(/^all tables: .*platform\.snippet_favorites/),
  ])
})
