import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { exists } from '#kit/postgres/files'
import { preparePostgres } from '#kit/postgres/runtime'
import { createFolders } from '../local/folders.ts'

/**
 * A home for one provider in a new folder of this run, which its users are told apart in, or further `inside` that; `mode` is that of the folder. It has the
 * template of the run, which it would take seconds to make anew.
 */
export async function makeHome({ inside = '', mode = 0o711 } = {}) {
  const { folder, templateHome, templates } = inject('testServer')
  const top = await mkdtemp(join(folder, 'home-'))
  await chmod(top, mode)
  const home = join(top, inside)
  await mkdir(home, { recursive: true })
  // Links to the same files. Where the users of servers cannot reach the folder, the programs are elsewhere, for all.
  const programs = join(templateHome, 'bin')
  if (await exists(programs)) await promisify(execFile)('cp', ['-al', '--', programs, home])
  const runtime = await preparePostgres(home)
  const folders = createFolders(runtime)
  await folders.make()
  // It is only read, so a link is enough; a home that needs another one makes that, and removes the link.
  for (const key of await readdir(templates))
    await symlink(join(templates, key), join(folders.templates, key))
  return { top, home, runtime, userRanges: join(folder, 'users') }
}
