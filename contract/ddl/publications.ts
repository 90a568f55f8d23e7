import { changeName, type Change } from './change.ts'
import { ident, qualified } from './sql-text.ts'

/** What of a table is published: INSERT, UPDATE, DELETE and TRUNCATE. */
export const publishedOperations = ['insert', 'update', 'delete', 'truncate'] as const
export type PublishedOperation = (typeof publishedOperations)[number]

export type TableName = { schema: string; name: string }

export type DesiredPublication = {
  name: string
  operations: readonly PublishedOperation[]
  /** Null: every table there is and will be, which only a superuser may publish. */
  tables: readonly TableName[] | null
}

export type PublicationThere = DesiredPublication & {
  owner: string
  /** Has row filters, column lists or whole schemas, which only the publication itself remembers. */
  has_more?: boolean
}

const tableList = (tables: readonly TableName[]) =>
  tables.map(({ schema, name }) => qualified(schema, name)).join(', ')

const publishList = (operations: readonly PublishedOperation[]) =>
  `publish = '${publishedOperations.filter((one) => operations.includes(one)).join(', ')}'`

/** Of the one who makes it, unless an owner is named. */
export function createPublication(
  { name, operations, tables }: DesiredPublication,
  owner?: string,
): Change {
  const what =
    tables === null ? ' for all tables' : tables.length > 0 ? ` for table ${tableList(tables)}` : ''
  return {
    name: changeName('create_publication', name),
    statements: [
      `create publication ${ident(name)}${what} with (${publishList(operations)})`,
      ...(owner ? [`alter publication ${ident(name)} owner to ${ident(owner)}`] : []),
    ],
    inverse: [`drop publication ${ident(name)}`],
  }
}

export const dropPublication = (there: PublicationThere): Change => ({
  name: changeName('drop_publication', there.name),
  statements: [`drop publication ${ident(there.name)}`],
  ...(there.has_more ? {} : { inverse: createPublication(there).statements }),
})

/** @throws TypeError when all tables are to become some or the other way: that takes another publication */
export function changePublication(
  there: PublicationThere,
  desired: Partial<PublicationThere>,
): Change {
  const to = { ...there, ...desired }
  return {
    name: changeName('change_publication', there.name),
    statements: steps(there, to),
    ...(there.has_more ? {} : { inverse: steps(to, there) }),
  }
}

function steps(from: PublicationThere, to: PublicationThere): string[] {
  const alter = `alter publication ${ident(from.name)}`
  const statements: string[] = []
  if (publishList(from.operations) !== publishList(to.operations))
    statements.push(`${alter} set (${publishList(to.operations)})`)
  if (from.tables !== to.tables) {
    if (from.tables === null || to.tables === null)
      throw new TypeError('A publication of all tables stays one')
    const added = without(to.tables, from.tables)
    const removed = without(from.tables, to.tables)
    if (added.length > 0) statements.push(`${alter} add table ${tableList(added)}`)
    if (removed.length > 0) statements.push(`${alter} drop table ${tableList(removed)}`)
  }
  if (from.owner !== to.owner) statements.push(`${alter} owner to ${ident(to.owner)}`)
  if (from.name !== to.name) statements.push(`${alter} rename to ${ident(to.name)}`)
  return statements
}

const without = (tables: readonly TableName[], others: readonly TableName[]) => {
  const known = new Set(others.map(({ schema, name }) => qualified(schema, name)))
  return tables.filter(({ schema, name }) => !known.has(qualified(schema, name)))
}
