import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '#kit/root'

/**
 * A program of this repository in one file, `source` from its root, for tests that kill it. It lies beside the packages, which stay
 * outside of it. Whoever asks removes it.
 */
export async function bundleProgram(source: string, name: string): Promise<string> {
  const folder = join(root, 'test-output')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}-${process.pid}.mjs`)
  const bundle = await rolldown({
    input: join(root, source),
    platform: 'node',
    cwd: root,
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('#'),
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}

/** Runs a program to its end, or to the failpoint, which ends it as a power cut would: its code, or the signal that has ended it. */
export async function runProgram(
  program: string,
  given: object,
  failpoint?: string,
): Promise<unknown> {
  const points = await mkdtemp(join(tmpdir(), 'plinth-fail-'))
  if (failpoint !== undefined)
    await writeFile(join(points, failpoint.replaceAll(/[^\w.-]/g, '_')), '')
  const env = { ...process.env, PLINTH_FAILPOINTS: points }
  const argument = JSON.stringify(given)
  const child = spawn(process.execPath, [program, argument], { env, cwd: root, stdio: 'inherit' })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  await rm(points, { recursive: true })
  return signal ?? code
}
