import { gzipSync } from 'node:zlib'

/** Bytes of JavaScript, compressed, that a page may need before it is there (performance rules: gate 230 kB). */
export const firstLoadBudget = 230_000

export type BuiltFile = { name: string; text: string }

/** Scripts that the page names, and what those import before they run. */
export function firstLoad(html: string, scripts: BuiltFile[]): string[] {
  const named = [...html.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)].map(([, name = '']) => name)
  const seen = new Set<string>()
  const add = (name: string) => {
    const file = scripts.find((script) => script.name.endsWith(name.replace(/^(?:\.\/|\/)/, '')))
    if (!file || seen.has(file.name)) return
    seen.add(file.name)
    const imports = file.text.matchAll(/(?:\bfrom|\bimport)\s*"(\.\/[^"]+\.js)"/g)
    for (const [, imported = ''] of imports) add(imported)
  }
  for (const name of named) add(name)
  return [...seen]
}

export function compressedBytes(names: string[], scripts: BuiltFile[]): number {
  return scripts
    .filter(({ name }) => names.includes(name))
    .reduce((sum, { text }) => sum + gzipSync(text, { level: 9 }).length, 0)
}
