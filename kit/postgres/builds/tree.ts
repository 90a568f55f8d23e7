import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BuildError, plainName, type Place } from './build.ts'

/** A file of a build, where it lies now. */
export type Found = { place: Place; name: string; path: string }

const maxDepth = 12
const maxEntries = 50_000

/** The major version in the path of a package, such as `usr/lib/postgresql/17/lib` or `usr/pgsql-17/lib`. */
const majorIn = /(?:postgresql|pgsql)[@/-](\d+)(?:\.\d+)?\//

/**
 * Finds the files of a build for a major version in a folder: an unpacked package, what `make install DESTDIR=...` makes, or
 * a folder with control files, scripts and libraries side by side. All else in it is left where it is. Only the names of the files
 * count for where they go, so no path leads anywhere.
 * @throws BuildError when there is none, or something in the place of one is no ordinary file
 */
export async function filesOf(folder: string, major: string): Promise<Found[]> {
  const found: Found[] = []
  const otherMajors = new Set<string>()
  let entries = 0
  async function walk(at: string, below: string, depth: number): Promise<void> {
    if (depth > maxDepth) throw new BuildError(`${below} is nested too deeply`)
    for (const entry of await readdir(at, { withFileTypes: true })) {
      if (++entries > maxEntries) throw new BuildError(`it has more than ${maxEntries} files`)
      const path = join(at, entry.name)
      const inside = `${below}${entry.name}`
      if (entry.isDirectory()) {
        await walk(path, `${inside}/`, depth + 1)
        continue
      }
      const place = placeOf(inside)
      if (place === undefined) continue
      const [, builtFor = major] = majorIn.exec(inside) ?? []
      if (builtFor === major) found.push({ place, name: entry.name, path: await realFile(path) })
      else otherMajors.add(builtFor)
    }
  }
  await walk(folder, '', 0)
  const controls = new Set(found.map(({ name }) => extensionOfControl(name)).filter(Boolean))
  if (controls.size === 0) {
    const others = [...otherMajors].toSorted().join(', ')
    throw new BuildError(
      others === ''
        ? 'there is no extension in it: no file that ends with .control'
        : `it was built for PostgreSQL ${others}, the servers here are ${major}`,
    )
  }
  const isOfOne = (name: string) => controls.has(extensionOfFile(name))
  return onceEach(found.filter(({ place, name }) => place !== 'extension' || isOfOne(name)))
}

/** `cube` for `cube.control`; undefined for the control file of one version, `cube--1.0.control`. */
export const extensionOfControl = (file: string): string | undefined =>
  /^((?:(?!--).)+)\.control$/.exec(file)?.[1]
const extensionOfFile = (file: string): string | undefined =>
  extensionOfControl(file) ?? /^((?:(?!--).)+)--.+\.(?:sql|control)$/.exec(file)?.[1]

function placeOf(path: string): Place | undefined {
  const name = basename(path)
  if (extensionOfFile(name) !== undefined) return 'extension'
  if (/\.(?:so|dylib)$/.test(name)) return 'lib'
  const isOfSearch = basename(dirname(path)) === 'tsearch_data'
  return isOfSearch && /\.(?:dict|affix|stop|rules|syn|ths)$/.test(name)
    ? 'tsearch_data'
    : undefined
}

/** A file, or a link to one beside it, as packages have for scripts that are the same. */
async function realFile(path: string): Promise<string> {
  const name = basename(path)
  if (!plainName.test(name)) throw new BuildError(`"${name}" is no name for a file of an extension`)
  const state = await lstat(path)
  if (state.isFile()) return path
  const target = state.isSymbolicLink() ? await readlink(path) : ''
  const beside = join(dirname(path), target)
  const isBeside = target !== '' && basename(target) === target && target !== '..'
  if (isBeside && (await lstat(beside).catch(() => undefined))?.isFile()) return beside
  throw new BuildError(
    state.isSymbolicLink() ? `${name} is a link to "${target}"` : `${name} is no ordinary file`,
  )
}

/** A package may have the same file twice; two that differ are two builds. */
async function onceEach(found: Found[]): Promise<Found[]> {
  const byName = new Map<string, Found>()
  for (const one of found) {
    const key = `${one.place}/${one.name}`
    const before = byName.get(key)
    if (before && !(await readFile(before.path)).equals(await readFile(one.path)))
      throw new BuildError(`${one.name} is in it twice: name the folder of one build`)
    byName.set(key, before ?? one)
  }
  return [...byName.values()]
}
