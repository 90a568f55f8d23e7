import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from '../made-once.ts'
import { binariesIn, type PostgresBinaries } from './binaries.ts'
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
const edition = () =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(trusted)) + ownExtensionsText())
    .digest('hex')
    .slice(0, 8)

/**
 * The same programs beside control files that trust more extensions, and beside our own. Made once below `parent`: of links where
 * the file system has them, and never a change to what npm installed.
 */
export async function withTrustedExtensions(
  { native, version }: PostgresBinaries,
  parent: string,
  user: OsUser | undefined,
): Promise<PostgresBinaries> {
  const target = join(parent, `${process.arch}-${version}-${edition()}`)
  const make = async (copy: string) => {
    await mkdir(parent, { recursive: true })
    await run('cp', ['-al', '--', native, copy]).catch(async () => {
      // Another file system, or one without links.
      await rm(copy, { recursive: true, force: true })
      await run('cp', ['-a', '--', native, copy])
    })
    const folder = join(copy, 'share/postgresql/extension')
    for (const [name, more] of Object.entries(trusted)) {
      await append(join(folder, `${name}.control`), '\ntrusted = true\n')
      if (more) await append(join(folder, more.script), more.sql)
    }
    await addOwnExtensions(folder)
  }
  const isGood = () =>
    binariesIn(target, user).then(
      () => true,
      () => false,
    )
  await madeOnce(target, make, isGood)
  return binariesIn(target, user)
}

/** To a file of its own: the other name of the link keeps what it had. */
async function append(file: string, text: string): Promise<void> {
  const own = `${file}.own`
  await copyFile(file, own)
  await appendFile(own, text)
  await rename(own, file)
}
