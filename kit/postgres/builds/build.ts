import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../files.ts'

/** Below the server's own folders of the same names; `lib` is that of loadable libraries. */
export const places = ['extension', 'tsearch_data', 'lib'] as const
export type Place = (typeof places)[number]

/** The name of a package, of an extension or of a library, which becomes the name of a file. */
export const plainName = /^[A-Za-z0-9_][A-Za-z0-9_.+@-]{0,127}$/

/** What is kept of a build beside its files, as `build.json`. */
const Kept = z.strictObject({
  name: z.string().regex(plainName),
  /** The file or folder that it came from, for people. */
  source: z.string(),
  added_at: z.iso.datetime(),
  /** The operator lets owners of databases enable it, whatever its own control files say. */
  trust: z.boolean(),
  /** Libraries of it that a server loads at its start. */
  preload: z.array(z.string().regex(plainName)),
  extensions: z.array(
    z.strictObject({
      name: z.string().regex(plainName),
      version: z.string(),
      /** Owners of databases may enable it: its control file says so, or the operator. */
      open: z.boolean(),
    }),
  ),
  files: z.array(
    z.strictObject({
      place: z.enum(places),
      name: z.string().regex(plainName),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
})
export type KeptBuild = z.infer<typeof Kept>

/** A build of extensions for the projects' servers, and the folder that has its files, one below for each place. */
export type Build = KeptBuild & { folder: string }

/** A build that cannot be taken; the message is for the person who brought it. */
export class BuildError extends Error {
  override name = 'BuildError'
}

/** The folder of all builds of an installation: it outlives upgrades of Plinth, as all of its home does. */
export const buildsIn = (home: string): string => join(home, 'extensions')

export const manifestOf = (folder: string): string => join(folder, 'build.json')
export const fileOf = (folder: string, place: Place, name: string): string =>
  join(folder, 'files', place, name)

/** By name. What is being added at this moment has a name that begins with a dot, and does not count. */
export async function keptBuilds(home: string): Promise<Build[]> {
  const names = await readdir(buildsIn(home)).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const folders = names.filter((name) => !name.startsWith('.')).toSorted()
  return Promise.all(folders.map((name) => readBuild(join(buildsIn(home), name))))
}

async function readBuild(folder: string): Promise<Build> {
  const file = manifestOf(folder)
  try {
    return { ...Kept.parse(JSON.parse(await readFile(file, 'utf8'))), folder }
  } catch (error) {
    throw new Error(`${file} cannot be read: remove its folder and add the build again`, {
      cause: error,
    })
  }
}
