import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ipRange } from '#kit/network/ip-ranges'
import { runsAsRoot } from '#kit/postgres/os-user'
import { ownedProject } from '../../testing/owned-project.ts'
import { createGuard } from './guard.ts'

/**
 * Foreign servers that lead to this machine. Whether the kernel can be told of it depends on the machine: where it cannot, whoever
 * asks is told so, and nothing else has changed.
 */
const isKept =
  runsAsRoot() &&
  (await promisify(execFile)('nft', ['list', 'tables']).then(
    () => true,
    () => false,
  ))
const allowed = '127.0.0.9'
const ranges = [ipRange(allowed) ?? { first: 0, bits: 32 }]

/** Something of this machine that listens on all its addresses: whoever connects has got in. */
let inner: Server
let connections = 0
let port: number
beforeAll(async () => {
  inner = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.end('not a database')
  })
  await new Promise<void>((done) => inner.listen(0, done))
  port = (inner.address() as AddressInfo).port // it listens on TCP
})
afterAll(() => inner.close())
afterEach(() => {
  connections = 0
})

/** Other addresses of this machine than those of the loopback. */
const ownAddresses = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ internal, scopeid }) => !internal && !scopeid)
  .map(({ address }) => address)

describe('the server of a project', () => {
  let project: Awaited<ReturnType<typeof ownedProject>>
  beforeAll(async () => {
    project = await ownedProject({ reach: ranges })
    await project.rows('create extension postgres_fdw')
  })
  afterAll(() => project.close())

  /** What the owner is told who asks a foreign server there. */
  async function ask(host: string): Promise<string> {
    await project.rows(`create server far foreign data wrapper postgres_fdw options (host '${host}', port '${port}', connect_timeout '5');
      create user mapping for postgres server far options (user 'a', password 'b');
      create foreign table there (id int) server far`)
    try {
      await project.rows('table there')
      return ''
    } catch (error) {
      return String(error)
    } finally {
      await project.rows('drop server far cascade')
    }
  }

  test.each(['127.0.0.1', '127.0.0.2', 'localhost', ...ownAddresses])(
    'asks nobody of this machine as %s',
    async (host) => {
      expect(await ask(host)).toContain('could not connect to server')
      expect(connections > 0).toBe(!isKept)
    },
  )

  test('asks whom the operator allows', async () => {
    expect(await ask(allowed)).toContain('could not connect to server')
    expect(connections).toBe(1)
  })
})

describe('the rules', () => {
  const uid = 1_999_999_999
  const reach = (host: string) =>
    `const s = require('net').connect(${port}, '${host}');
     s.on('connect', () => { console.log('in'); s.destroy() }); s.on('error', (e) => console.log(e.code))`
  const folder = () => mkdtemp(join(tmpdir(), 'plinth-guard-'))
  const remove = (path: string) => rm(path, { recursive: true })
  async function run(code: string, as: number | undefined): Promise<string> {
    const child = spawn(process.execPath, ['-e', code], {
      ...(as === undefined ? {} : { uid: as, gid: as }),
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
    })
    return (await text(child.stdout)).trim()
  }

  test('are of their users alone, at one home beside another, until they are lifted', async () => {
    const [first, second] = [await folder(), await folder()]
    const one = await createGuard(first, ranges)
    const other = await createGuard(second, [])
    try {
      expect(await one.rung()).toMatch(isKept ? /^kept out/ : /^not kept out .* \(.+\)$/)
      const reason = await one.cover([{ first: uid, last: uid }])
      expect(reason === undefined).toBe(isKept)
      await other.cover([{ first: uid - 1, last: uid - 1 }])
      const user = runsAsRoot() ? uid : undefined
      const kept = isKept ? 'ECONNREFUSED' : 'in'
      expect(await run(reach('127.0.0.1'), user)).toBe(kept)
      expect(await run(reach(allowed), user)).toBe('in')
      expect(await run(reach('127.0.0.1'), undefined)).toBe('in')
      // Ranges that come later take the place of those before.
      await one.cover([{ first: uid + 1, last: uid + 1 }])
      expect(await run(reach('127.0.0.1'), user)).toBe('in')
      await one.cover([{ first: uid, last: uid + 1 }])
      expect(await run(reach('127.0.0.1'), user)).toBe(kept)
      await other.lift()
      expect(await run(reach('127.0.0.1'), user)).toBe(kept)
      await one.lift()
      await one.lift()
      expect(await run(reach('127.0.0.1'), user)).toBe('in')
    } finally {
      await one.lift()
      await other.lift()
      await remove(first)
      await remove(second)
    }
  })

  test('leave alone who answers a connection that another began', async () => {
    const home = await folder()
    const guard = await createGuard(home, [])
    const code = `require('net').createServer((s) => s.end('hello')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
    const server = spawn(process.execPath, ['-e', code], {
      ...(runsAsRoot() ? { uid, gid: uid } : {}),
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
    })
    try {
      await guard.cover([{ first: uid, last: uid }])
      const [line] = (await once(server.stdout, 'data')) as [Buffer]
      const socket = connect(Number(String(line)), '127.0.0.1')
      expect(await text(socket)).toBe('hello')
    } finally {
      server.kill()
      await guard.lift()
      await remove(home)
    }
  })

  test('leave alone what no program has sent: that nobody listens is told at once', async () => {
    const home = await folder()
    const guard = await createGuard(home, [])
    try {
      await guard.cover([{ first: uid, last: uid }])
      // The kernel answers with a reset, and with a message of ICMP.
      const closed = createServer()
      await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
      const free = (closed.address() as AddressInfo).port // it listens on TCP
      await new Promise((done) => closed.close(done))
      const [refused] = (await once(connect(free, '127.0.0.1'), 'error')) as [unknown]
      expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
      const socket = createSocket('udp4')
      socket.connect(free, '127.0.0.1', () => socket.send('hello'))
      const [answer] = (await once(socket, 'error')) as [unknown]
      expect(answer).toMatchObject({ code: 'ECONNREFUSED' })
      socket.close()
    } finally {
      await guard.lift()
      await remove(home)
    }
  })

  test('say why they cannot be', async () => {
    const home = await folder()
    const guard = await createGuard(home, [], 'plinth-no-such-program')
    const users = [{ first: uid, last: uid }]
    expect(await guard.cover(users)).toBe(
      runsAsRoot() ? 'plinth-no-such-program is not installed' : 'the platform is not root',
    )
    const failing = await createGuard(home, [], 'false')
    expect(await failing.cover(users)).toMatch(/false ended with 1|the platform is not root/)
    await remove(home)
  })
})
