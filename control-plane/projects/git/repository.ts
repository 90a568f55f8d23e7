import type { RepositoryFile } from './archive.ts'

export type RepositoryMigration = { version: string; name: string; sql: string }
export type RepositoryFunction = {
  slug: string
  entrypoint_path: string
  import_map_path: string | null
  files: RepositoryFile[]
}
export type Repository = {
  /** The oldest first. */
  migrations: RepositoryMigration[]
  functions: RepositoryFunction[]
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
  if (byPath.has('config.toml')) unused.push('config.toml: settings are not taken from git')
  if (byPath.has('seed.sql')) unused.push('seed.sql: rows are not taken from git')

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
    const entrypoint = found(entrypoints, own)
    if (!slug.test(name) || entrypoint === undefined) {
      unused.push(
        entrypoint === undefined
          ? `functions/${name}: it has no index.ts`
          : `functions/${name}: this is no name of a function`,
      )
      continue
    }
    const importMap = found(importMaps, own) ?? found(importMaps, 'functions/')
    functions.push({
      slug: name,
      entrypoint_path: `supabase/${entrypoint}`,
      import_map_path: importMap === undefined ? null : `supabase/${importMap}`,
      files: [...files.filter(({ path }) => path.startsWith(own)), ...shared].map((file) => ({
        ...file,
        path: `supabase/${file.path}`,
      })),
    })
  }
  return { migrations, functions, unused }
}
