import { createServer, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LogEvent, LogPage } from '#contract/observability/logs'
import { manage } from './manage-run.ts'

/** `plinth logs` against something that answers as a platform does; a journey drives the command against a real one. */
const ref = 'a'.repeat(20)
const noon = Date.UTC(2030, 0, 31, 12) * 1000
const empty: LogPage = { events: [], lost: [] }
type Asked = { path: string; body: Record<string, unknown> }

let server: Server
let url: string
let asked: Asked[]
/** What is answered to each question about entries, in their order; the last one again and again. */
let pages: (LogPage | { status: number; message: string })[]

const start = (port = 0) =>
  new Promise<void>((resolve) => {
    server = createServer((request, response) => {
      void text(request).then((body) => answer(request.url ?? '', body, response))
    })
    server.listen(port, '127.0.0.1', () => resolve())
  })
function answer(path: string, body: string, response: ServerResponse) {
  const send = (status: number, value: object) => {
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify(value))
  }
  if (path.endsWith('/logs'))
    return send(200, { retention_days: 1, kept_since: '2030-01-30T12:00:00.000Z', engine: true })
  asked.push({ path, body: JSON.parse(body) as Record<string, unknown> })
  const page = (pages.length > 1 ? pages.shift() : pages[0]) ?? empty
  return 'status' in page ? send(page.status, page) : send(200, page)
}
beforeEach(async () => {
  asked = []
  pages = [empty]
  await start()
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())))

const event = (id: string, seconds: number, more: Partial<LogEvent> = {}): LogEvent => ({
  id,
  timestamp: noon + seconds * 1e6,
  source: 'edge_logs',
  level: 'info',
  event_message: `GET | 200 | ${id}`,
  fields: {},
  ...more,
})

function run(words: string, more: { isColoured?: boolean } = {}) {
  const out: string[] = []
  const complaints: string[] = []
  const interruption = new AbortController()
  const code = manage(words.split(' '), {
    environment: { PLINTH_URL: url, PLINTH_ACCESS_TOKEN: 'sbp_x' },
    say: (line) => out.push(line),
    complain: (line) => complaints.push(line),
    browse: () => {},
    interrupted: () => interruption.signal,
    followMs: 10,
    ...more,
  })
  return { code, out, complaints, interrupt: () => interruption.abort() }
}

test.each([
  ['logs', 'missing REF'],
  [`logs ${ref} --source postgress`, 'unknown source "postgress"; did you mean "postgres"?'],
  [
    `logs ${ref} --source edge,moon`,
    'unknown source "moon"; the sources are edge_logs, postgres_logs',
  ],
  [`logs ${ref} --since yesterday`, '"yesterday" is not a time; use 15m'],
  [`logs ${ref} --lines 0`, '--lines must be a number from 1 to 1000'],
  [`logs ${ref} --lines 1001`, '--lines must be a number from 1 to 1000'],
  [`logs ${ref} --folow`, 'did you mean --follow?'],
  [`logs ${ref} --search ${'x'.repeat(501)}`, '500 characters at most'],
  [`logs ${ref} --server-file -f`, '--server-file cannot be used with --follow'],
  [`keys ${ref} -f`, 'keys does not take --follow'],
])('plinth %s is not understood', async (words, complaint) => {
  const refused = run(words)
  expect(await refused.code).toBe(2)
  expect(refused.out).toEqual([])
  expect(refused.complaints.join('\n')).toContain(complaint)
  expect(asked).toEqual([])
})

test('a source that this installation does not have says so', async () => {
  const refused = run(`logs ${ref} --source pgbouncer`)
  expect(await refused.code).toBe(1)
  expect(refused.complaints).toEqual(['plinth: This installation has no dedicated pooler.'])
})

test('the newest entries, the oldest first, with what was lost between them and not before', async () => {
  const rate = { reason: 'rate' as const }
  pages = [
    {
      events: [
        event('b', 3, { level: 'error', source: 'postgres_logs', event_message: 'no table' }),
        event('a', 1),
      ],
      lost: [
        { from: noon, to: noon + 2e6, count: 7, ...rate },
        { from: noon - 9e6, to: noon - 8e6, count: 9, ...rate },
      ],
      next: { timestamp: noon + 1e6, id: 'a' },
    },
  ]
  const listed = run(
    `logs ${ref} --source edge,postgres-logs --search no --since 2030-01-31T11:00Z`,
  )
  expect(await listed.code).toBe(0)
  expect(listed.out).toEqual([
    '2030-01-31T12:00:01.000Z  info     API gateway           GET | 200 | a',
    '2030-01-31T12:00:02.000Z  7 entries were lost here: more than a project may write',
    '2030-01-31T12:00:03.000Z  error    Postgres              no table',
  ])
  expect(asked).toMatchObject([
    {
      path: `/platform/projects/${ref}/logs/page`,
      body: {
        sources: ['edge_logs', 'postgres_logs'],
        search: 'no',
        from: '2030-01-31T11:00:00.000Z',
        limit: 100,
        direction: 'older',
      },
    },
  ])
  const data = run(`logs ${ref} --json --lines 5`)
  expect(await data.code).toBe(0)
  expect(JSON.parse(data.out.join('\n'))).toMatchObject([
    { id: 'a' },
    { lost: { count: 7 } },
    { id: 'b' },
  ])
  // Without --since it is all that is kept.
  expect(asked[1]?.body).toMatchObject({ from: '2030-01-30T12:00:00.000Z', limit: 5 })
})

test('what a project writes is shown and not obeyed, and colours are for terminals', async () => {
  const message = '\u001b[2Jgone\u202e\nsecond\u0007'
  pages = [{ events: [event('a', 0, { level: 'error', event_message: message })], lost: [] }]
  const plain = run(`logs ${ref}`)
  expect(await plain.code).toBe(0)
  expect(plain.out[0]).toContain(
    'error    API gateway           \\u001b[2Jgone\\u202e\n    second\\u0007',
  )
  const coloured = run(`logs ${ref}`, { isColoured: true })
  expect(await coloured.code).toBe(0)
  expect(coloured.out[0]).toContain('\u001b[31merror  \u001b[0m')
  expect(coloured.out[0]).not.toContain('\u001b[2J')
})

test('what the platform refuses is said', async () => {
  pages = [{ status: 403, message: 'The Free plan keeps these logs for 1 day' }]
  for (const words of [`logs ${ref} --since 9d`, `logs ${ref} -f`]) {
    const refused = run(words)
    expect(await refused.code).toBe(1)
    expect(refused.complaints).toEqual(['plinth: The Free plan keeps these logs for 1 day'])
  }
})

test('--follow goes on: each entry once, in order, through several pages, with gaps', async () => {
  const next = { timestamp: noon + 2e6, id: 'b' }
  pages = [
    { events: [event('a', 1)], lost: [] },
    { events: [event('a', 1), event('b', 2)], lost: [], next },
    {
      events: [event('c', 3)],
      lost: [{ from: noon, to: noon + 2.5e6, count: 1, reason: 'disk' }],
    },
    { events: [event('b', 2), event('c', 3)], lost: [] },
    { events: [event('late', 2.5), event('c', 3), event('d', 4)], lost: [] },
    empty,
  ]
  const following = run(`logs ${ref} -f --json`)
  await expect.poll(() => following.out.length).toBe(6)
  await expect.poll(() => asked.length).toBeGreaterThan(6)
  following.interrupt()
  expect(await following.code).toBe(0)
  const lines = following.out.map((line) => JSON.parse(line) as { id?: string; lost?: object })
  expect(lines.map(({ id, lost }) => id ?? lost)).toEqual([
    'a',
    'b',
    { from: noon, to: noon + 2.5e6, count: 1, reason: 'disk' },
    'c',
    'late',
    'd',
  ])
  expect(asked[1]?.body).toMatchObject({
    direction: 'newer',
    cursor: { timestamp: noon - 2e6, id: '' },
  })
  expect(asked[2]?.body).toMatchObject({ cursor: next })
})

test('--follow survives a platform that is away or busy, says so once, and ends when it is refused', async () => {
  pages = [{ events: [event('a', 1)], lost: [] }, empty]
  const following = run(`logs ${ref} --follow`)
  await expect.poll(() => asked.length).toBeGreaterThan(1)
  const { port } = new URL(url)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  await expect
    .poll(() => following.complaints)
    .toEqual([`plinth: nothing answers at ${url}; trying again until it answers`])
  pages = [
    { status: 503, message: 'The platform is starting' },
    { events: [event('b', 2)], lost: [] },
    empty,
  ]
  await start(Number(port))
  await expect.poll(() => following.out.length).toBe(2)
  await expect
    .poll(() => following.complaints)
    .toEqual([
      `plinth: nothing answers at ${url}; trying again until it answers`,
      'plinth: the platform answers again',
    ])
  expect(following.out[1]).toContain('GET | 200 | b')
  pages = [{ status: 404, message: 'This project does not exist' }]
  expect(await following.code).toBe(1)
  expect(following.complaints.at(-1)).toBe('plinth: This project does not exist')
})
