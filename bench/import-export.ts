import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
} from '../journeys/testing/client.ts'
import { startPlatform } from '../journeys/testing/platform.ts'
import { childOf } from '../journeys/testing/processes.ts'

/**
 * A gigabyte of CSV into a table, and out of it again: seconds, and the resident memory of both programs before and at
 * its highest. What passes through must not gather anywhere, so the memory is as high for ten gigabytes as for one.
 */
const gigabytes = Number(process.env['GIGABYTES'] ?? 1)
const rowBytes = 100
const rows = Math.ceil((gigabytes * 1e9) / rowBytes)
const rowsPerPiece = 20_000

const platform = await startPlatform({ environment: { PLINTH_RATE_LIMIT: '100000' } })
try {
  const person = await signUp(platform.url, 'bench@example.com')
  const project = await createProject(person, await createOrganization(person, 'Bench'), 'Bench')
  const { ref } = project
  await reaches(person, ref, ['ACTIVE_HEALTHY'])
  await runSql(person, ref, 'create table big (id int, name text, note text)')
  const detail = await person.call('GET', `/platform/projects/${ref}`)
  const headers = { 'x-connection-encrypted': String(detail.body['connectionString']) }
  // The first of everything costs memory once.
  await imported(person, ref, headers, 10_000)
  await runSql(person, ref, 'truncate big')
  await watched(`import ${gigabytes} GB`, () => imported(person, ref, headers, rows))
  const [{ n } = { n: 0 }] = (await runSql(person, ref, 'select count(*)::int as n from big')) as {
    n: number
  }[]
  if (n !== rows) throw new Error(`${n} rows and not ${rows}`)
  for (const format of ['csv', 'json', 'sql'])
    await watched(`export ${format}`, () => exported(person, ref, headers, format))
} finally {
  await platform.dispose()
}

type Headers = Record<string, string>

async function imported(who: Person, ref: string, headers: Headers, count: number) {
  const at = `/platform/pg-meta/${ref}/imports`
  const size = count * rowBytes
  const file = { name: 'big.csv', size, modified: 0 }
  const wanted = { schema: 'public', table: 'big', columns: ['id', 'name', 'note'], header: false }
  const started = await who.call('POST', at, { ...wanted, file }, headers)
  if (started.status !== 200) throw new Error(JSON.stringify(started.body))
  const id = String(started.body['id'])
  const since = performance.now()
  for (let row = 0; row < count; row += rowsPerPiece) {
    const end = Math.min(count, row + rowsPerPiece)
    const lines = Array.from({ length: end - row }, (_, i) => lineOf(row + i))
    const piece = { offset: row * rowBytes, text: lines.join('') }
    const sent = await who.call('POST', `${at}/${id}/pieces`, piece, headers)
    if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
  }
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
