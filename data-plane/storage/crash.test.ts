import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { root } from '#kit/root'
import { createFileBackend } from './backends/file-backend.ts'

const ref = 'abcdefghijklmnopqrst'
const whole = 8 * 64 * 1024

test('after kill -9 whatever was taken is there, and whatever has its name is whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-crash-'))
  try {
    const program = join(folder, 'program.mjs')
    const input = join(root, 'data-plane/testing/storage/crash-child.ts')
    const bundle = await rolldown({ input, platform: 'node', cwd: root })
    await bundle.write({ file: program, format: 'esm', codeSplitting: false })
    await bundle.close()

    const child = spawn(process.execPath, [program, join(folder, 'files'), ref])
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.split('\n').length > 20) child.kill('SIGKILL')
    })
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')

    const backend = createFileBackend(join(folder, 'files'))
    const taken = output.split('\n').slice(0, -1)
    const found: string[] = []
    for await (const { version } of backend.list(ref)) found.push(version)
    expect(found).toEqual(expect.arrayContaining(taken))
    // Those that were under way have no version for a name; the scrubber finds them in the list.
    for (const version of found.filter((name) => !name.startsWith('unfinished-')))
      expect(await backend.size({ ref, version })).toBe(whole)
  } finally {
    await rm(folder, { recursive: true })
  }
})
