import { changeName, type Change } from './change.ts'
import { ident, qualified, quoteLiteral } from './sql-text.ts'

export type Options = Record<string, string>

/** What a foreign-data wrapper is told: `options (host 'db.example.com', port '5432')`. */
export function optionsSql(options: Options): string {
  const given = Object.entries(options).filter(([, value]) => value !== '')
  if (given.length === 0) return ''
  const parts = given.map(([name, value]) => `${ident(name)} ${quoteLiteral(value).trim()}`)
  return ` options (${parts.join(', ')})`
}

export type ForeignServer = { name: string; wrapper: string; options: Options }

export const createServer = ({ name, wrapper, options }: ForeignServer): Change => ({
  name: changeName('create_server', name),
  statements: [
    `create server ${ident(name)} foreign data wrapper ${ident(wrapper)}${optionsSql(options)}`,
  ],
  inverse: [`drop server ${ident(name)}`],
})

/** With `cascade` its logins and foreign tables go too; the rows are elsewhere and stay. */
export const dropServer = (server: ForeignServer, cascade = false): Change => ({
  name: changeName('drop_server', server.name),
  statements: [`drop server ${ident(server.name)}${cascade ? ' cascade' : ''}`],
  ...(cascade ? {} : { inverse: createServer(server).statements }),
})

export const mappingUser = (user: string) => (user === 'public' ? 'public' : ident(user))

/** The login at the other server. Never recorded as a migration: it holds a password. */
export const createMappingSql = (mapping: { server: string; user: string; options: Options }) =>
  `create user mapping for ${mappingUser(mapping.user)} server ${ident(mapping.server)}${optionsSql(mapping.options)}`

export const dropMapping = ({ server, user }: { server: string; user: string }): Change => ({
  name: changeName('drop_user_mapping', user, server),
  statements: [`drop user mapping for ${mappingUser(user)} server ${ident(server)}`],
})

/** In the place of the login that may be there; never recorded either. */
export const replaceMapping = (mapping: {
  server: string
  user: string
  options: Options
}): Change => ({
  name: changeName('replace_user_mapping', mapping.user, mapping.server),
  statements: [
    `drop user mapping if exists for ${mappingUser(mapping.user)} server ${ident(mapping.server)}`,
    createMappingSql(mapping),
  ],
})

export type ImportedSchema = {
  server: string
  /** At the other server. */
  remote: string
  /** Here. */
  local: string
  createLocal?: boolean
  /** Only these; all unless told. */
  only?: readonly string[]
}

export function importForeignSchema(desired: ImportedSchema): Change {
  const { server, remote, local, createLocal, only = [] } = desired
  const limit = only.length > 0 ? ` limit to (${only.map(ident).join(', ')})` : ''
  return {
    name: changeName('import_foreign_schema', remote, 'from', server),
    statements: [
      ...(createLocal ? [`create schema if not exists ${ident(local)}`] : []),
      `import foreign schema ${ident(remote)}${limit} from server ${ident(server)} into ${ident(local)}`,
    ],
  }
}

export type NewForeignTable = {
  schema: string
  name: string
  server: string
  /** `type` is SQL: the name of a type. */
  columns: readonly { name: string; type: string }[]
  options: Options
}

export function createForeignTable(desired: NewForeignTable): Change {
  const { schema, name, server, columns, options } = desired
  const list = columns.map((column) => `  ${ident(column.name)} ${column.type}`).join(',\n')
  return {
    name: changeName('create_foreign_table', name),
    statements: [
      `create foreign table ${qualified(schema, name)} (\n${list}\n) server ${ident(server)}${optionsSql(options)}`,
    ],
    inverse: [`drop foreign table ${qualified(schema, name)}`],
  }
}

export const dropForeignTable = ({ schema, name }: { schema: string; name: string }): Change => ({
  name: changeName('drop_foreign_table', name),
  statements: [`drop foreign table ${qualified(schema, name)}`],
})
