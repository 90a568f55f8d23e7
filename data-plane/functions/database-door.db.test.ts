import { builtinModules } from 'node:module'
import { networkInterfaces } from 'node:os'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFunctionPlane, type Files, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
let driver: string
beforeAll(async () => {
  plane = await startFunctionPlane({}, `create table words (id int); insert into words values (7)`)
  driver = await bundledDriver()
})
afterAll(() => plane?.close())

/** The address as the control plane makes it. */
function urlAt(host: string, password = plane.database.configFor('postgres').password): string {
  const { port, name } = plane.database
  return `postgresql://postgres:${encodeURIComponent(password)}@${host}:${port}/${name}`
}

/** A driver that people use, in one file: tests load nothing from elsewhere. */
async function bundledDriver(): Promise<string> {
  const bundle = await rolldown({
    input: 'pg',
    platform: 'node',
    external: ['pg-native', /^cloudflare:/, ...builtinModules, /^node:/],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code.replace(/(from |import )"(?!node:)([a-z/]+)"/g, '$1"node:$2"')
}

const asks = `import pg from './pg.js'
Deno.serve(async (request) => {
  const client = new pg.Client(await request.text() || Deno.env.get('SUPABASE_DB_URL'))
  try {
    await client.connect()
    const { rows } = await client.query('select id, current_user::text as me from words')
    return Response.json(rows)
  } catch (error) {
    return Response.json({ error: String(error.message) })
  } finally {
    await client.end().catch(() => {})
  }
})`
const files = (): Files => ({ 'index.ts': asks, 'pg.js': driver })
const ask = async (body = '') => (await plane.call('asks', { method: 'POST', body })).json()

test('a driver of Node reaches the database by SUPABASE_DB_URL, as its owner', async () => {
  plane.setDatabaseUrl(urlAt('db.example.invalid'))
  plane.deploy('asks', files())
  expect(await ask()).toEqual([{ id: 7, me: 'postgres' }])
})

test('who does not know the password is not let in', async () => {
  const wrong = urlAt('db.example.invalid', 'not the password')
  expect(await ask(wrong)).toEqual({ error: expect.stringContaining('password authentication') })
})

test('another address finds the next call with another worker', async () => {
  plane.setDatabaseUrl(urlAt('[2001:db8::1]'))
  plane.deploy('asks', files())
  expect(await ask()).toEqual([{ id: 7, me: 'postgres' }])
})

test('connections of Deno reach it too, and nothing beside it', async () => {
  const { port } = plane.database
  plane.setDatabaseUrl(urlAt('127.0.0.1'))
  plane.deploy('other', `Deno.serve(() => new Response(JSON.parse(Deno.args[0]).database))`)
  const othersDoor = await (await plane.call('other')).text()
  expect(othersDoor).toMatch(/^\//)
  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  const platformPort = Number(new URL(plane.url).port)
  const addresses = [
    ['127.0.0.1', port + 1],
    ['127.0.0.1', platformPort],
    ['127.0.0.2', port],
    ['localhost', port],
    ['0.0.0.0', port],
    ['::1', port],
    ['::ffff:127.0.0.1', port],
    ['::ffff:7f00:1', port],
    ['::ffff:10.0.0.1', port],
    ['::ffff:169.254.169.254', 80],
    ['169.254.169.254', 80],
    ['10.0.0.1', port],
    ['fd00:ec2::254', 80],
    ...own.map((address) => [address, port] as const),
  ] as const
  plane.deploy(
    'tries',
    `import net from 'node:net'
    // SSLRequest: a server of PostgreSQL answers with one letter.
    const request = new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47])
    async function speak(options) {
      const connection = await Deno.connect(options)
      connection.setNoDelay?.()
      await connection.write(request)
      const answer = new Uint8Array(1)
      await connection.read(answer)
      connection.close()
      return String.fromCharCode(answer[0])
    }
    const told = (work) => work.catch((error) => error.name)
    const byNode = (host, port) => new Promise((resolve, reject) =>
      net.connect({ host, port }).once('connect', () => resolve('connected')).once('error', reject))
    const source = 'onmessage = ({ data }) => Deno.connect(data).then(() => postMessage("connected"), (e) => postMessage(e.name))'
    Deno.serve(async (call) => {
      const { port, addresses, othersDoor } = await call.json()
      const worker = new Worker(URL.createObjectURL(new Blob([source])), { type: 'module' })
      const inside = new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = (event) => { event.preventDefault(); resolve('failed') }
        worker.postMessage({ hostname: 'localhost', port })
      })
      return Response.json({
        own: await told(speak({ hostname: '127.0.0.1', port })),
        implied: await told(speak({ port })),
        deno: await Promise.all(addresses.map(([hostname, port]) => told(speak({ hostname, port })))),
        node: await Promise.all(addresses.map(([host, port]) => told(byNode(host, port)))),
        door: await told(speak({ transport: 'unix', path: othersDoor })),
        inside: await inside,
      })
    })`,
  )
  const body = JSON.stringify({ port, addresses, othersDoor })
  const answer = await plane.call('tries', { method: 'POST', body })
  const refused = addresses.map(() => 'NotCapable')
  expect(await answer.json()).toEqual({
    own: 'N',
    implied: 'N',
    deno: refused,
    node: expect.not.arrayContaining(['connected']),
    door: 'NotCapable',
    inside: expect.not.stringMatching('^connected$'),
  })
})

test('what a project has no more is not there', async () => {
  plane.setDatabaseUrl(urlAt('db.example.invalid'))
  plane.deploy('asks', files())
  expect(await ask()).toEqual([{ id: 7, me: 'postgres' }])
  plane.directory.put({
    ...plane.project,
    url: plane.url,
    database: { ...plane.project.database, port: 1 },
  })
  // The driver finds the connection closed when it reads, or when it writes, whichever comes first.
  const isClosed = /terminated|closed|reset|EPIPE/i
  expect(await ask()).toEqual({ error: expect.stringMatching(isClosed) })
})
