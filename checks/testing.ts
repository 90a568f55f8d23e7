import { importsOf } from './arrows.ts'
import { isTestSupport, type Source } from './sources.ts'

/** Where the product lies; what only its build uses (`dashboard/build`) is used by settings beside the rooms. */
const isProduct =
  /^(?:contract|kit|control-plane|data-plane|compute|dashboard(?!\/build\/)|start)\/.*\.tsx?$/

/**
 * Files outside of the folders `testing/` that exist for tests only: nothing but tests imports them, or they use the test
 * runner themselves.
 */
export function helpersElsewhere(sources: Source[]): string[] {
  const importers = new Map<string, string[]>()
  for (const { from, to } of importsOf(sources))
    importers.set(to, [...(importers.get(to) ?? []), from])
  return sources
    .filter(({ path }) => isProduct.test(path) && !isTestSupport(path))
    .filter(({ path, text }) => {
      const by = importers.get(path.replace(/\.tsx?$/, '')) ?? []
      return /from 'vitest'/.test(text) || (by.length > 0 && by.every(isTestSupport))
    })
    .map(({ path }) => path)
}

/** The product never imports what tests share: it would be shipped. */
export const productsOfTesting = (sources: Source[]): string[] =>
  importsOf(sources)
    .filter(({ from, to }) => !isTestSupport(from) && /(^|\/)testing\//.test(to))
    .map(({ from, to }) => `${from} -> ${to}`)
