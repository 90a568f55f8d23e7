import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createDiskLook } from './disk-look.ts'

test('a disk is measured by its parts, also behind a link, at most every ten minutes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-disk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'elsewhere'))
  await writeFile(join(folder, 'elsewhere/file'), Buffer.alloc(3_000_000, 1))
  await symlink(join(folder, 'elsewhere'), join(folder, 'clusters'))
  let minutes = 0
  const disk = createDiskLook({
    folder,
    parts: [
      { name: 'Databases', folder: join(folder, 'clusters') },
      { name: 'Backups', folder: join(folder, 'none') },
    ],
    now: () => new Date(Date.UTC(2026, 0, 1, 0, minutes)),
    log: silentLog,
  })
  onTestFinished(() => disk.close())
  const first = await disk.look()
  expect(first).toMatchObject({ folder, parts: [], parts_at: null })
  expect(first.free_bytes).toBeGreaterThan(0)
  expect(first.size_bytes).toBeGreaterThanOrEqual(first.free_bytes)
  await expect.poll(async () => (await disk.look()).parts_at).not.toBeNull()
  const { parts } = await disk.look()
  expect(parts).toMatchObject([{ name: 'Databases' }, { name: 'Backups', bytes: 0, why: null }])
  expect(parts[0]?.bytes).toBeGreaterThanOrEqual(3_000_000)
  const before = (await disk.look()).parts_at
  minutes = 9
  expect((await disk.look()).parts_at).toBe(before)
  minutes = 10
  await disk.look()
  await expect.poll(async () => (await disk.look()).parts_at).not.toBe(before)
})
