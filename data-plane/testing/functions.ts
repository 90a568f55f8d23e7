import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FunctionCode, ServedFunction } from '#contract/functions/functions-internal'
import { startDataPlane, testRef } from './data-plane.ts'
import type { WorkerLimits } from '../functions/limits.ts'
import type { NetworkOptions } from '../functions/network.ts'

export type Files = Record<string, string>

/** A data plane whose one project has the functions that tests deploy. */
export async function startFunctionPlane(
  limits: Partial<WorkerLimits> = {},
  setup = '',
  more: Parameters<typeof startDataPlane>[3] = {},
  network?: NetworkOptions,
) {
  const home = await mkdtemp(join(tmpdir(), 'plinth-functions-'))
  const codes = new Map<string, FunctionCode>()
  const functions = new Map<string, ServedFunction>()
  const secrets: Record<string, string> = {}
  const database: { url?: string } = {}
  const source = {
    of: () =>
      Promise.resolve({
        region: 'eu-central-1',
        wallMs: 150_000,
        functions: [...functions.values()],
        secrets: { ...secrets },
        databaseUrl: database.url,
        publishableKey: 'sb_publishable_test',
      }),
    code: (versionId: string) => {
      const code = codes.get(versionId)
      return code ? Promise.resolve(code) : Promise.reject(new Error('No such version'))
    },
  }
  const plane = await startDataPlane(setup, {}, testRef, {
    ...more,
    functions: { home, source, limits, network },
  })
  // Functions reach their project by its address.
  plane.directory.put({ ...plane.project, url: plane.url })
  const base = `${plane.url}/functions/v1`
  return {
    ...plane,
    base,
    home,
    secrets,
    /** Tells functions where the database is; nobody does before. */
    setDatabaseUrl: (url: string) => (database.url = url),
    /** Makes the next version of a function; a text is its one file. */
    deploy(slug: string, code: string | Files, more: { verifyJwt?: boolean } = {}): void {
      const files = typeof code === 'string' ? { 'index.ts': code } : code
      const versionId = randomUUID()
      const before = functions.get(slug)
      codes.set(versionId, {
        entrypointPath: 'index.ts',
        importMapPath: null,
        files: Object.entries(files).map(([path, text]) => ({
          path,
          content: Buffer.from(text).toString('base64'),
        })),
      })
      functions.set(slug, {
        id: before?.id ?? randomUUID(),
        slug,
        version: (before?.version ?? 0) + 1,
        versionId,
        verifyJwt: more.verifyJwt ?? false,
      })
      plane.directory.put({ ...plane.project, url: plane.url })
    },
    call: (path: string, init: RequestInit = {}) => fetch(`${base}/${path}`, init),
    async close() {
      await plane.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
export type FunctionPlane = Awaited<ReturnType<typeof startFunctionPlane>>
