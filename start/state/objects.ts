import { createReadStream } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isMissing } from '#kit/postgres/files'
import { assertSame, copyFile, digestOf, whenThere, writeNew } from './files.ts'
import { names, ObjectLine, StateError, type Manifest } from './layout.ts'

/** Files are named by refs and versions only; one that is being written has another name and is left out. */
async function* placesOf(folder: string): AsyncIterable<string> {
  for await (const part of await opendir(folder)) {
    for await (const file of await opendir(join(folder, part.name))) {
      const place = `${part.name}/${file.name}`
      const isWhole = file.isFile() && !file.name.startsWith('unfinished-')
      if (isWhole && ObjectLine.shape.place.safeParse(place).success) yield place
    }
  }
}

/** Copies what projects have stored, with a list for each. What is removed meanwhile is left out. */
export async function copyObjects(storage: string, refs: readonly string[], into: string) {
  const copied: NonNullable<Manifest['objects']> = []
  for (const ref of refs) {
    const from = join(storage, ref)
    const list = await writeNew(join(into, names.objectList(ref)))
    try {
      for await (const place of placesOf(from)) {
        const file = await copyFile(join(from, place), join(into, names.objects(ref), place)).catch(
          unlessMissing,
        )
        if (file) await list.add(Buffer.from(`${JSON.stringify({ place, ...file })}\n`))
      }
    } catch (error) {
      // A project that has never stored anything has no folder.
      if (!isMissing(error)) {
        await list.drop()
        throw error
      }
    }
    copied.push({ ref, list: await list.end() })
  }
  return copied
}

async function* linesOf(path: string): AsyncIterable<ObjectLine> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  for await (const line of lines) {
    try {
      yield ObjectLine.parse(JSON.parse(line))
    } catch (error) {
      throw new StateError(`the backup is damaged: ${path} cannot be read`, { cause: error })
    }
  }
}

/** Reads every stored file of a project back. Returns how many there are. @throws StateError */
export async function checkObjects(from: string, ref: string): Promise<number> {
  let count = 0
  for await (const { place, ...expected } of linesOf(join(from, names.objectList(ref)))) {
    const name = join(names.objects(ref), place)
    assertSame(name, await whenThere(name, digestOf(join(from, name))), expected)
    count += 1
  }
  return count
}

/** Puts what a project had stored where it lies from now on. @throws StateError */
export async function restoreObjects(from: string, ref: string, storage: string): Promise<void> {
  for await (const { place, ...expected } of linesOf(join(from, names.objectList(ref)))) {
    const name = join(names.objects(ref), place)
    const copied = await whenThere(name, copyFile(join(from, name), join(storage, ref, place)))
    assertSame(name, copied, expected)
  }
}

const unlessMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error
}
