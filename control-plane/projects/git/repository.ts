import type { RepositoryFile } from './archive.ts'
import { readConfig, type ConfigFile, type FunctionConfig } from './config/config-file.ts'

export type RepositoryMigration = { version: string; name: string; sql: string }
export type RepositoryFunction = {
  slug: string
  entrypoint_path: string
  import_map_path: string | null
  files: RepositoryFile[]
  /** Undefined: it stays as it is. */
  verify_jwt?: boolean | undefined
}
export type Repository = {
  /** The oldest first. */
  migrations: RepositoryMigration[]
  functions: RepositoryFunction[]
  /** What config.toml says of the settings that go with branches. */
  settings: ConfigFile['settings']
  /** The SQL of seed.sql, for branches; undefined: there is none. */
  seed: string | undefined
  /** What is there and is not used, in words. */
  unused: string[]
}

const migration = /^migrations\/(\d{1,20})_([\w.-]{1,200})\.sql$/
const slug = /^[a-zA-Z][\w-]{0,62}$/
/** Of functions, for several: their folders begin with an underscore, and single files lie beside the folders. */
const isShared = (path: string) => /^functions\/(?:_|[^/]+$)/.test(path)
const entrypoints = ['index.ts', 'index.tsx', 'index.js', 'index.mjs']
const importMaps = ['deno.json', 'deno.jsonc', 'import_map.json']

/** What a folder has for a project, laid out as public command line clients do. */
export function readRepository(files: readonly RepositoryFile[]): Repository {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const unused: string[] = []
  const migrations: RepositoryMigration[] = []
  for (const { path, content } of files) {
    const [, version, name] = migration.exec(path) ?? []
    if (version !== undefined && name !== undefined)
      migrations.push({ version, name, sql: content.toString('utf8') })
    else if (path.startsWith('migrations/') && path.endsWith('.sql'))
      unused.push(`${path}: a migration is called VERSION_name.sql, with digits as the version`)
  }
  migrations.sort((a, b) => (BigInt(a.version) < BigInt(b.version) ? -1 : 1))
  const config = readConfig(byPath.get('config.toml')?.content.toString('utf8') ?? '')
  unused.push(...config.unused)

  const shared = files.filter(({ path }) => isShared(path))
  const names = new Set(
    files.flatMap(({ path }) => {
      const [, name] = /^functions\/([^/]+)\//.exec(path) ?? []
      return name === undefined || name.startsWith('_') || name.startsWith('.') ? [] : [name]
    }),
  )
  const functions: RepositoryFunction[] = []
  for (const name of [...names].toSorted()) {
    const own = `functions/${name}/`
    const found = (candidates: readonly string[], folder: string) =>
      candidates.map((file) => `${folder}${file}`).find((path) => byPath.has(path))
    const told = config.functions.get(name) ?? {}
    const entrypoint = told.entrypoint ?? found(entrypoints, own)
    const why = whyNot(name, entrypoint, told, (path) => byPath.has(path))
    if (why !== undefined || entrypoint === undefined) {
      unused.push(`functions/${name}: ${why}`)
      continue
    }
    const importMap = told.import_map ?? found(importMaps, own) ?? found(importMaps, 'functions/')
    functions.push({
      slug: name,
      entrypoint_path: `supabase/${entrypoint}`,
      import_map_path: importMap === undefined ? null : `supabase/${importMap}`,
      verify_jwt: told.verify_jwt,
      files: [...files.filter(({ path }) => path.startsWith(own)), ...shared].map((file) => ({
        ...file,
        path: `supabase/${file.path}`,
      })),
    })
  }
  for (const name of config.functions.keys())
    if (!names.has(name)) unused.push(`config.toml [functions.${name}]: there is no such function`)
  const seed = byPath.get('seed.sql')?.content.toString('utf8')
  return { migrations, functions, settings: config.settings, seed, unused }
}

/** Why a function is not deployed; undefined: it is. */
function whyNot(
  name: string,
  entrypoint: string | undefined,
  { enabled, import_map: importMap }: FunctionConfig,
  has: (path: string) => boolean,
): string | undefined {
  if (enabled === false) return 'config.toml switches it off'
  if (entrypoint === undefined) return 'it has no index.ts'
  if (!slug.test(name)) return 'this is no name of a function'
  const missing = [entrypoint, importMap].find((path) => path !== undefined && !has(path))
  return missing === undefined ? undefined : `there is no ${missing}, which config.toml names`
}
