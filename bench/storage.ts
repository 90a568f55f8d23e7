import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createFileBackend } from '#data-plane/storage/backends/file-backend'
import { compare } from './parts/compare.ts'
import { serve, withServedProject } from './parts/served-project.ts'

/**
 * Files of 10 MB down and up, by the service role, beside a bare server that streams a file and pipes a body into one.
 * Ours has a row to read or write under its policies, and flushes what it takes to the disk, which the bare one does
 * not. Then the highest memory of our program: whatever passes through must not gather in it.
 */
const bytes = randomBytes(10_000_000)
const perRound = 20
const atOnce = 2
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

/** Where the program that is measured stores. */
const storedBy = (pid: number | undefined) => join(tmpdir(), `plinth-storage-${pid}`)

/** The child: one file to read, and another one for whatever is sent. */
function serveBare(folder: string): void {
  let next = 0
  const server = createServer((asked, answer) => {
    const done =
      asked.method === 'GET'
        ? pipeline(createReadStream(join(folder, 'down')), answer)
        : pipeline(asked, createWriteStream(join(folder, `up-${next++ % atOnce}`))).then(() =>
            answer.end(),
          )
    done.catch((error: unknown) => answer.destroy(error instanceof Error ? error : undefined))
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
}

type Ask = { port: number; path: string; method: 'GET' | 'PUT'; headers?: Record<string, string> }

async function send({ port, path, method, headers = {} }: Ask): Promise<void> {
  const length = method === 'PUT' ? { 'content-length': String(bytes.length) } : {}
  const asked = request({ agent, port, path, method, headers: { ...headers, ...length } })
  asked.end(method === 'PUT' ? bytes : undefined)
  // `response` carries one thing.
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  let size = 0
  for await (const chunk of answer) size += (chunk as Buffer).length
  if (answer.statusCode !== 200 || (method === 'GET' && size !== bytes.length))
    throw new Error(`${method} ${path}: ${answer.statusCode}, ${size} bytes`)
}

/** So many requests over a few connections; how many they were. */
async function load(ask: () => Ask): Promise<number> {
  let left = perRound
  const lane = async () => {
    while (left-- > 0) await send(ask())
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return perRound
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bare-'))
  await writeFile(join(folder, 'down'), bytes)
  let stored = folder
  const bare = fork(fileURLToPath(import.meta.url), ['bare', folder])
  try {
    // What `serveBare` sends.
    const [{ port: barePort }] = (await once(bare, 'message')) as [{ port: number }]
    const setup = ["insert into storage.buckets (id, name) values ('bench', 'bench')"]
    await withServedProject(setup, async ({ connection, port, pid, measure }) => {
      const headers = { authorization: `Bearer ${connection.serviceKey}` }
      const address = (key: string) => `/${connection.ref}/storage/v1/object/bench/${key}`
      const ours = (method: Ask['method'], key: string) => ({
        port,
        path: address(key),
        method,
        headers,
      })
      await send(ours('PUT', 'down'))
      await compare('storage.down', {
        ours: () => measure('ours', () => load(() => ours('GET', 'down'))),
        baseline: () =>
          measure(bare, () => load(() => ({ port: barePort, path: '/', method: 'GET' }))),
      })
      let next = 0
      await compare('storage.up', {
        ours: () => measure('ours', () => load(() => ours('PUT', `up-${next++ % atOnce}`))),
        baseline: () =>
          measure(bare, () => load(() => ({ port: barePort, path: '/', method: 'PUT' }))),
      })
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      const highest = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0)
      const line = { name: 'storage.memory', highestMb: Math.round(highest / 1024) }
      process.stdout.write(`${JSON.stringify(line)}\n`)
      stored = storedBy(pid)
    })
  } finally {
    bare.kill()
    agent.destroy()
    for (const one of [folder, stored]) await rm(one, { recursive: true, force: true })
  }
}

const [, , role, folder = ''] = process.argv
if (role === 'serve')
  serve({ storage: { backend: createFileBackend(storedBy(process.pid)), largest: 1e9 } })
else if (role === 'bare') serveBare(folder)
else await run()
