import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm, stat, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createPlainDatabase, type PlainDatabase } from '#data-plane/testing/rest/alone'
import { root } from '#kit/root'

let plain: PlainDatabase
/** Beside the packages, which stay outside of it. */
const folder = join(root, 'test-output', `rest-program-${process.pid}`)
const program = join(folder, 'rest.js')
beforeAll(async () => {
  plain = await createPlainDatabase(
    ({ anon }) => `create table books (id int primary key); insert into books values (1);
      grant select on books to ${anon}`,
  )
  const bundle = await rolldown({
    input: join(root, 'start/rest.ts'),
    platform: 'node',
    cwd: root,
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('#'),
  })
  await bundle.write({ file: program, format: 'esm', codeSplitting: false })
  await bundle.close()
})
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await plain.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts it as the launcher does: behind the word `rest`. */
function start(args: string[], environment: Record<string, string> = {}) {
  return run([program, 'rest', ...args], environment)
}

function run(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment } })
  children.push(child)
  let [out, errors] = ['', '']
  child.stdout.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const ended = once(child, 'exit').then(([code]) => ({ code: code as unknown, out, errors }))
  return { child, ended, output: () => out }
}

const readyLine = /^ready (http:\/\/localhost:\d+)$/m

test.each(['SIGTERM', 'SIGINT'] as const)('serves at the root, and %s ends it', async (signal) => {
  const file = join(folder, 'rest.conf')
  await writeFile(file, `db-uri = "${plain.uri}"\nserver-port = 0\ndb-anon-role = "nobody"\n`)
  const { child, ended, output } = start([file], { PGRST_DB_ANON_ROLE: plain.roles.anon })
  await expect.poll(output).toMatch(readyLine)
  const url = readyLine.exec(output())?.[1]
  const response = await fetch(`${url}/books`)
  expect(await response.json()).toEqual([{ id: 1 }])
  const began = performance.now()
  child.kill(signal)
  expect(await ended).toMatchObject({ code: 0, errors: '' })
  expect(performance.now() - began).toBeLessThan(5000)
})

test('a socket, an admin port, and settings that change nothing', async () => {
  const socket = join(folder, 'rest.sock')
  const more = ['--server-unix-socket', socket, '--server-unix-socket-mode', '600']
  const admin = [
    '--admin-server-port',
    '0',
    '--admin-server-host',
    '127.0.0.1',
    '--log-query',
    'main-query',
  ]
  const { child, ended, output } = start([
    '--db-uri',
    plain.uri,
    '--db-anon-role',
    plain.roles.anon,
    ...more,
    ...admin,
  ])
  await expect.poll(output).toContain(`ready ${socket}`)
  expect(output()).toMatch(/^log-query is not needed: /m)
  expect((await stat(socket)).mode & 0o777).toBe(0o600)
  const rows = await new Promise<string>((resolve, reject) => {
    const path = '/books'
    get({ socketPath: socket, path }, (response) => void text(response).then(resolve)).on(
      'error',
      reject,
    )
  })
  expect(JSON.parse(rows)).toEqual([{ id: 1 }])
  const url = /^admin (http:.*)$/m.exec(output())?.[1]
  expect((await fetch(`${url}/live`)).status).toBe(200)
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect((await fetch(`${url}/other`)).status).toBe(404)
  // Another one does not take its place; what a killed one has left is cleared away.
  const { errors } = await start(['--db-uri', plain.uri, ...more]).ended
  expect(errors).toBe(`plinth: server-unix-socket: ${socket} is in use\n`)
  child.kill('SIGKILL')
  await ended
  const next = start(['--db-uri', plain.uri, '--db-anon-role', plain.roles.anon, ...more])
  await expect.poll(next.output).toContain(`ready ${socket}`)
})

test('a database by names and values, and whether it is ready on a socket', async () => {
  const { hostname, port, username, password, pathname } = new URL(plain.uri)
  const database = `host=${hostname} port=${port} user=${username} password='${password}' dbname=${pathname.slice(1)}`
  const socketPath = join(folder, 'admin.sock')
  const admin = ['--admin-server-unix-socket', socketPath, '--server-port', '0']
  const { output } = start(['--db-uri', database, '--db-anon-role', plain.roles.anon, ...admin])
  await expect.poll(output).toMatch(readyLine)
  expect(output()).toContain(`admin ${socketPath}\n`)
  expect((await stat(socketPath)).mode & 0o777).toBe(0o660)
  const status = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = get({ socketPath, path: '/ready' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      asked.on('error', reject)
    })
  await expect.poll(status).toBe(200)
  expect(await (await fetch(`${readyLine.exec(output())?.[1]}/books`)).json()).toEqual([{ id: 1 }])
})

test('a port that is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { ended } = start(['--server-port', String(port), '--server-host', '127.0.0.1'])
  expect(await ended).toEqual({
    code: 1,
    out: '',
    errors: `plinth: port ${port} is in use; end what listens there or set server-port to another port\n`,
  })
  other.close()
})

test('settings that cannot be used, each with one line', async () => {
  expect(await start(['--db-chanel', 'x']).ended).toEqual({
    code: 1,
    out: '',
    errors: 'plinth: --db-chanel: there is no such setting\n',
  })
  const { errors } = await start([], { PGRST_DB_POOL: 'x' }).ended
  expect(errors).toBe('plinth: PGRST_DB_POOL: must be a number, 1 to 10000\n')
  expect((await start(['--help']).ended).out).toMatch(/^usage: plinth rest .*--db-uri VALUE/s)
})

test.each([
  [[], ''],
  [['unknown'], 'plinth: unknown command "unknown"\n'],
  [['projcts'], 'plinth: unknown command "projcts"; did you mean "projects"?\n'],
])('the launcher without a program of its own: %s', async (args, output) => {
  const { code, out, errors } = await run([join(root, 'start/plinth.mjs'), ...args]).ended
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(errors.startsWith(`${output}usage: plinth COMMAND [options]\n`)).toBe(true)
  expect(errors).toMatch(/^ {2}rest  /m)
})
