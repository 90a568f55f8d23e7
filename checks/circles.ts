import { importsOf } from './arrows.ts'
import { isTestSupport, type Source } from './sources.ts'

/** `kit/a` for the file and for what imports it, with or without an ending. */
const nameOf = (path: string) => path.replace(/\.(?:d\.)?m?tsx?$/, '')

/**
 * Files that import each other, by whatever way, each group sorted. Types count: who reads one of them has to read all.
 * Tarjan's algorithm, with a stack of its own, since chains of imports are long.
 */
export function circles(sources: readonly Source[]): string[][] {
  const product = sources.filter(({ path }) => !isTestSupport(path))
  const names = new Set(product.map(({ path }) => nameOf(path)))
  const to = new Map<string, string[]>()
  for (const one of importsOf([...product])) {
    const [from, target] = [nameOf(one.from), nameOf(one.to)]
    if (names.has(target)) to.set(from, [...(to.get(from) ?? []), target])
  }
  const found: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  for (const start of names) {
    if (index.has(start)) continue
    const path = [{ name: start, next: 0 }]
    while (path.length > 0) {
      const at = path.at(-1)
      if (!at) break
      if (at.next === 0) {
        index.set(at.name, index.size)
        low.set(at.name, index.size - 1)
        open.push(at.name)
      }
      const target = to.get(at.name)?.[at.next++]
      const lower = (value: number | undefined) =>
        low.set(at.name, Math.min(low.get(at.name) ?? 0, value ?? Infinity))
      if (target !== undefined) {
        if (!index.has(target)) path.push({ name: target, next: 0 })
        else if (open.includes(target)) lower(index.get(target))
        continue
      }
      path.pop()
      const before = path.at(-1)
      const own = low.get(at.name) ?? 0
      if (before) low.set(before.name, Math.min(low.get(before.name) ?? 0, own))
      if (own !== index.get(at.name)) continue
      const group = open.splice(open.indexOf(at.name))
      if (group.length > 1) found.push(group.toSorted())
    }
  }
  return found
}
