import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '#kit/root'
import { projectMigrations } from '#start/tenants'

/** In a server whose roles many databases share, what the customer has beside what is theirs stays wide. */
const narrows = new Set(['014-narrow-grants.sql', '015-kept-objects.sql'])

/**
 * What a new project is made from, without what it chooses (data-plane/schema-new): its new tables are granted at once, as
 * those of an earlier version are.
 */
export async function grantedProjectSql(): Promise<string[]> {
  const wide = projectMigrations().filter(({ name }) => !narrows.has(name))
  const listIndexes = join(root, 'data-plane/auth/admin/list-indexes.sql')
  return [...wide.map(({ sql }) => sql), await readFile(listIndexes, 'utf8')]
}
