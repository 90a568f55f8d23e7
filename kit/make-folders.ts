import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder where somebody wants one, and those above it that are missing. One after the other: where a file system says
 * of a folder that it can be neither found nor made (`/proc`), the `recursive` of Node tries for ever.
 */
export function makeFolders(folder: string, mode: number): void {
  const missing: string[] = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const one of missing) mkdirSync(one, { mode })
}
