import { randomUUID } from 'node:crypto'
import { createWriteStream, readFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
} from '../journeys/testing/client.ts'
import { ImportState, importUpload } from '#contract/database/table-transfer'
import { runsAsRoot } from '#kit/postgres/os-user'
import { runAsOperator } from '../journeys/testing/operator.ts'
import { startPlatform } from '../journeys/testing/platform.ts'
import { childOf } from '../journeys/testing/processes.ts'

/**
 * A gigabyte of CSV into a table, and out of it again: seconds, and the resident memory of both programs before and at
 * its highest. What passes through must not gather anywhere, so the memory is as high for ten gigabytes as for one.
 */
const gigabytes = Number(process.env['GIGABYTES'] ?? 1)
const rowBytes = 100
const rows = Math.ceil((gigabytes * 1e9) / rowBytes)
/** As many as the dashboard sends at once. */
const partBytes = 4_000_000
const rowsPerPart = 40_000

const platform = await startPlatform({ environment: { PLINTH_RATE_LIMIT: '100000' } })
try {
  const person = await signUp(platform.url, 'bench@example.com')
  const project = await createProject(person, await createOrganization(person, 'Bench'), 'Bench')
  const { ref } = project
  await reaches(person, ref, ['ACTIVE_HEALTHY'])
  await runSql(person, ref, 'create table big (id int, name text, note text)')
  const detail = await person.call('GET', `/platform/projects/${ref}`)
  const endpoint = String(detail.body['endpoint'])
  const headers = { 'x-connection-encrypted': String(detail.body['connectionString']) }
  const into = { ref, endpoint, headers }
  // The first of everything costs memory once.
  await withFile(10_000, (path) => imported(person, into, path))
  await runSql(person, ref, 'truncate big; create table copied (like big)')
  await withFile(rows, async (path) => {
    await watched(`import ${gigabytes} GB`, () => imported(person, into, path))
    const [{ n } = { n: 0 }] = (await runSql(
      person,
      ref,
      'select count(*)::int as n from big',
    )) as {
      n: number
    }[]
    if (n !== rows) throw new Error(`${n} rows and not ${rows}`)
    await watched('COPY of the same file', async () => {
      await runAsOperator(platform, ref, `copy copied from '${path}' with (format csv)`)
      return {}
    })
  })
  for (const format of ['csv', 'json', 'sql'])
    await watched(`export ${format}`, () => exported(person, ref, headers, format))
} finally {
  await platform.dispose()
}

type Headers = Record<string, string>

async function imported(
  who: Person,
  { ref, endpoint, headers }: { ref: string; endpoint: string; headers: Headers },
  path: string,
) {
  const at = `/platform/pg-meta/${ref}/imports`
  const source = await open(path)
  const { size } = await source.stat()
  const file = { name: 'big.csv', size, modified: 0 }
  const wanted = { schema: 'public', table: 'big', columns: ['id', 'name', 'note'], header: false }
  const started = await who.call('POST', at, { ...wanted, file }, headers)
  if (started.status !== 200) throw new Error(JSON.stringify(started.body))
  const { id, upload_token: token } = ImportState.parse(started.body)
  const authorization = `Bearer ${token}`
  const since = performance.now()
  const part = Buffer.alloc(partBytes)
  for (let offset = 0; offset < size; offset += partBytes) {
    const { bytesRead } = await source.read(part, 0, partBytes, offset)
    const address = endpoint + importUpload.path(id, offset)
    const body = part.subarray(0, bytesRead)
    const sent = await fetch(address, { method: 'PUT', headers: { authorization }, body })
    if (!sent.ok) throw new Error(await sent.text())
    await sent.arrayBuffer()
  }
  await source.close()
  const sentMs = performance.now() - since
  await who.call('POST', `${at}/${id}/finish`, {}, headers)
  for (;;) {
    const { body } = await who.call('GET', `${at}/${id}`, undefined, headers)
    if (body['kept'] === true) break
    if (body['ended_at'] !== null) throw new Error(JSON.stringify(body))
    await delay(100)
  }
  return {
    sentSeconds: seconds(sentMs),
    loadedSeconds: seconds(performance.now() - since - sentMs),
  }
}

/** Rows in a file that the project's server can read, too: one with a view of its own has a /tmp of its own. */
async function withFile(count: number, use: (path: string) => Promise<unknown>): Promise<void> {
  const path = join(runsAsRoot() ? '/var/lib' : tmpdir(), `plinth-bench-${randomUUID()}.csv`)
  const parts = function* () {
    for (let row = 0; row < count; row += rowsPerPart)
      yield Array.from({ length: Math.min(rowsPerPart, count - row) }, (_, i) =>
        lineOf(row + i),
      ).join('')
  }
  try {
    await pipeline(parts, createWriteStream(path, { mode: 0o644 }))
    await use(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Three columns; the last one has to be unquoted. */
function lineOf(row: number): string {
  const start = `${String(row).padStart(9, '0')},${`name ${row}`.padEnd(20, 'x')}`
  return `${start.padEnd(rowBytes - 12, 'y')},"a, ""b"""\n`
}

async function exported(who: Person, ref: string, headers: Headers, format: string) {
  const found = (await runSql(who, ref, "select 'big'::regclass::oid::int as id")) as {
    id: number
  }[]
  const response = await fetch(
    `${platform.url}/platform/pg-meta/${ref}/entities/${found[0]?.id}/export`,
    {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${who.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ format }),
    },
  )
  if (!response.ok || !response.body) throw new Error(await response.text())
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  return { bytes }
}

/** Prints what `work` said, how long it took, and megabytes of memory. */
async function watched(name: string, work: () => Promise<object>): Promise<void> {
  const parent = platform.process.pid ?? 0
  const programs = ['data-plane', 'control-plane'].map((program) => {
    const pid = childOf(parent, `${program}.js`) ?? 0
    return { program, pid, before: residentMb(pid), highest: 0 }
  })
  const timer = setInterval(() => {
    for (const one of programs) one.highest = Math.max(one.highest, residentMb(one.pid))
  }, 200)
  const since = performance.now()
  const said = await work()
  clearInterval(timer)
  const memory = Object.fromEntries(
    programs.map(({ program, before, highest }) => [program, { before, highest }]),
  )
  const line = { name, seconds: seconds(performance.now() - since), ...said, memoryMb: memory }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10
}

function residentMb(pid: number): number {
  const [, kb = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}
