import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  compileLibrary,
  debOf,
  hasCompiler,
  libraryExtension,
  sqlExtension,
  writeTree,
} from '../../testing/extension-tree.ts'
import { exists } from '../files.ts'
import { preparePostgres, projectPrograms, type PostgresRuntime } from '../runtime.ts'
import { addBuild, removeBuild } from './add.ts'
import { buildsIn, keptBuilds } from './build.ts'
import { layBuilds, placeIn } from './lay.ts'

const canCompile = await hasCompiler()
let home: string
let runtime: PostgresRuntime
beforeAll(async () => {
  home = await mkdtemp(join(inject('testServer').folder, 'builds-'))
  await chmod(home, 0o711)
  runtime = await preparePostgres(home)
})
afterAll(() => rm(home, { recursive: true, force: true }))

let trees = 0
let folder: string
beforeEach(() => {
  folder = join(home, `tree${trees++}`)
})
const add = (more: { from?: string; trust?: boolean; preload?: string[] } = {}) =>
  addBuild({ home, runtime, from: folder, trust: false, preload: [], ...more })
const laid = async () => {
  const { binaries } = await projectPrograms(runtime, home)
  return readdir(placeIn(binaries, 'extension'))
}
/** Nothing of an attempt that failed is left, neither kept nor in the way. */
async function expectNothing(): Promise<void> {
  expect(await keptBuilds(home)).toEqual([])
  expect(await readdir(buildsIn(home)).catch(() => [])).toEqual([])
  const names = await readdir(runtime.programs)
  expect(names.filter((name) => name.startsWith('.new-'))).toEqual([])
}

describe('refused, and nothing of it is kept', () => {
  test.each([
    ['what the server has', sqlExtension('citext'), 'the server has citext already'],
    ['what is ours', sqlExtension('pgmq'), 'pgmq is a part of Plinth'],
    [
      'a script that fails',
      { ...sqlExtension('a'), 'a--1.0.sql': 'select 1 / 0;' },
      'create extension a fails: division by zero',
    ],
    [
      'a version without a script',
      { 'a.control': "default_version = '3'" },
      'create extension a fails: extension "a" has no installation script',
    ],
    [
      'what needs something that is not there',
      sqlExtension('a', "requires = 'postgis'\n"),
      'create extension a fails: ',
    ],
    [
      'a script in the place of a library',
      { ...sqlExtension('a'), 'a.so': '#!/bin/sh\n'.repeat(20) },
      'a.so is no shared library',
    ],
  ])('%s', async (_, files, message) => {
    await writeTree(folder, files)
    await expect(add()).rejects.toThrow(message)
    await expectNothing()
  })

  test('what is not there, and a library to preload that is not in it', async () => {
    await expect(add()).rejects.toThrow('there is no ')
    await writeTree(folder, sqlExtension('a'))
    await expect(add({ preload: ['b'] })).rejects.toThrow('there is no library b in it')
    await expectNothing()
  })

  test.runIf(canCompile).each([
    ['of another version', 15, 'cannot be loaded: incompatible library'],
    ['of no version of the server', undefined, 'cannot be loaded: incompatible library'],
  ])('a library %s', async (_, major, message) => {
    await writeTree(folder, libraryExtension('answer'))
    await compileLibrary(join(folder, 'answer.so'), 'answer', major ?? 0)
    await expect(add()).rejects.toThrow(message)
    await expectNothing()
  })

  test.runIf(canCompile)('a library that needs one that this machine has not got', async () => {
    await writeTree(folder, libraryExtension('answer'))
    const needed = join(home, 'libnowhere.so')
    await compileLibrary(needed, 'nowhere')
    await compileLibrary(join(folder, 'answer.so'), 'answer', 17, [needed])
    await rm(needed)
    await expect(add()).rejects.toThrow(/answer\.so needs .*libnowhere\.so/)
    await expectNothing()
  })

  test.runIf(canCompile)('a library that ends the server', async () => {
    await writeTree(folder, libraryExtension('answer'))
    const bad = 'void _PG_init(void) { *(volatile int *)0 = 1; }'
    await compileLibrary(join(folder, 'answer.so'), 'answer', 17, [], bad)
    await expect(add()).rejects.toThrow('answer.so cannot be loaded: ')
    await expectNothing()
  })
})

test('an extension in SQL is kept, laid beside the others, replaced and removed', async () => {
  await writeTree(folder, sqlExtension('greets'))
  const before = await projectPrograms(runtime, home)
  expect(before.binaries).toEqual(runtime.binaries)
  const build = await add()
  expect(build.extensions).toEqual([{ name: 'greets', version: '1.1', open: false }])
  expect(await laid()).toEqual(expect.arrayContaining(['greets.control', 'pgmq.control']))
  // What runs already is as it was, and so is what npm installed.
  expect(await readdir(placeIn(runtime.binaries, 'extension'))).not.toContain('greets.control')

  await expect(add({ from: await anotherWith('greets') })).rejects.toThrow('is part of the build')

  const trusted = await add({ trust: true })
  expect(trusted.extensions).toEqual([{ name: 'greets', version: '1.1', open: true }])
  const { binaries } = await projectPrograms(runtime, home)
  const control = await readFile(join(placeIn(binaries, 'extension'), 'greets.control'), 'utf8')
  expect(control).toMatch(/^trusted = true$/m)
  expect((await keptBuilds(home)).map(({ name }) => name)).toEqual([build.name])

  await removeBuild(home, trusted)
  expect(await laid()).not.toContain('greets.control')
  await expectNothing()
})

async function anotherWith(name: string): Promise<string> {
  const other = join(home, `other${trees++}`)
  await writeTree(other, sqlExtension(name))
  return other
}

test.runIf(canCompile)('a package with a library: no bit of its rights is kept', async () => {
  const root = join(folder, 'root')
  const share = join(root, 'usr/share/postgresql/17/extension')
  const library = join(root, 'usr/lib/postgresql/17/lib/answer.so')
  await writeTree(share, libraryExtension('answer'))
  await compileLibrary(library, 'answer')
  await rm(`${library}.c`)
  await chmod(library, 0o6777)
  const file = join(folder, 'postgresql-17-answer_1.0_amd64.deb')
  await debOf(root, file)
  const build = await add({ from: file, preload: ['answer'] })
  expect(build.name).toBe('postgresql-17-answer')
  const { binaries, preload } = await projectPrograms(runtime, home)
  expect(preload).toEqual(['answer'])
  const at = join(placeIn(binaries, 'lib'), 'answer.so')
  expect((await stat(at)).mode & 0o7777).toBe(0o755)
  await removeBuild(home, build)
})

test('what a server came to have later is left as it is', async () => {
  await writeTree(folder, sqlExtension('later'))
  const build = await add()
  // A server that has it: the copy of one with another build of it.
  const share = await mkdtemp(join(home, 'server-'))
  const places = { native: share, layout: { bin: 'bin', share: 'share', lib: 'lib' } }
  await mkdir(join(share, 'share/extension'), { recursive: true })
  await writeTree(join(share, 'share/extension'), { 'later.control': 'of the server' })
  await layBuilds(places, [build])
  const text = await readFile(join(share, 'share/extension/later.control'), 'utf8')
  expect(text).toBe('of the server')
  expect(await exists(join(share, 'share/extension/later--1.0.sql'))).toBe(true)
  await removeBuild(home, build)
})
