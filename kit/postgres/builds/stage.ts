import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BuildError,
  fileOf,
  manifestOf,
  places,
  plainName,
  type Build,
  type KeptBuild,
} from './build.ts'
import { readControl } from './control.ts'
import { checkLibrary } from './library-format.ts'
import { extensionOfControl, type Found } from './tree.ts'

/** Bytes of one file. The library of PostGIS has a tenth of it. */
const maxBytes = 256 * 1024 ** 2

type Staged = Pick<KeptBuild, 'name' | 'source' | 'trust'> & { preload: readonly string[] }

/**
 * Copies the files of a build into a new folder, with rights and times of our own, and writes down what they are. Nothing of it is
 * run, or believed.
 * @throws BuildError
 */
export async function stageBuild(
  found: readonly Found[],
  folder: string,
  { name, source, trust, preload }: Staged,
): Promise<Build> {
  if (!plainName.test(name)) throw new BuildError(`"${name}" is no name for a build`)
  const extensions: KeptBuild['extensions'] = []
  const files: KeptBuild['files'] = []
  for (const place of places) await mkdir(join(folder, 'files', place), { recursive: true })
  for (const { place, name: file, path } of found) {
    const bytes = await contentOf(path, file)
    if (place === 'lib') checkLibrary(file, bytes.subarray(0, 512), process)
    const extension = place === 'extension' ? extensionOfControl(file) : undefined
    let kept = bytes
    if (extension !== undefined) {
      const text = bytes.toString('utf8')
      const control = readControl(extension, text)
      extensions.push({ ...control, open: control.open || trust })
      // The last of two settings counts.
      if (trust) kept = Buffer.from(`${text}\ntrusted = true\n`)
    }
    await writeFile(fileOf(folder, place, file), kept, {
      flag: 'wx',
      mode: place === 'lib' ? 0o755 : 0o644,
    })
    files.push({ place, name: file, sha256: createHash('sha256').update(kept).digest('hex') })
  }
  for (const library of preload)
    if (!found.some((one) => one.place === 'lib' && one.name.replace(/\.\w+$/, '') === library))
      throw new BuildError(`there is no library ${library} in it to load at the start`)
  const kept: KeptBuild = {
    name,
    source,
    trust,
    preload: [...preload],
    extensions,
    files,
    added_at: new Date().toISOString(),
  }
  await writeFile(manifestOf(folder), JSON.stringify(kept, undefined, 2), { mode: 0o644 })
  return { ...kept, folder }
}

async function contentOf(path: string, name: string): Promise<Buffer> {
  const bytes = await readFile(path)
  if (bytes.length <= maxBytes) return bytes
  throw new BuildError(`${name} is too large to be what it is called`)
}
