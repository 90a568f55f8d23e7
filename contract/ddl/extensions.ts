import { changeName, type Change } from './change.ts'
import { ident, quoteLiteral } from './sql-text.ts'

export type NewExtension = {
  name: string
  /** Where its objects go; the extension's own choice unless told. */
  schema?: string | undefined
  version?: string | undefined
  /** Also what it requires. */
  cascade?: boolean | undefined
  /** The schema is made first. */
  createSchema?: boolean | undefined
}

export function enableExtension(desired: NewExtension): Change {
  const { name, schema, version, cascade, createSchema } = desired
  const options = [
    ...(schema ? [`schema ${ident(schema)}`] : []),
    ...(version ? [`version ${quoteLiteral(version)}`] : []),
    ...(cascade ? ['cascade'] : []),
  ]
  const withOptions = options.length > 0 ? ` with ${options.join(' ')}` : ''
  return {
    name: changeName('enable_extension', name),
    statements: [
      ...(schema && createSchema ? [`create schema if not exists ${ident(schema)}`] : []),
      `create extension ${ident(name)}${withOptions}`,
    ],
    inverse: [`drop extension ${ident(name)}`],
  }
}

/** What depends on its types and functions goes too with `cascade`, and nothing brings that back. */
export function disableExtension({
  name,
  schema,
  cascade = false,
}: {
  name: string
  schema: string | null
  cascade?: boolean
}): Change {
  const [back] = enableExtension({ name, schema: schema ?? undefined }).statements
  return {
    name: changeName('disable_extension', name),
    statements: [`drop extension ${ident(name)}${cascade ? ' cascade' : ''}`],
    ...(cascade || back === undefined ? {} : { inverse: [back] }),
  }
}

type ExtensionChange = {
  /** To this version, or with `null` to the newest that the server has. */
  version?: string | null | undefined
  schema?: string | undefined
}

export function changeExtension(
  { name, schema }: { name: string; schema: string | null },
  desired: ExtensionChange,
): Change {
  const { version } = desired
  const moved =
    desired.schema !== undefined && desired.schema !== schema ? desired.schema : undefined
  const alter = `alter extension ${ident(name)}`
  return {
    name: changeName(version === undefined ? 'move_extension' : 'update_extension', name),
    statements: [
      ...(version === undefined
        ? []
        : [`${alter} update${version === null ? '' : ` to ${quoteLiteral(version)}`}`]),
      ...(moved === undefined ? [] : [`${alter} set schema ${ident(moved)}`]),
    ],
    // Extensions have no way back to an older version.
    ...(version === undefined && schema
      ? { inverse: [`${alter} set schema ${ident(schema)}`] }
      : {}),
  }
}
