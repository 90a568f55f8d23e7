import type { FunctionFile } from '#contract/functions/functions'

/** What functions find besides what Deno itself offers (contracts/functions.md). */
const runtime = `
declare namespace EdgeRuntime {
  /** Keeps the function running until the promise has settled, also when its answer was sent before. */
  function waitUntil<T>(promise: Promise<T>): Promise<T>
}
declare namespace JSX {
  type Element = any
  interface IntrinsicElements { [name: string]: any }
}
`
/** Where modules come from that are not the function's own: what is in them is known when it runs. */
const elsewhere = ['npm:*', 'jsr:*', 'node:*', 'http:*', 'https:*', 'data:*', '*.json', '*.wasm']

export const runtimeTypes = runtime + elsewhere.map(declared).join('')

/** Declares the names that a function's own import map gives to modules. A map that is no JSON yet gives none. */
export function mappedTypes(files: readonly FunctionFile[]): string {
  const maps = files.filter(({ path }) => /(?:^|\/)(?:deno\.jsonc?|import_map\.json)$/.test(path))
  const names = maps.flatMap(({ content }) => namesIn(content))
  return [...new Set(names)].map(declared).join('')
}

function namesIn(text: string): string[] {
  try {
    const { imports }: { imports?: unknown } = Object(JSON.parse(text))
    const names = Object.keys(Object(imports)).filter((name) => !name.includes('*'))
    return names.map((name) => (name.endsWith('/') ? `${name}*` : name))
  } catch {
    return []
  }
}

function declared(name: string): string {
  return `declare module ${JSON.stringify(name)}\n`
}
