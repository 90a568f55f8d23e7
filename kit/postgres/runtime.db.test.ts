import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  symlink,
  unlink,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { binariesIn, locateBinaries } from './binaries.ts'
import { namedUnprivilegedUser, runsAsRoot } from './os-user.ts'
import { preparePostgres, runnableBinaries } from './runtime.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-runtime-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const root = runsAsRoot()

test('the programs are found and name their version', async () => {
  expect((await locateBinaries()).version).toMatch(/^17\.\d+$/)
})

test('paths are short and stay the same for the same home', async () => {
  const home = join(folder, 'a-name-that-is-far-too-long-for-a-unix-socket'.repeat(3))
  const first = await preparePostgres(home)
  expect(first.sockets.length).toBeLessThanOrEqual(60)
  expect(await preparePostgres(home)).toEqual(first)
  await rm(first.sockets, { recursive: true })
  if (!first.clusters.startsWith(folder)) await rm(first.clusters, { recursive: true })
})

test.runIf(root)('programs in a folder that only root can enter are copied once', async () => {
  const user = await namedUnprivilegedUser()
  const closed = join(folder, 'closed')
  await cp((await locateBinaries()).native, closed, { recursive: true, verbatimSymlinks: true })
  const home = join(folder, 'home')
  await chmod(folder, 0o711)
  await chmod(closed, 0o700)
  await expect(binariesIn(closed, user)).rejects.toThrow(/EACCES/)
  const copied = await runnableBinaries(await binariesIn(closed), home, user)
  expect(copied.native.startsWith(home)).toBe(true)
  await binariesIn(copied.native, user)
  const made = await lstat(copied.native)
  expect([made.uid, made.mode & 0o022]).toEqual([0, 0])
  await unlink(join(closed, 'bin', 'initdb'))
  expect(await runnableBinaries(await binariesIn(closed), home, user)).toEqual(copied)
})

test.runIf(root)('a folder that someone else has put there is not used', async () => {
  const user = await namedUnprivilegedUser()
  const closed = join(folder, 'closed')
  const home = join(folder, 'planted')
  await mkdir(join(home, 'bin'), { recursive: true })
  await chown(join(home, 'bin'), user.uid, user.gid)
  const attempt = async () => runnableBinaries(await binariesIn(closed), home, user)
  await expect(attempt()).rejects.toThrow(/does not belong/)
  await rm(join(home, 'bin'), { recursive: true })
  await symlink(tmpdir(), join(home, 'bin'))
  await expect(attempt()).rejects.toThrow()
})

test.runIf(root)(
  'clusters of a home that only root can enter live elsewhere, and are found again',
  async () => {
    const home = join(folder, 'private', 'home')
    await mkdir(home, { recursive: true })
    await chmod(join(folder, 'private'), 0o700)
    const { clusters, sockets } = await preparePostgres(home)
    expect(clusters.startsWith(folder)).toBe(false)
    expect(await readlink(join(home, 'clusters'))).toBe(clusters)
    expect((await preparePostgres(home)).clusters).toBe(clusters)
    await rm(clusters, { recursive: true })
    await rm(sockets, { recursive: true })
  },
)

test('the owner of a database may add more extensions, and what npm installed is as it was', async () => {
  const home = join(folder, 'trusting')
  const installed = (await locateBinaries()).native
  const { binaries, clusters, sockets } = await preparePostgres(home)
  const control = async (native: string, name: string) =>
    readFile(join(native, 'share/postgresql/extension', `${name}.control`), 'utf8')
  for (const name of ['postgres_fdw', 'moddatetime', 'bloom']) {
    expect(await control(binaries.native, name)).toMatch(/^trusted = true$/m)
    expect(await control(installed, name)).not.toContain('trusted')
  }
  for (const name of ['file_fdw', 'dblink', 'pageinspect', 'earthdistance'])
    expect(await control(binaries.native, name)).not.toContain('trusted')
  for (const name of ['pgmq', 'pgjwt']) {
    expect(await control(binaries.native, name)).toMatch(/^superuser = false$/m)
    await expect(control(installed, name)).rejects.toThrow(/ENOENT/)
  }
  expect((await preparePostgres(home)).binaries).toEqual(binaries)
  await rm(sockets, { recursive: true, force: true })
  if (!clusters.startsWith(folder)) await rm(clusters, { recursive: true, force: true })
})
