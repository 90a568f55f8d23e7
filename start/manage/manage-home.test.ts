import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findHome } from './manage-home.ts'

async function folders() {
  const top = await mkdtemp(join(tmpdir(), 'plinth-find-'))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const [deep, installation] = [join(top, 'app/src'), join(top, 'plinth')]
  for (const folder of [deep, installation]) await mkdir(folder, { recursive: true })
  return { top, deep, installation }
}

test('the nearest home counts, then that of the installation, then one that is not there yet', async () => {
  const { top, deep, installation } = await folders()
  const found = () => findHome(deep, installation)
  expect(found()).toBe('.plinth')
  await mkdir(join(installation, '.plinth'))
  expect(found()).toBe(join(installation, '.plinth'))
  await mkdir(join(top, '.plinth'))
  expect(found()).toBe(join(top, '.plinth'))
  // A file of that name is no home.
  await writeFile(join(top, 'app/.plinth'), '')
  expect(found()).toBe(join(top, '.plinth'))
  await mkdir(join(deep, '.plinth'))
  expect(found()).toBe('.plinth')
})

test('a home of somebody else above this folder is passed over', async () => {
  const { top, deep, installation } = await folders()
  const home = join(top, '.plinth')
  await mkdir(home)
  const stranger = 12_345
  // Only root can give a folder away; for everybody else it is the same to ask as another user.
  if (process.getuid?.() === 0) await chown(home, stranger, stranger)
  const user = process.getuid?.() === 0 ? 0 : stranger
  expect(findHome(deep, installation, user)).toBe('.plinth')
})
