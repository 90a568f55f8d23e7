import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { specOf, testRef } from '#compute/testing/conformance-project'
import { localHarness } from '#compute/testing/local'
import { createFileBackend } from '#data-plane/storage/backends/file-backend'
import { withStoredFiles } from './stored-files.ts'

async function* bytes() {
  yield Buffer.from('stored')
}

test('what a project has stored goes with it, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-stored-'))
  const harness = await localHarness({ spares: 0 })
  try {
    const files = createFileBackend(folder)
    const provider = withStoredFiles(files, harness.provider)
    const [gone, kept] = [testRef(), testRef()]
    for (const ref of [gone, kept]) await files.write({ ref, version: randomUUID() }, bytes())
    await provider.create(specOf(gone))
    expect(await readdir(folder)).toContain(gone)
    await provider.destroy(gone)
    expect(await readdir(folder)).toEqual([kept])
    expect((await provider.inspect(gone)).state).toBe('absent')
    // A second time, as after a crash in the middle.
    await provider.destroy(gone)
  } finally {
    await harness.close()
    await rm(folder, { recursive: true })
  }
})
