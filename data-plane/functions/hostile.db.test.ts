import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listProcesses, signal } from '#kit/postgres/processes'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
let inner: Server
let port: number
beforeAll(async () => {
  plane = await startFunctionPlane({ cpuMs: 400, memoryMb: 128 })
  plane.deploy('good', `Deno.serve(() => new Response('good'))`)
  inner = createServer((_request, response) => response.end('inner')).listen(0)
  await new Promise((resolve) => inner.once('listening', resolve))
  ;({ port } = inner.address() as AddressInfo)
})
afterAll(async () => {
  inner?.close()
  await plane?.close()
})

/** Tries everything of a list in the worker, and tells what became of it. */
async function attempts(list: string[]): Promise<string[]> {
  const tries = list.map(
    (code) => `async () => { try { await (${code}); return 'done' } catch (e) { return e.name } }`,
  )
  plane.deploy(
    'tries',
    `const tries: (() => Promise<string>)[] = [${tries.join(',\n')}]
    Deno.serve(async () => Response.json(await Promise.all(tries.map((each) => each()))))`,
  )
  const answer = await plane.call('tries')
  return (await answer.json()) as string[]
}

test('files: its own code and /tmp, and nothing else', async () => {
  const secret = join(plane.home, 'secret')
  await writeFile(secret, 'x', { mode: 0o666 })
  const refused = [
    `Deno.readTextFile('/etc/passwd')`,
    `Deno.readTextFile('${secret}')`,
    `Deno.readTextFile('/proc/self/environ')`,
    `Deno.readTextFile('/proc/1/cmdline')`,
    `Deno.writeTextFile('/etc/plinth', '')`,
    `Deno.writeTextFile(new URL('./index.ts', import.meta.url), '')`,
    `Deno.writeTextFile('/tmp/../etc/x', '')`,
    `Deno.symlink('/etc/passwd', '/tmp/link')`,
    `import('/etc/passwd')`,
    `import('data:text/javascript,' + encodeURIComponent("import x from 'file:///etc/passwd' with { type: 'text' }"))`,
  ]
  expect((await attempts(refused)).filter((outcome) => outcome === 'done')).toEqual([])
  const allowed = [
    `Deno.writeTextFile('/tmp/mine', 'x').then(() => Deno.readTextFile('/tmp/mine'))`,
    `Deno.readTextFile(new URL('./index.ts', import.meta.url))`,
    `Deno.makeTempFile()`,
  ]
  expect(await attempts(allowed)).toEqual(['done', 'done', 'done'])
  await expect(readFile('/tmp/mine')).rejects.toThrow(/ENOENT/)
})

test('programs, libraries and facts about the machine are closed', async () => {
  const tried = [
    `new Deno.Command('ls').output()`,
    `import('node:child_process').then(({ execSync }) => execSync('ls'))`,
    `Deno.dlopen('/lib/x.so', {})`,
    `Deno.hostname()`,
    `Deno.kill(1, 'SIGKILL')`,
    `import('node:process').then(({ default: p }) => p.kill(${process.pid}, 'SIGKILL'))`,
    `import('node:os').then((os) => os.userInfo())`,
  ]
  expect((await attempts(tried)).filter((outcome) => outcome === 'done')).toEqual([])
})

test('neither this machine nor the inner network can be reached, by whatever name', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => `${address}:${port}`)
  const hosts = [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `2130706433:${port}`,
    `0.0.0.0:${port}`,
    '169.254.169.254',
    '10.0.0.1',
    '192.168.0.1:8000',
    new URL(plane.url).host,
    ...own,
  ]
  const quick = `{ signal: AbortSignal.timeout(2000) }`
  const outcome = await attempts([
    ...hosts.map((host) => `fetch('http://${host}/', ${quick})`),
    `Deno.connect({ hostname: '127.0.0.1', port: ${plane.database.port} })`,
    `Deno.connect({ transport: 'unix', path: '${plane.database.host}/.s.PGSQL.${plane.database.port}' })`,
    `new Promise((done, fail) => import('node:net').then((net) =>
      net.connect(${port}, '127.0.0.1').once('connect', done).once('error', fail)))`,
    `(async () => Deno.listen({ port: 0 }))()`,
    `(async () => new WebSocket('ws://127.0.0.1:${port}'))()`,
  ])
  expect(outcome.filter((each) => each === 'done')).toEqual([])
})

test('its way to its project leads to no other project and to nothing behind the gateway', async () => {
  plane.deploy(
    'around',
    `Deno.serve(async () => {
      const base = Deno.env.get('SUPABASE_URL')!
      const paths = ['/../internal/pg-meta/x/tables', '/../zzzzzzzzzzzzzzzzzzzz/rest/v1/', '/rest/v1/']
      const tried = paths.map(async (path) => (await fetch(base + path)).status)
      return Response.json(await Promise.all(tried))
    })`,
  )
  const outcome = (await (await plane.call('around')).json()) as number[]
  // A path that leaves the project is another address, which cannot be reached at all, or nothing there.
  expect(outcome).toEqual([404, 404, 401])
})

test('an endless loop is stopped, and the next call finds a new worker', async () => {
  plane.deploy(
    'loop',
    `Deno.serve((request) => {
      if (request.method === 'POST') for (;;);
      return new Response('fine')
    })`,
  )
  expect((await plane.call('loop')).status).toBe(200)
  const [looped, good] = await Promise.all([
    plane.call('loop', { method: 'POST' }),
    plane.call('good'),
  ])
  expect([looped.status, good.status]).toEqual([546, 200])
  expect(await looped.json()).toMatchObject({ code: 'WORKER_LIMIT' })
  expect((await plane.call('loop')).status).toBe(200)
})

test.each([
  ['in arrays', `const all = []; for (;;) all.push(new Array(100_000).fill(Math.random()))`],
  [
    'beside the heap',
    `const all = []; for (;;) { all.push(new Uint8Array(10_000_000).fill(1)); await new Promise((next) => setTimeout(next, 5)) }`,
  ],
])('memory without end %s ends its worker alone', async (_, code) => {
  plane.deploy('hungry', `Deno.serve(async () => { ${code} })`)
  const [hungry, good] = await Promise.all([plane.call('hungry'), plane.call('good')])
  expect([hungry.status, good.status]).toEqual([546, 200])
  expect((await hungry.json()) as object).toMatchObject({ code: 'WORKER_LIMIT' })
})

test('computing on behind an answer is stopped too', async () => {
  plane.deploy(
    'behind',
    `Deno.serve(() => { setTimeout(() => { for (;;); }, 50); return new Response('answered') })`,
  )
  const answer = await plane.call('behind')
  const first = answer.headers.get('x-deno-execution-id')
  const isAnother = async () => {
    const { status, headers } = await plane.call('behind')
    return status === 200 && headers.get('x-deno-execution-id') !== first
  }
  await expect.poll(isAnother).toBe(true)
})

test('a killed worker fails its requests, and the next call has another', async () => {
  plane.deploy(
    'killed',
    `let waiting = 0
    Deno.serve((r) => {
      if (r.method === 'GET') return new Response(String(waiting))
      waiting += 1
      return new Promise(() => {})
    })`,
  )
  const waiting = plane.call('killed', { method: 'POST' })
  await expect.poll(async () => (await plane.call('killed')).text()).toBe('1')
  // Those of earlier tests may end by themselves meanwhile.
  for (const pid of await workers()) signal(pid, 'SIGKILL')
  expect((await waiting).status).toBe(500)
  expect((await plane.call('killed')).status).toBe(200)
  expect((await plane.call('good')).status).toBe(200)
})

/** Processes that this test's own platform started. */
const workers = async () =>
  (await listProcesses())
    .filter(({ program, ppid }) => program.startsWith('deno') && ppid === process.pid)
    .map(({ pid }) => pid)

test('workers run under users of their own', async () => {
  const uid = async (slug: string) => {
    plane.deploy(
      slug,
      `Deno.serve(async () => new Response(String((await Deno.stat('/tmp')).uid)))`,
    )
    return Number(await (await plane.call(slug)).text())
  }
  const [one, two] = [await uid('one'), await uid('two')]
  const isRoot = process.getuid?.() === 0
  expect(one !== process.getuid?.()).toBe(isRoot)
  expect(one !== two).toBe(isRoot)
})
