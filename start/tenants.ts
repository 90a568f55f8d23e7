import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/root'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The tables of the auth service, which every set of users has: those of a project and the platform's own. */
export const authSchema = () => read('data-plane/auth/schema.sql')

/** Everything that a new project's database is made of, in order. */
export function projectSql(): string[] {
  const folder = 'data-plane/schema'
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.sql'))
  return [...files.toSorted().map((file) => read(join(folder, file))), authSchema()]
}
