import type { Plugin } from 'vite'

/** A built file, as far as it matters here. */
export type BuiltPart = {
  fileName: string
  isEntry: boolean
  imports: string[]
  moduleIds: string[]
  css: string[]
}

/** Addresses, `/org/:slug/team`, to the files that their pages need beside those of the first load. */
export type RouteParts = Record<string, string[]>

/**
 * Writes `route-parts.json`: which files the page at an address needs. The server names them in the page it sends, so
 * they are on their way while the first scripts are read, and not asked for only after these have run.
 */
export function routeParts(): Plugin {
  return {
    name: 'plinth:route-parts',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Late: files that held nothing but styles are gone by then.
      order: 'post',
      handler(_options, bundle) {
        const parts = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk'
            ? [{ ...file, css: [...(file.viteMetadata?.importedCss ?? [])] }]
            : [],
        )
        const source = JSON.stringify(partsByAddress(parts))
        this.emitFile({ type: 'asset', fileName: 'route-parts.json', source })
      },
    },
  }
}

/** A page needs what its own route is drawn by and what the routes around it are. */
export function partsByAddress(parts: BuiltPart[]): RouteParts {
  const reach = filesOf(parts)
  const first = new Set(parts.filter(({ isEntry }) => isEntry).flatMap((part) => reach(part)))
  const routes = parts.flatMap((part) => routesIn(part).map((words) => ({ words, part })))
  // The longest last: of a frame and the page at its own address, the page counts.
  const pages = routes
    .filter(({ words }) => !words.at(-1)?.startsWith('_'))
    .toSorted((a, b) => a.words.length - b.words.length)
  return Object.fromEntries(
    pages.map(({ words }) => {
      const around = routes.filter((other) => other.words.every((word, at) => word === words[at]))
      const files = new Set(around.flatMap(({ part }) => reach(part)))
      return [addressOf(words), [...files].filter((file) => !first.has(file)).toSorted()]
    }),
  )
}

/** `routes/_app/org.$slug/team.tsx` as its words: folders and dots part them alike. */
function routesIn({ moduleIds }: BuiltPart): string[][] {
  return moduleIds.flatMap((id) => {
    const file = /\/routes\/(.+)\.tsx\?tsr-split=component(?:---loader)?$/.exec(id)?.[1]
    return file ? [file.split(/[/.]/)] : []
  })
}

/** Words that begin with `_` group routes and are no part of the address; `index` is the folder itself. */
const addressOf = (words: string[]): string =>
  `/${words
    .filter((word) => !word.startsWith('_') && word !== 'index')
    .map((word) => word.replace(/^\$/, ':'))
    .join('/')}`

/** What a part brings with it: itself, what it imports, and their styles. */
function filesOf(parts: BuiltPart[]) {
  const byName = new Map(parts.map((part) => [part.fileName, part]))
  const reach = (part: BuiltPart, seen = new Set<string>()): string[] => {
    if (seen.has(part.fileName)) return []
    seen.add(part.fileName)
    for (const style of part.css) seen.add(style)
    for (const name of part.imports) {
      const imported = byName.get(name)
      if (imported) reach(imported, seen)
    }
    return [...seen]
  }
  return (part: BuiltPart) => reach(part)
}
