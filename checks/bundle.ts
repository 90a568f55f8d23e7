import { gzipSync } from 'node:zlib'

/** Bytes of JavaScript, compressed, that a page may need before it is there (performance rules: aim 168 kB, gate 230). */
export const firstLoadBudget = 175_000

export type BuiltFile = { name: string; text: string }

/** The same for what the table editor needs beside the first load, the grid that it loads when a table is there included. */
export const tableEditorBudget = 180_000

/** Scripts that the page names, and what those import before they run. */
export function firstLoad(html: string, scripts: BuiltFile[]): string[] {
  const named = [...html.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)].map(([, name = '']) => name)
  return withImports(named, scripts)
}

/** These scripts and what they import before they run. */
export function withImports(named: string[], scripts: BuiltFile[]): string[] {
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

/** Scripts of which one of these asks for when it runs, and not before. */
export function loadedLater(names: string[], scripts: BuiltFile[]): string[] {
  return scripts
    .filter(({ name }) => names.includes(name))
    .flatMap(({ text }) => [...text.matchAll(/\bimport\(\s*[`"'](\.\/[^`"']+\.js)[`"']/g)])
    .flatMap(([, asked = '']) => scripts.filter(({ name }) => name.endsWith(asked.slice(1))))
    .map(({ name }) => name)
}

export function compressedBytes(names: string[], scripts: BuiltFile[]): number {
  return scripts
    .filter(({ name }) => names.includes(name))
    .reduce((sum, { text }) => sum + gzipSync(text, { level: 9 }).length, 0)
}
