import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { madeOnce } from '../../made-once.ts'
import { binariesIn, embeddedLayout, type PostgresBinaries } from '../binaries.ts'
import { isMissing } from '../files.ts'
import type { OsUser } from '../os-user.ts'

const run = promisify(execFile)

/** By which a project remembers what it runs on: the version, and of an installation that is not ours which copy of it. */
export const programsId = ({
  native,
  version,
  layout,
}: Pick<PostgresBinaries, 'native' | 'version' | 'layout'>): string =>
  layout === embeddedLayout ? version : `${version}-${basename(native)}`

/** The version of programs by their id. */
export const versionOfPrograms = (id: string): string => id.split('-')[0] ?? id

const Note = z.object({
  id: z.string(),
  layout: z.object({ bin: z.string(), share: z.string(), lib: z.string() }),
})
const note = 'plinth-programs.json'
const ending = '-kept'

/**
 * Keeps the programs as they came, below `parent`: of links where the file system has them. Projects that run on them go on with
 * them after others have been installed in their place.
 */
export async function keepPrograms(
  binaries: PostgresBinaries,
  parent: string,
  user: OsUser | undefined,
): Promise<void> {
  const { native, layout } = binaries
  const id = programsId(binaries)
  const target = join(parent, `${process.arch}-${id}${ending}`)
  await madeOnce(
    target,
    async (copy) => {
      await run('cp', ['-al', '--', native, copy]).catch(async () => {
        await rm(copy, { recursive: true, force: true })
        await run('cp', ['-a', '--', native, copy])
      })
      await writeFile(join(copy, note), JSON.stringify({ id, layout }))
    },
    () =>
      binariesIn(target, user, layout).then(
        () => true,
        () => false,
      ),
  )
}

/** What is kept below `parent`, by its id. What cannot be run any more is not among it. */
export async function keptPrograms(
  parent: string,
  user: OsUser | undefined,
): Promise<Map<string, PostgresBinaries>> {
  const names = await readdir(parent).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const kept = new Map<string, PostgresBinaries>()
  for (const name of names.filter((each) => each.endsWith(ending))) {
    const native = join(parent, name)
    const found = await readKept(native, user).catch(() => undefined)
    if (found) kept.set(found.id, found.binaries)
  }
  return kept
}

async function readKept(native: string, user: OsUser | undefined) {
  const { id, layout } = Note.parse(JSON.parse(await readFile(join(native, note), 'utf8')))
  const isOurs = Object.entries(embeddedLayout).every(
    ([part, path]) => layout[part as keyof typeof layout] === path,
  )
  return { id, binaries: await binariesIn(native, user, isOurs ? embeddedLayout : layout) }
}
