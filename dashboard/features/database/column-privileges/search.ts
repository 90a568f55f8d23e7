/** What the page keeps in its address. */
export type PrivilegeSearch = { schema?: string; table?: number; role?: string }

export function readPrivilegeSearch({
  schema,
  table,
  role,
}: Record<string, unknown>): PrivilegeSearch {
  const id = Number(table)
  return {
    ...(typeof schema === 'string' && schema ? { schema } : {}),
    ...(Number.isInteger(id) && id > 0 ? { table: id } : {}),
    ...(typeof role === 'string' && role ? { role } : {}),
  }
}
