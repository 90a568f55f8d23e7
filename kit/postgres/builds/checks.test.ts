import { expect, test } from 'vitest'
import { layoutOf } from './installation.ts'
import { readControl } from './control.ts'
import { packageOf } from './deb.ts'
import { checkLibrary } from './library-format.ts'

const here = { platform: 'linux', arch: 'x64' }
const elf = (machine: number, { type = 3, bits = 2 } = {}) => {
  const head = Buffer.alloc(64)
  head.set([0x7f, 0x45, 0x4c, 0x46, bits, 1])
  head.writeUInt16LE(type, 16)
  head.writeUInt16LE(machine, 18)
  return head
}
const mach = (cpu: number) => {
  const head = Buffer.alloc(64)
  head.writeUInt32LE(0xfeed_facf)
  head.writeUInt32LE(cpu, 4)
  return head
}

test.each([
  ['a text', Buffer.from('#!/bin/sh\n'.repeat(10)), 'a.so is no shared library'],
  ['nothing', Buffer.alloc(0), 'a.so is no shared library'],
  ['a program', elf(62, { type: 2 }), 'a.so is no shared library'],
  ['another processor', elf(183), 'built for linux-arm64, this machine is linux-x64'],
  ['an unknown processor', elf(243), 'built for another kind of machine'],
  ['32 bits', elf(62, { bits: 1 }), 'built for another kind of machine'],
  ['another system', mach(0x0100_0007), 'built for darwin-x64, this machine is linux-x64'],
])('a library that is %s is refused', (_, head, message) => {
  expect(() => checkLibrary('a.so', head, here)).toThrow(message)
})

test('a library for this machine is taken', () => {
  checkLibrary('a.so', elf(62), here)
  checkLibrary('a.so', elf(183), { platform: 'linux', arch: 'arm64' })
  checkLibrary('a.dylib', mach(0x0100_000c), { platform: 'darwin', arch: 'arm64' })
  const fat = Buffer.alloc(64)
  fat.writeUInt32BE(0xcafe_babe)
  fat.writeUInt32BE(2, 4)
  fat.writeUInt32BE(0x0100_0007, 8)
  fat.writeUInt32BE(0x0100_000c, 28)
  checkLibrary('a.dylib', fat, { platform: 'darwin', arch: 'arm64' })
  expect(() => checkLibrary('a.dylib', fat, here)).toThrow('darwin-x64 and darwin-arm64')
})

test.each([
  ['no version', "comment = 'x'", 'names no default_version'],
  ['a version in a comment', "# default_version = '1'", 'names no default_version'],
  ['a directory', "default_version = '1'\ndirectory = '/etc'", 'a directory of its own'],
  ['a place', "default_version = '1'\nmodule_pathname = '/usr/lib/a'", 'loads /usr/lib/a'],
])('a control file with %s is refused', (_, text, message) => {
  expect(() => readControl('a', text)).toThrow(message)
})

test('who may create an extension is read as the server reads it', () => {
  const open = (more: string) => readControl('a', `default_version = '1'\n${more}`).open
  expect(open('')).toBe(false)
  expect(open('trusted = true')).toBe(true)
  expect(open("trusted = 'on' # so that owners may")).toBe(true)
  expect(open('TRUSTED = true\ntrusted = false')).toBe(false)
  expect(open('superuser = false')).toBe(true)
  expect(open("comment = 'trusted = true'")).toBe(false)
  expect(readControl('a', "default_version = 'it''s' # new").version).toBe("it's")
})

test('the name of a package', () => {
  expect(packageOf('/tmp/postgresql-17-pgvector_0.8.0-1_amd64.deb')).toBe('postgresql-17-pgvector')
  expect(packageOf('mine.deb')).toBe('mine')
})

test.each([
  [
    'packages of Debian',
    ['/usr/lib/postgresql/17/bin', '/usr/share/postgresql/17', '/usr/lib/postgresql/17/lib'],
    ['lib/postgresql/17/bin', 'share/postgresql/17', 'lib/postgresql/17/lib'],
  ],
  [
    'a tree of its own',
    ['/opt/pg/bin', '/opt/pg/share/postgresql', '/opt/pg/lib/postgresql'],
    ['bin', 'share/postgresql', 'lib/postgresql'],
  ],
  ['nothing in common', ['/bin', '/share', '/lib'], ['bin', 'share', 'lib']],
])('where the parts lie to each other: %s', (_, [bin = '', share = '', lib = ''], layout) => {
  expect(Object.values(layoutOf({ bin, share, lib }))).toEqual(layout)
})
