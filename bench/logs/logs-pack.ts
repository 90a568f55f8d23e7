import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { freePort } from '#kit/testing/free-port'
import type { LogFiles } from '#data-plane/logs/files/log-files'
import { withClient } from '#kit/postgres/client'
import { usageOf } from '#kit/process-usage'
import { createBareServer } from '../parts/bare-server.ts'
import { compare, measure, type Measured } from '../parts/compare.ts'
import { end, openStore, requestEvent } from '../parts/log-world.ts'

/**
 * Processor time of packing sealed lines, with the child and its start, against a session of Postgres that takes the same
 * entries as JSON objects by COPY. The second figure is microseconds of one entry.
 */
const [entries, atOnce] = [200_000, 5000]
const ref = 'abcdefghijklmnopqrst'
const events = Array.from({ length: entries }, (_, at) => requestEvent(at, end - entries + at))
const texts = Array.from({ length: entries / atOnce }, (_, at) =>
  events
    .slice(at * atOnce, (at + 1) * atOnce)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join(''),
)
let micros = Infinity

async function ours(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-logs-'))
  try {
    const writer = openStore(folder)
    for (let at = 0; at < entries; at += atOnce) {
      writer.append(ref, events.slice(at, at + atOnce))
      await writer.flush()
    }
    await writer.close()
    let packer: LogFiles | undefined
    const measured = await measure(async () => {
      packer = openStore(folder)
      await packer.tidyAll()
      return []
    })
    await packer?.close()
    micros = Math.min(micros, (measured.cpuMs * 1000) / entries)
    return measured
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const home = await mkdtemp(join(tmpdir(), 'plinth-bench-pack-'))
const bare = await createBareServer(home, await freePort())
await bare.init()
await bare.start()
try {
  await compare('logs-pack', {
    ours,
    baseline: () =>
      withClient(bare.connection, async (client) => {
        await client.query('drop table if exists logs')
        await client.query('create table logs (entry jsonb)')
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        const used = async () => (await usageOf(rows[0]?.pid ?? 0))?.cpuMs ?? 0
        const [start, before] = [performance.now(), await used()]
        await pipeline(Readable.from(texts), client.query(copyFrom('copy logs from stdin')))
        return { value: performance.now() - start, cpuMs: (await used()) - before }
      }),
  })
} finally {
  await bare.stop()
  await rm(home, { recursive: true, force: true })
}
process.stdout.write(`${JSON.stringify({ name: 'logs-pack.micros', micros })}\n`)
