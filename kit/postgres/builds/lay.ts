import { constants, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresBinaries } from '../binaries.ts'
import { ownExtensionNames } from '../own-extensions.ts'
import { BuildError, fileOf, places, type Build, type KeptBuild, type Place } from './build.ts'

/** Where files of a build go in a folder of programs. */
type Programs = Pick<PostgresBinaries, 'native' | 'layout'>
export const placeIn = ({ native, layout }: Programs, place: Place): string =>
  join(native, place === 'lib' ? layout.lib : join(layout.share, place))

/** What another edition of the programs differs in. */
export const buildsText = (builds: readonly Build[]): string =>
  JSON.stringify(builds.map(({ name, files }) => ({ name, files })))

/**
 * Lays the files of builds over a copy of the programs. What the server has itself stays as it is, also where it came to
 * have it after the build was added.
 */
export async function layBuilds(copy: Programs, builds: readonly Build[]): Promise<void> {
  for (const place of places) {
    const into = placeIn(copy, place)
    await mkdir(into, { recursive: true })
    const there = new Set(await readdir(into))
    for (const { folder, files } of builds)
      for (const { name } of files.filter((file) => file.place === place && !there.has(file.name)))
        await copyFile(fileOf(folder, place, name), join(into, name), constants.COPYFILE_EXCL)
  }
}

/**
 * @param programs without any build
 * @throws BuildError where a build would take the place of what the server has, what is ours, or what another build has
 */
export async function checkPlaces(
  build: Pick<KeptBuild, 'extensions' | 'files'>,
  programs: Programs,
  others: readonly Build[],
): Promise<void> {
  const ours = new Set(ownExtensionNames())
  for (const { name } of build.extensions)
    if (ours.has(name)) throw new BuildError(`${name} is a part of Plinth`)
  const has = async (place: Place) => new Set(await readdir(placeIn(programs, place)))
  const extensionFiles = await has('extension')
  for (const { name } of build.extensions)
    if (extensionFiles.has(`${name}.control`))
      throw new BuildError(`the server has ${name} already`)
  for (const { place, name } of build.files) {
    if ((await has(place)).has(name))
      throw new BuildError(`the server has a file ${name} of its own`)
    const isSame = (file: { place: Place; name: string }) =>
      file.place === place && file.name === name
    const other = others.find(({ files }) => files.some(isSame))
    if (other) throw new BuildError(`${name} is part of the build ${other.name} already`)
  }
}
