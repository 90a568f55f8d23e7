import { posix } from 'node:path'

export type FunctionFile = { path: string; bytes: Buffer }

/** Where a function stands among others, so that a path to a neighbour (`../_shared/cors.ts`) stays below the root. */
const place = 'functions'

/** Paths as a deployment takes them: below one root, whatever folder the source had its files in. */
export function placed(slug: string, path: string): string | undefined {
  const plain = decodeQuietly(path.replace(/^file:\/\//, ''))
  if (plain === '' || /[\\\p{Cc}]/u.test(plain)) return undefined
  const joined = plain.startsWith('/') ? plain.replace(/^\/+/, '') : posix.join(place, slug, plain)
  const normal = posix.normalize(joined)
  return normal.startsWith('..') || normal === '.' ? undefined : normal
}

function decodeQuietly(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The file that the source names, wherever its folder stands; without one, what functions usually begin with. */
export function entrypointOf(
  slug: string,
  named: string | undefined,
  paths: readonly string[],
): string | undefined {
  const requested = named === undefined ? undefined : placed(slug, named)
  if (requested !== undefined) {
    if (paths.includes(requested)) return requested
    // The path of the machine that built it: the longest end that a file has as well.
    const parts = requested.split('/')
    for (let from = 1; from < parts.length; from += 1) {
      const end = parts.slice(from).join('/')
      const found = paths.find((path) => path === end || path.endsWith(`/${end}`))
      if (found !== undefined) return found
    }
  }
  return paths.find((path) => /(?:^|\/)index\.(?:ts|js|tsx|mjs)$/.test(path)) ?? paths[0]
}

/** Less depth where all files share a folder: people read these paths. */
export function withoutCommonFolder(files: readonly FunctionFile[]): {
  files: FunctionFile[]
  cut: number
} {
  const folders = files.map(({ path }) => path.split('/').slice(0, -1))
  const [first = []] = folders
  let shared = 0
  while (shared < first.length && folders.every((parts) => parts[shared] === first[shared]))
    shared += 1
  const cut = first.slice(0, shared).join('/').length + (shared > 0 ? 1 : 0)
  return { files: files.map(({ path, bytes }) => ({ path: path.slice(cut), bytes })), cut }
}
