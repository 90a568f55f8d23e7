import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds package.json, found from this file, so that sources and bundles find the same .sql files. */
export const root: string = findRoot(dirname(fileURLToPath(import.meta.url)))

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const parent = dirname(from)
  if (parent === from) throw new Error('package.json is missing above the running program')
  return findRoot(parent)
}
