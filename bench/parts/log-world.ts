import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { createLog } from '#kit/log'
import { usageOf } from '#kit/process-usage'
import { root } from '#kit/root'
import { count } from '#data-plane/logs/engine/counts'
import { entryColumns } from '#data-plane/logs/files/entry-lines'
import { packedName } from '#data-plane/logs/files/file-names'
import { createLogFiles, type LogFiles } from '#data-plane/logs/files/log-files'
import { createProjectFolders } from '#data-plane/logs/files/project-folders'
import type { NewEvent } from '#data-plane/logs/log-store'
import type { Measured } from './compare.ts'

/** The hour at which the logs of a bench end, and how many before it they cover. */
export const end = Date.parse('2026-03-10T12:00:00Z') * 1000
export const hours = 7 * 24
const hour = 3_600_000_000
export const since = (before: number) => new Date((end - before * hour) / 1000).toISOString()
export const until = new Date(end / 1000).toISOString()

/** A request at the gateway, as the data plane makes it. */
export function requestEvent(at: number, timestamp: number): NewEvent {
  return {
    id: `${at.toString(16).padStart(8, '0')}-5c3a-4b2e-9d4a-0c1b2d3e4f50`,
    timestamp,
    source: 'edge_logs',
    level: at % 50 === 0 ? 'error' : 'info',
    message: '',
    columns: {
      request_id: `${at.toString(16).padStart(8, '0')}-0c5a-4b2e-9d4a-0c1b2d3e4f50`,
      method: at % 7 === 0 ? 'POST' : 'GET',
      path: `/rest/v1/table_${at % 40}`,
      search: `?select=id,title&id=eq.${(at * 7919) % 1_000_003}`,
      host: 'abcdefghijklmnopqrst.example.com',
      status: at % 50 === 0 ? 500 : 200,
      duration: (at % 900) / 10,
      response_bytes: (at * 31) % 9000,
      address: `203.0.113.${at % 250}`,
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
    },
    rest: { 'request.protocol': 'https' },
  }
}

/** The same in SQL, of row `i` with its time `t`. */
const generated: Record<string, string> = {
  id: `format('{:08x}-5c3a-4b2e-9d4a-0c1b2d3e4f50', i)`,
  timestamp: 't',
  source: `'edge_logs'`,
  level: `case when i % 50 = 0 then 'error' else 'info' end`,
  request_id: `format('{:08x}-0c5a-4b2e-9d4a-0c1b2d3e4f50', i)`,
  method: `case when i % 7 = 0 then 'POST' else 'GET' end`,
  path: `'/rest/v1/table_' || (i % 40)`,
  search: `'?select=id,title&id=eq.' || ((i * 7919) % 1000003)`,
  host: `'abcdefghijklmnopqrst.example.com'`,
  status: `(case when i % 50 = 0 then 500 else 200 end)::double`,
  duration: `((i % 900) / 10.0)::double`,
  request_bytes: 'null::double',
  response_bytes: `((i * 31) % 9000)::double`,
  address: `'203.0.113.' || (i % 250)`,
  user_agent: `'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'`,
  rest: `'{"request.protocol":"https"}'`,
}

/** Hours of one file: a day has twelve, so that nobody merges them while they are measured. */
const perFile = 2

/** A week of a project's logs as they are when they are packed, with their counts: `entries` in all. */
export async function makeWeek(folder: string, ref: string, entries: number): Promise<void> {
  const folders = createProjectFolders(folder)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const perHour = Math.floor(entries / hours)
  const [ofFile, length] = [perHour * perFile, hour * perFile]
  const columns = entryColumns.map((name) => `${generated[name] ?? 'null::varchar'} as "${name}"`)
  for (let at = 0; at < hours / perFile; at += 1) {
    const from = end - hours * hour + at * length
    const day = Math.floor(from / (24 * hour))
    await folders.make(ref, day)
    const path = (name: string) => join(folders.ofDay(ref, day), name)
    const packed = path(packedName({ from, to: from + length }, `bench-${at}`))
    const counts = path(`bench-${at}.counts`)
    await connection.run(
      `copy (select ${columns.join(', ')} from (
        select range as i, ${from} + (range - ${at * ofFile}) * ${Math.floor(hour / perHour)} as t
        from range(${at * ofFile}, ${(at + 1) * ofFile})))
       to '${packed}' (format parquet, compression zstd, row_group_size 20480)`,
    )
    const by = await count(connection, packed, counts)
    if (by === 'few') throw new Error('Entries of a bench are told apart by their paths')
  }
  connection.closeSync()
}

/** A store as the data plane has it; its clock stands at `end`. */
export const openStore = (folder: string): LogFiles =>
  createLogFiles({
    folder,
    log: createLog('bench', 'error'),
    engine: { program: join(root, 'dist/server/log-engine.js') },
    now: () => end / 1000,
  })

/** A store over a folder of its own. */
export async function withStore(
  work: (store: LogFiles, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-logs-'))
  const store = openStore(folder)
  try {
    await work(store, folder)
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Milliseconds and processor time of one question, of this process and the project's reader, in the middle of many. */
export async function measureQuestion(
  store: LogFiles,
  ref: string,
  ask: () => Promise<unknown>,
  times: number,
): Promise<Measured> {
  await ask()
  const reader = async () => (await usageOf(store.pids().readers.get(ref) ?? 0))?.cpuMs ?? 0
  const [start, own, child] = [performance.now(), process.cpuUsage(), await reader()]
  for (let at = 0; at < times; at += 1) await ask()
  const { user, system } = process.cpuUsage(own)
  const cpuMs = ((user + system) / 1000 + (await reader()) - child) / times
  return { value: (performance.now() - start) / times, cpuMs }
}

/** The same of work in this process alone. */
export async function measureHere(work: () => Promise<unknown>, times: number): Promise<Measured> {
  await work()
  const [start, own] = [performance.now(), process.cpuUsage()]
  for (let at = 0; at < times; at += 1) await work()
  const { user, system } = process.cpuUsage(own)
  return { value: (performance.now() - start) / times, cpuMs: (user + system) / 1000 / times }
}
