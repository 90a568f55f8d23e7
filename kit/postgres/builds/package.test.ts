import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exists } from '../files.ts'
import { namedUnprivilegedUser, runsAsRoot } from '../os-user.ts'
import {
  arOf,
  debOf,
  debWith,
  sqlExtension,
  tarEntry,
  tarOf,
  writeTree,
} from '../../testing/extension-tree.ts'
import { unpackDeb } from './deb.ts'
import { filesOf } from './tree.ts'

let top: string
let into: string
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'plinth-package-')))
  await promisify(execFile)('chmod', ['711', top])
  into = join(top, 'into')
  await mkdir(into)
})
afterEach(() => rm(top, { recursive: true, force: true }))

const user = async () => (runsAsRoot() ? namedUnprivilegedUser() : undefined)
async function unpack(bytes: Buffer): Promise<void> {
  const file = join(top, 'a_1_amd64.deb')
  await writeFile(file, bytes)
  await unpackDeb(file, into, await user())
}
const found = async () => (await filesOf(into, '17')).map(({ place, name }) => `${place}/${name}`)

describe('a package', () => {
  test.each([
    ['something else', Buffer.from('PK not a package'), 'it is no Debian package'],
    ['an empty archive', arOf({}), 'the package has no files'],
    ['one without files', arOf({ 'debian-binary': '2.0\n' }), 'the package has no files'],
    ['an unknown packing', arOf({ 'data.tar.lz9': 'x' }), 'packed in an unknown way'],
    ['a damaged packing', arOf({ 'data.tar.gz': 'not gzip at all' }), 'cannot be unpacked'],
    ['a cut archive', debWith(tarOf(tarEntry('a'))).subarray(0, -40), 'the package is damaged'],
    [
      'a size of nonsense',
      Buffer.from(`!<arch>\n${'data.tar.gz'.padEnd(48)}${'-12'.padEnd(10)}\`\n`),
      'damaged',
    ],
    [
      'a cut tar',
      debWith(tarEntry('a.control', { content: 'x'.repeat(2000) }).subarray(0, 600)),
      'cannot be unpacked',
    ],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(unpack(bytes)).rejects.toThrow(message)
  })

  test('a path that leads out writes nothing there', async () => {
    const out = join(top, 'out.control')
    const bytes = debWith(tarOf(tarEntry('../out.control', { content: 'x' })))
    await expect(unpack(bytes)).rejects.toThrow('cannot be unpacked')
    expect(await exists(out)).toBe(false)
  })

  test('an absolute path is one inside', async () => {
    const bytes = debWith(tarOf(tarEntry(join(top, 'out.control'), { content: 'x' })))
    await unpack(bytes)
    expect(await readdir(top)).toEqual(expect.not.arrayContaining(['out.control']))
    expect(await found()).toEqual(['extension/out.control'])
  })

  test('a folder that is a link is not written through', async () => {
    const outside = join(top, 'outside')
    await mkdir(outside, { mode: 0o777 })
    await promisify(execFile)('chmod', ['777', outside])
    const link = tarEntry('share', { type: '2', link: outside })
    const bytes = debWith(tarOf(link, tarEntry('share/a.control', { content: 'x' })))
    await unpack(bytes).catch(() => undefined)
    expect(await readdir(outside)).toEqual([])
  })

  test.each([
    [
      'a link to a secret',
      { type: '2', link: '/etc/passwd' },
      'a.control is a link to "/etc/passwd"',
    ],
    ['a link above', { type: '2', link: '../b' }, 'a.control is a link to "../b"'],
    ['a pipe', { type: '6' }, 'a.control is no ordinary file'],
  ])('%s in the place of a file is refused', async (_, entry, message) => {
    await unpack(debWith(tarOf(tarEntry('a.control', entry))))
    await expect(found()).rejects.toThrow(message)
  })

  test('another name of a file outside is refused', async () => {
    const hard = tarEntry('a.control', { type: '1', link: '/etc/passwd' })
    await expect(unpack(debWith(tarOf(hard)))).rejects.toThrow('cannot be unpacked')
  })

  test('a device is refused, where it can be made at all', async () => {
    const device = debWith(tarOf(tarEntry('a.control', { type: '3' })))
    await expect(unpack(device).then(found)).rejects.toThrow(
      /cannot be unpacked|a\.control is no ordinary file/,
    )
  })

  test('a link to a script beside it is that script, as packages have it', async () => {
    const folder = join(top, 'tree')
    await writeTree(folder, sqlExtension('a'))
    await symlink('a--1.0.sql', join(folder, 'a--0.9--1.0.sql'))
    await debOf(folder, join(top, 'a_1_amd64.deb'))
    await unpackDeb(join(top, 'a_1_amd64.deb'), into, await user())
    expect(await found()).toContain('extension/a--0.9--1.0.sql')
  })
})

describe('a folder', () => {
  test('that has no extension, or one of another version, is refused', async () => {
    await writeTree(into, { 'README.md': 'x', 'a--1.0.sql': 'select 1' })
    await expect(found()).rejects.toThrow('there is no extension in it')
    await writeTree(join(into, 'usr/share/postgresql/15/extension'), sqlExtension('a'))
    await expect(found()).rejects.toThrow('built for PostgreSQL 15, the servers here are 17')
  })

  test('that has a file twice in two versions is refused', async () => {
    await writeTree(join(into, 'one'), sqlExtension('a'))
    await writeTree(join(into, 'two'), sqlExtension('a', '# another\n'))
    await expect(found()).rejects.toThrow('a.control is in it twice')
  })

  test('with a name that would be read as something else is refused', async () => {
    await writeFile(join(into, '-rf.control'), "default_version = '1'")
    await expect(found()).rejects.toThrow('"-rf.control" is no name')
  })

  test('of a package gives the files for this version, and no others', async () => {
    const share = 'usr/share/postgresql/17'
    await writeTree(join(into, share, 'extension'), sqlExtension('a'))
    await writeTree(into, {
      [`${share}/tsearch_data/a.stop`]: 'the',
      'usr/lib/postgresql/17/lib/a.so': '',
      'usr/lib/postgresql/16/lib/a.so': 'older',
      'usr/share/doc/a/copyright': '',
      'etc/cron.d/a': '',
      'src/test--1.0.sql': '',
    })
    expect((await found()).toSorted()).toEqual([
      'extension/a--1.0--1.1.sql',
      'extension/a--1.0.sql',
      'extension/a.control',
      'lib/a.so',
      'tsearch_data/a.stop',
    ])
  })
})
