import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from '../made-once.ts'
import { binariesIn, embeddedLayout, type PostgresBinaries } from './binaries.ts'
import type { Build } from './builds/build.ts'
import { buildsText, layBuilds } from './builds/lay.ts'
import { exists } from './files.ts'
import type { OsUser } from './os-user.ts'
import { addOwnExtensions, ownExtensionsText } from './own-extensions.ts'

const run = promisify(execFile)

/**
 * Extensions that the owner of a database may add, beside those that Postgres itself trusts with it: their scripts call
 * nothing that could stand in the owner's own schema, and what they bring asks for the caller's rights or runs in the
 * database alone. What reads files, other sessions' memory or reaches out without a password is not among them.
 */
const trusted: Record<string, { script: string; sql: string } | undefined> = {
  autoinc: undefined,
  bloom: undefined,
  insert_username: undefined,
  moddatetime: undefined,
  pg_prewarm: undefined,
  pgrowlocks: undefined,
  // Whoever is no superuser has to give a password that the other server asks for, so nobody comes in as the server.
  postgres_fdw: {
    script: 'postgres_fdw--1.0--1.1.sql',
    sql: '\ngrant usage on foreign data wrapper postgres_fdw to @extowner@;\n',
  },
}
const edition = (builds: readonly Build[]) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(trusted)) + ownExtensionsText())
    .update(builds.length > 0 ? buildsText(builds) : '')
    .digest('hex')
    .slice(0, 8)

/**
 * The same programs beside control files that trust more extensions, beside our own and those of builds. Made once below
 * `parent`: of links where the file system has them, and never a change to what npm installed.
 */
export async function withTrustedExtensions(
  { native, version, layout }: PostgresBinaries,
  parent: string,
  user: OsUser | undefined,
  builds: readonly Build[] = [],
): Promise<PostgresBinaries> {
  const from = layout === embeddedLayout ? '' : `-${basename(native)}`
  const target = join(parent, `${process.arch}-${version}${from}-${edition(builds)}`)
  const make = async (copy: string) => {
    await mkdir(parent, { recursive: true })
    await run('cp', ['-al', '--', native, copy]).catch(async () => {
      // Another file system, or one without links.
      await rm(copy, { recursive: true, force: true })
      await run('cp', ['-a', '--', native, copy])
    })
    const folder = join(copy, layout.share, 'extension')
    for (const [name, more] of Object.entries(trusted)) {
      // An installation that is not ours may be without some of them.
      if (!(await exists(join(folder, `${name}.control`)))) continue
      await append(join(folder, `${name}.control`), '\ntrusted = true\n')
      if (more) await append(join(folder, more.script), more.sql)
    }
    const places = { native: copy, layout }
    // What projects use already comes before what we have under the same name since.
    await layBuilds(places, builds)
    await addOwnExtensions(folder)
  }
  const isGood = () =>
    binariesIn(target, user, layout).then(
      () => true,
      () => false,
    )
  await madeOnce(target, make, isGood)
  return binariesIn(target, user, layout)
}

/** To a file of its own: the other name of the link keeps what it had. */
async function append(file: string, text: string): Promise<void> {
  const own = `${file}.own`
  await copyFile(file, own)
  await appendFile(own, text)
  await rename(own, file)
}
