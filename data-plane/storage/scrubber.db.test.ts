import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createProjects } from '../projects/projects.ts'
import { accessTo } from './access.ts'
import { keepChoice } from './archive-choice.ts'
import { NoBytesError } from './backend.ts'
import { createFileBackend } from './file-backend.ts'
import { scrub } from './scrubber.ts'
import { startStorage, type StoragePlane } from './test-storage.ts'

let plane: StoragePlane
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-scrub-'))
  plane = await startStorage({ storage: { backend: createFileBackend(folder), largest: 1e6 } })
})
afterAll(async () => {
  await plane.close()
  await rm(folder, { recursive: true })
})

test('bytes without a row go once they are old, and rows without bytes are counted', async () => {
  const backend = createFileBackend(folder)
  const { ref } = plane.project
  const projects = createProjects({ directory: plane.directory, log: silentLog })
  try {
    const project = await projects.open(ref)
    if (!project) throw new Error('The project is not there')
    const service = { role: 'service_role', claims: '{}' }
    const access = accessTo(project, service, { method: 'GET', path: '/', headers: '{}' })
    const storage = { ref, backend, access, largest: 1, sealingKey: '', log: silentLog }
    const files = plane.service.from('own')
    for (const name of ['a', 'b']) await files.upload(name, name)
    await files.copy('a', 'c')
    const orphan = { ref, version: randomUUID() }
    await backend.write(
      orphan,
      (async function* () {
        yield Buffer.from('left')
      })(),
    )
    const choice = { ref, version: await keepChoice(storage, ['a']) }
    expect(await scrub(storage)).toEqual({ removed: 0, missing: 0 })
    expect(await backend.size(choice)).toBe(5)
    expect(await backend.size(orphan)).toBe(4)
    expect(await scrub(storage, { olderThan: -1000 })).toEqual({ removed: 1, missing: 0 })
    // What an archive was made of goes as well, and nobody has to be told.
    await expect(backend.size(choice)).rejects.toThrow(NoBytesError)
    const [row] = await plane.sql("select version from storage.objects where name = 'b'")
    await backend.remove([{ ref, version: String(row?.['version']) }])
    expect(await scrub(storage, { olderThan: -1000 })).toEqual({ removed: 0, missing: 1 })
    for (const name of ['a', 'c']) expect(await (await files.download(name)).data?.text()).toBe('a')
  } finally {
    await projects.close()
  }
})
