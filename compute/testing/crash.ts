import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '#kit/root'
import { specOf } from './conformance-project.ts'
import type { LocalHarness } from './local.ts'

/** What the program of the fault tests does (crash-child.ts). */
export type CrashOperation =
  | 'create'
  | 'destroy'
  | 'restore'
  | 'masked copy'
  | 'resize'
  | 'make replica'
  | 'drop replica'
  | 'promote replica'

/** Runs operations in a process of its own, which a failpoint ends as a power cut would. */
export async function crashBench(harness: LocalHarness) {
  // Beside the sources, as everything that runs is: it reads the files of our own extensions.
  await mkdir(join(root, 'test-output'), { recursive: true })
  const folder = await mkdtemp(join(root, 'test-output/crash-'))
  const program = join(folder, 'crash-child.mjs')
  const input = join(root, 'compute/testing/crash-child.ts')
  const bundle = await rolldown({ input, platform: 'node', external: ['pg-native'], cwd: root })
  await bundle.write({ file: program, format: 'esm', codeSplitting: false })
  await bundle.close()
  return {
    /** Resolves to the signal that has ended the process. */
    async crash(
      operation: CrashOperation,
      ref: string,
      failpoint: string,
      /** Of which it is a copy. */
      source = ref,
    ): Promise<unknown> {
      const { options } = harness
      const job = JSON.stringify({ options, operation, spec: specOf(ref), source })
      const failpoints = await mkdtemp(join(tmpdir(), 'plinth-fail-'))
      const env = { ...process.env, PLINTH_FAILPOINTS: failpoints }
      await writeFile(join(failpoints, failpoint), '')
      const child = spawn(process.execPath, [program, job], { env, cwd: root, stdio: 'inherit' })
      const [, signal] = await once(child, 'exit')
      await rm(failpoints, { recursive: true })
      return signal
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
export type CrashBench = Awaited<ReturnType<typeof crashBench>>
