import { readdirSync } from 'node:fs'
import { sep } from 'node:path'

/**
 * Files of a folder by their addresses below it, such as `assets/index.js`. Asked for once: a route for each of them would take
 * half a second of every start, and a look at the disk for each request is what strangers could have done as often as they like.
 */
export function filesOf(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map(({ parentPath, name }) =>
      `${parentPath}${sep}${name}`
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    ),
  )
}

/** Of files whose names change with what is in them, and of others. */
export const cachedFor = (path: string): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
