import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { UsageReport } from '#contract/billing/usage-metrics'
import { createMeter } from '#data-plane/usage/meter'
import { silentLog } from '#kit/log'
import { bundleProgram } from '#kit/testing/program'
import { rounds } from '#kit/testing/rounds'
import { startControlPlane, type TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'
import { usageStore } from './store.ts'

let plane: TestControlPlane
let takers: Server
let url: string
let folder: string
let program: string
let taken = 0

beforeAll(async () => {
  plane = await startControlPlane()
  const ada = await newcomer(plane, 'ada')
  await insertProject(plane, (await organizationOf(ada, 'Acme')).id, ownRef)
  folder = await mkdtemp(join(tmpdir(), 'plinth-usage-'))
  program = await bundleProgram('data-plane/testing/usage-child.ts', 'usage')
  const store = usageStore(plane.db)
  // Every third answer is lost on its way, after all was taken.
  takers = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const report = UsageReport.parse(JSON.parse(Buffer.concat(parts).toString()))
      store.add(report, new Date()).then(
        () => (++taken % 3 === 0 ? response.destroy() : response.end('{}')),
        () => response.writeHead(500).end(),
      )
    })
  })
  takers.listen(0, '127.0.0.1')
  await once(takers, 'listening')
  url = `http://127.0.0.1:${(takers.address() as AddressInfo).port}`
})
afterAll(async () => {
  takers.closeAllConnections()
  takers.close()
  await plane.end()
  await rm(folder, { recursive: true })
  await rm(program, { force: true })
})

/** Runs the program until it has counted so many, and kills it. */
async function killed(round: number): Promise<{ made: number; written: number }> {
  const record = join(folder, `record-${round}`)
  const given = JSON.stringify({ folder: join(folder, 'journals'), record, url, ref: ownRef })
  const child = spawn(process.execPath, [program, given], { stdio: 'inherit' })
  const numbers = async () => {
    const bytes = await readFile(record)
    if (bytes.length < 16) return { made: 0, written: 0 }
    return { made: Number(bytes.readBigUInt64LE(0)), written: Number(bytes.readBigUInt64LE(8)) }
  }
  await vi.waitFor(
    async () => {
      // Somewhere else each time: while nothing was sent, and in the middle of sending.
      if ((await numbers()).written < 100 + round * 37) throw new Error('It has not counted enough')
    },
    { timeout: 60_000, interval: 1 },
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  return numbers()
}

test(
  'killed again and again, what was written to the journal is counted, and nothing twice',
  { timeout: 300_000 },
  async () => {
    let [made, written] = [0, 0]
    for (let round = 0; round < rounds(5, 20); round += 1) {
      const one = await killed(round)
      made += one.made
      written += one.written
    }
    // One that lives takes what they have left.
    const meter = createMeter({
      folder: join(folder, 'journals'),
      deadMs: 200,
      sendMs: 20,
      log: silentLog,
      async send(report) {
        const response = await fetch(url, { method: 'POST', body: JSON.stringify(report) })
        await response.text()
        return { refused: 0 }
      },
    })
    await expect
      .poll(() => readdir(join(folder, 'journals')), { timeout: 60_000, interval: 20 })
      .toEqual([])
    await meter.close()
    const counted = await plane.db
      .selectFrom('platform.usage_minutes')
      .select((e) => e.fn.sum<string>('value').as('value'))
      .executeTakeFirstOrThrow()
    expect(Number(counted.value)).toBeGreaterThanOrEqual(written)
    expect(Number(counted.value)).toBeLessThanOrEqual(made)
    expect(taken).toBeGreaterThan(3)
  },
)
