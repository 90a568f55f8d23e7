import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sqlExtension, writeTree } from '../../testing/extension-tree.ts'
import { locateBinaries } from '../binaries.ts'
import { addBuild } from './add.ts'
import { placeIn } from './lay.ts'
import { installationIn } from './installation.ts'
import { preparePostgres } from '../runtime.ts'

const run = promisify(execFile)

let top: string
beforeAll(async () => {
  top = await mkdtemp(join(inject('testServer').folder, 'installation-'))
  await chmod(top, 0o711)
})
afterAll(() => rm(top, { recursive: true, force: true }))

type Says = { version?: string; bin?: string; share?: string; lib?: string; libraries?: string }
/** What tells where the parts of an installation are, as every installation brings it. */
async function writePgConfig(
  folder: string,
  { version = '17.10', bin, share, lib, libraries }: Says,
): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  const lines = [
    `PostgreSQL ${version}`,
    bin ?? join(folder, 'bin'),
    share ?? join(folder, 'share/postgresql'),
    lib ?? join(folder, 'lib/postgresql'),
    libraries ?? join(folder, 'lib'),
  ]
  const file = join(folder, 'bin/pg_config')
  await writeFile(file, `#!/bin/sh\ncat <<'E'\n${lines.join('\n')}\nE\n`, { mode: 0o755 })
}

test('a folder that is no installation of PostgreSQL 17 is refused in one line', async () => {
  const folder = join(top, 'none')
  await expect(installationIn(folder)).rejects.toThrow(`${folder} has no bin/pg_config`)
  await writePgConfig(folder, { version: '16.4' })
  await expect(installationIn(folder)).rejects.toThrow(
    'is PostgreSQL 16.4, projects need PostgreSQL 17',
  )
  await writePgConfig(folder, {})
  await expect(installationIn(folder)).rejects.toThrow('bin/postgres: install the server too')
})

test('projects run on a copy of an installation, with its extensions and ours', async () => {
  const folder = join(top, 'pg17')
  const { native, version } = await locateBinaries()
  await run('cp', ['-a', '--', native, folder])
  await writePgConfig(folder, { version })
  const extensions = join(folder, 'share/postgresql/extension')
  await writeTree(extensions, sqlExtension('ofpackage'))
  // Such as packages have them: what it leads to lies elsewhere.
  await writeTree(top, { 'elsewhere.sql': 'select 1;' })
  await symlink(join(top, 'elsewhere.sql'), join(extensions, 'ofpackage--1.1--1.2.sql'))
  await rm(join(extensions, 'pg_prewarm.control'))

  const home = join(top, 'home')
  await mkdir(home, { mode: 0o711 })
  const before = await run('find', [folder, '-printf', '%p %T@ %s\n'])
  const runtime = await preparePostgres(home, [], folder)
  const { binaries } = runtime
  expect(binaries.version).toBe(version)
  expect(binaries.native.startsWith(home)).toBe(true)
  const names = await readdir(placeIn(binaries, 'extension'))
  expect(names).toEqual(expect.arrayContaining(['ofpackage.control', 'pgmq.control']))
  expect((await run('find', [folder, '-printf', '%p %T@ %s\n'])).stdout).toBe(before.stdout)

  // It runs from there: a build is tried in a server of it.
  const tree = join(top, 'more')
  await writeTree(tree, sqlExtension('more', "requires = 'ofpackage'\n"))
  const build = { home, runtime, from: tree, trust: false, preload: [] }
  expect((await addBuild(build)).extensions[0]?.name).toBe('more')
  await rm(folder, { recursive: true })
  await expect(addBuild(build)).resolves.toMatchObject({ name: 'more' })
})
