import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '#kit/root'
import type { EngineProgram } from '../../logs/files/start-engine.ts'

/** A program of this repository in one file, where it finds the packages that are installed. */
export async function bundle(source: string, name: string): Promise<string> {
  const folder = join(root, 'test-output/logs')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}-${process.pid}.mjs`)
  const made = await rolldown({
    input: join(root, source),
    platform: 'node',
    cwd: root,
    external: [/^@duckdb\//, 'pg-native'],
    logLevel: 'warn',
  })
  await made.write({ file, format: 'esm', codeSplitting: false })
  await made.close()
  return file
}

let built: Promise<string> | undefined
/** The engine as it is now; built once in a process. */
export async function engineProgram(): Promise<EngineProgram> {
  return { program: await (built ??= bundle('start/log-engine.ts', 'log-engine')) }
}
