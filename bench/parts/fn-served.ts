import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServedFunctions } from '#contract/functions/functions-internal'
import { findDeno } from '#data-plane/functions/deno'
import type { FunctionOptions } from '#data-plane/functions/functions'
import { oneAnswer } from './http-load.ts'

/** What every function of the benchmarks does. */
const handler = `Deno.serve(PLACE(request) => new Response("hello", { headers: { "content-length": "5" } }))`
const noKey = { verifyJwt: false, version: 1 }

/** Functions `f0`, `f1` ... of the served project, all alike, each a version of its own. */
export function manyFunctions(count: number): FunctionOptions {
  const secrets = {}
  const home = mkdtempSync(join(tmpdir(), 'plinth-bench-fn-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  const functions: ServedFunctions['functions'] = Array.from({ length: count }, (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    return { id, versionId: id, slug: `f${index}`, ...noKey }
  })
  const content = Buffer.from(handler.replace('PLACE', '')).toString('base64')
  return {
    home,
    source: {
      of: () => Promise.resolve({ region: 'local', wallMs: 150_000, functions, secrets }),
      code: () =>
        Promise.resolve({
          entrypointPath: 'index.ts',
          importMapPath: null,
          files: [{ path: 'index.ts', content }],
        }),
    },
    limits: { cpuMs: 3_600_000 },
  }
}

/** The same function by a bare `deno run` on a free port; `close` ends it. */
export async function bareDeno(port: number) {
  const deno = await findDeno()
  if (!deno) throw new Error('There is no Deno for this machine')
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-deno-'))
  const file = join(folder, 'index.ts')
  await writeFile(
    file,
    handler.replace('PLACE', `{ port: ${port}, hostname: "127.0.0.1", onListen() {} }, `),
  )
  const env = { DENO_DIR: join(folder, 'cache'), DENO_NO_UPDATE_CHECK: '1' }
  const program = spawn(deno, ['run', '--allow-net', file], { env, stdio: 'inherit' })
  return {
    program,
    async close() {
      program.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Asks until somebody listens; ends with the first answer. */
export async function firstAnswer(port: number): Promise<void> {
  for (;;) {
    const open = await new Promise<boolean>((done) => {
      const socket = createConnection(port, '127.0.0.1')
      socket.once('connect', () => done(true)).once('error', () => done(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) break
    await delay(1)
  }
  await oneAnswer({ host: '127.0.0.1', port }, request('/'))
}

export const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
