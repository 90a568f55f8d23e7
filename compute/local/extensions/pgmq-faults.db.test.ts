import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { rounds } from '#kit/testing/rounds'
import { ownedProject } from '../../testing/owned-project.ts'
import type { WorkerJob } from '../../testing/queue-worker.ts'

let project: Awaited<ReturnType<typeof ownedProject>>
let folder: string
let program: string
beforeAll(async () => {
  project = await ownedProject()
  await project.rows('create extension pgmq')
  folder = await mkdtemp(join(tmpdir(), 'plinth-queue-'))
  program = join(folder, 'worker.mjs')
  const input = join(root, 'compute/testing/queue-worker.ts')
  const bundle = await rolldown({ input, platform: 'node', external: ['pg-native'], cwd: root })
  await bundle.write({ file: program, format: 'esm', codeSplitting: false })
  await bundle.close()
})
afterAll(async () => {
  await project.close()
  await rm(folder, { recursive: true, force: true })
})

const killed = ['asking', 'holding', 'deleting'] as const
const visibility = 1
const atOnce = 3
const perRound = 12

test('workers that are killed lose no message, and no message is read again before its time', async () => {
  const file = join(folder, 'read')
  await writeFile(file, '')
  await project.rows(`select pgmq.create('jobs')`)
  const job = { connection: project.connection, queue: 'jobs', visibility, file }
  async function work(more: Pick<WorkerJob, 'ending' | 'after'>): Promise<unknown> {
    const child = spawn(process.execPath, [program, JSON.stringify({ ...job, ...more })], {
      stdio: 'inherit',
    })
    const [code, signal] = await once(child, 'exit')
    return signal ?? code
  }

  const count = rounds(3, 100)
  for (let round = 0; round < count; round += 1) {
    await project.rows(
      `select pgmq.send_batch('jobs', array(select jsonb_build_object('n', n) from generate_series(1, ${perRound}) n))`,
    )
    const workers = Array.from({ length: atOnce }, (_, nr) =>
      work({ ending: killed[(round + nr) % killed.length] ?? 'holding', after: (round + nr) % 4 }),
    )
    expect(await Promise.all(workers)).toEqual(workers.map(() => 'SIGKILL'))
  }
  expect(await work({ ending: 'empty', after: 0 })).toBe(0)

  expect(await project.rows(`select queue_length from pgmq.metrics('jobs')`)).toEqual([
    { queue_length: 0 },
  ])
  const reads = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
  const until = new Map<number, number>()
  let again = 0
  for (const [id = 0, next = 0] of reads.toSorted(([, a = 0], [, b = 0]) => a - b)) {
    const before = until.get(id)
    if (before !== undefined) {
      again += 1
      // A thousandth of a millisecond for what such a number rounds away.
      const readAt = next - visibility * 1000 + 0.001
      expect(readAt, `message ${id} was read while it was invisible`).toBeGreaterThanOrEqual(before)
    }
    until.set(id, next)
  }
  const sent = Array.from({ length: count * perRound }, (_, nr) => nr + 1)
  expect([...until.keys()].toSorted((a, b) => a - b)).toEqual(sent)
  // What a worker held when it was killed came back.
  expect(again).toBeGreaterThanOrEqual(count)
}, 600_000)
