import { dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { FunctionCode } from '#contract/functions/functions-internal'

const Config = z.object({
  imports: z.record(z.string(), z.string()).optional(),
  scopes: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  compilerOptions: z.record(z.string(), z.unknown()).optional(),
})
export type DenoConfig = z.infer<typeof Config>

/** What templates import, as programs that lie beside the workers. */
export type LocalLibraries = { stdServe: string; empty: string; supabaseJs: string | undefined }

const patterns: { pattern: RegExp; library: keyof LocalLibraries }[] = [
  {
    pattern: /^https:\/\/deno\.land\/std(?:@[\d.]+)?\/http\/server\.ts$/,
    library: 'stdServe',
  },
  {
    pattern:
      /^(?:jsr:@supabase\/functions-js(?:@[^/]*)?\/edge-runtime\.d\.ts|https:\/\/esm\.sh\/@supabase\/functions-js(?:@[^/]*)?\/src\/edge-runtime\.d\.ts)$/,
    library: 'empty',
  },
  // The newest of the second major version is what these ask for.
  {
    pattern: /^(?:npm:|jsr:|https:\/\/esm\.sh\/)@supabase\/supabase-js(?:@\^?2)?$/,
    library: 'supabaseJs',
  },
]

const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g

/** The file that says how a function's imports resolve: what the deployment names, else what lies beside its entry point. */
export function configFile(code: FunctionCode): FunctionCode['files'][number] | undefined {
  const folder = posix.dirname(code.entrypointPath)
  const names = code.importMapPath
    ? [code.importMapPath]
    : ['deno.json', 'deno.jsonc', 'import_map.json'].map((name) => posix.join(folder, name))
  return names
    .map((name) => code.files.find(({ path }) => path === name))
    .find((file) => file !== undefined)
}

/**
 * The configuration of a worker: the function's own imports and compiler options, with what templates import taken from
 * this machine. `folder` is where the code lies. @throws Error for a file that is no JSON
 */
export function workerConfig(
  code: FunctionCode,
  folder: string,
  libraries: LocalLibraries,
): DenoConfig & { nodeModulesDir: 'none' } {
  const file = configFile(code)
  const text = file ? Buffer.from(file.content, 'base64').toString() : '{}'
  const own = Config.parse(JSON.parse(withoutComments(text)))
  const base = file ? dirname(join(folder, file.path)) : folder
  const imports = moved(own.imports ?? {}, base)
  const targets = [...Object.values(own.imports ?? {}), ...importedBy(code)]
  const local = Object.fromEntries(
    targets.flatMap((specifier) => {
      const library = localOf(specifier, libraries)
      return library === undefined ? [] : [[specifier, library] as const]
    }),
  )
  const resolved = Object.entries(imports).map(
    ([key, target]) => [key, local[target] ?? target] as const,
  )
  const scopes = Object.entries(own.scopes ?? {}).map(
    ([scope, map]) => [absolute(scope, base), moved(map, base)] as const,
  )
  return {
    imports: { ...local, ...Object.fromEntries(resolved) },
    scopes: Object.fromEntries(scopes),
    ...(own.compilerOptions ? { compilerOptions: own.compilerOptions } : {}),
    nodeModulesDir: 'none',
  }
}

/** Whether a function loads what does not lie in its own files or beside the workers, or may: a name that is worked out. */
export function usesPackages(code: FunctionCode, { imports }: DenoConfig): boolean {
  const isOwn = (specifier: string) => /^(?:\.{0,2}\/|file:)/.test(specifier)
  const resolved = (specifier: string) => imports?.[specifier] ?? specifier
  const named = [...Object.values(imports ?? {}), ...importedBy(code).map(resolved)]
  return !named.every(isOwn) || sourcesOf(code).some((text) => workedOut.test(text))
}
const workedOut = /\bimport\s*\(\s*[^"'\s]|\brequire\s*\(/

function localOf(specifier: string, libraries: LocalLibraries): string | undefined {
  const found = patterns.find(({ pattern }) => pattern.test(specifier))
  const path = found && libraries[found.library]
  return path && pathToFileURL(path).href
}

const sourcesOf = ({ files }: FunctionCode): string[] =>
  files
    .filter(({ path }) => /\.[cm]?[jt]sx?$/.test(path))
    .map(({ content }) => Buffer.from(content, 'base64').toString())

const importedBy = (code: FunctionCode): string[] =>
  sourcesOf(code).flatMap((text) =>
    [...text.matchAll(specifiers)].map(([, specifier = '']) => specifier),
  )

const absolute = (text: string, base: string) => {
  if (!/^\.{0,2}\//.test(text)) return text
  const end = text.endsWith('/') ? '/' : ''
  return pathToFileURL(join(base, text)).href.replace(/\/?$/, end)
}
const moved = (map: Record<string, string>, base: string) =>
  Object.fromEntries(
    Object.entries(map).map(([key, target]) => [absolute(key, base), absolute(target, base)]),
  )

/** JSON as configurations have it: comments and commas at the end of lists count for nothing. */
const withoutComments = (text: string) =>
  text
    .replace(
      /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, quoted?: string) => quoted ?? '',
    )
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? '')
