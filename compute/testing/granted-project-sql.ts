import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '#kit/root'

/**
 * The same files, in the same order, that a new project is made from, without what it chooses (data-plane/schema-new): its
 * new tables are granted at once, as those of an earlier version are.
 */
export async function grantedProjectSql(): Promise<string[]> {
  const at = (...parts: string[]) => join(root, 'data-plane', ...parts)
  const names = (await readdir(at('schema'))).filter((name) => name.endsWith('.sql')).toSorted()
  const auth = [
    'schema.sql',
    'external/external-schema.sql',
    'users/identity-schema.sql',
    'admin/list-indexes.sql',
  ]
  const files = [
    ...names.map((name) => at('schema', name)),
    ...auth.map((name) => at('auth', name)),
  ]
  return Promise.all(files.map((file) => readFile(file, 'utf8')))
}
