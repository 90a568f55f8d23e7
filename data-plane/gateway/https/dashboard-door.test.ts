import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { doorHeader, doorProof } from '#kit/http/front-door'
import {
  doorHost,
  doorToken,
  projectsHost,
  startFrontDoor,
  textOf,
  type FrontDoor,
} from '../../testing/https/front-door.ts'

let door: FrontDoor
beforeAll(async () => {
  door = await startFrontDoor()
})
afterAll(() => door.close())
beforeEach(() => {
  door.behind.seen.length = 0
  door.behind.gone.length = 0
})

const codeOf = ({ text }: { text: string }) => (JSON.parse(text) as { code: string }).code
/** What a connection is answered to these bytes, once it has been ended by either side. */
async function say(...parts: string[]): Promise<string> {
  const socket = await door.shake()
  socket.write(parts.join('\r\n'))
  const text = textOf(socket)
  return text.finally(() => socket.destroy())
}
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, n]) => n)
const line = (path = '/who') => [`POST ${path} HTTP/1.1`, `host: ${doorHost}`]

describe('refused', () => {
  test.each([
    '/internal/secret',
    '//internal/secret',
    '///internal//secret',
    '/%69nternal/secret',
    '/%2569nternal/secret',
    '/./internal/secret',
    '/who/../internal/secret',
    '/%2e/internal/secret',
    '/INTERNAL/secret',
    '/\\internal/secret',
    '/internal',
    '/internal?x=1',
    `https://${doorHost}/internal/secret`,
    `http://${doorHost}//internal/secret`,
  ])('what only our own programs call, as %s', async (path) => {
    const found = await door.ask(path, { headers: { authorization: `Bearer ${doorToken}` } })
    expect([found.status, codeOf(found)]).toEqual([404, 'not_found'])
    expect(door.behind.seen).toEqual([])
  })

  test('the program behind finds it out by itself, whatever the spelling', async () => {
    const shown = { [doorHeader]: doorProof(doorToken), 'x-forwarded-for': '192.0.2.7' }
    expect((await door.askBehind('/%69nternal/secret', shown)).status).toBe(404)
    // It is there for who does not come through the door.
    expect(await door.askBehind('/internal/secret', {})).toEqual({ status: 200, text: 'secret' })
  })

  test('a host that is not that of the connection', async () => {
    const cases: [string, Record<string, string>][] = [
      ['/who', { host: projectsHost }],
      ['/who', { host: 'evil.example.org' }],
      [`https://${projectsHost}/who`, {}],
      [`https://${doorHost}@evil.example.org/who`, {}],
    ]
    for (const [path, headers] of cases)
      expect((await door.ask(path, { headers })).status, path).toBe(421)
    const other = await door.ask('/who', { servername: projectsHost, headers: { host: doorHost } })
    expect(other.status).toBe(421)
    expect(door.behind.seen).toEqual([])
  })

  test('a handshake for nobody, and one that takes too long', async () => {
    await expect(door.shake('other.example.com')).rejects.toThrow()
    const slow = await startFrontDoor({ handshakeMs: 200 })
    onTestFinished(() => slow.close())
    const socket = connect(slow.port, '127.0.0.1')
    // The first byte of a handshake, and nothing after it.
    socket.on('error', () => undefined).write(Buffer.from([22]))
    await once(socket, 'close')
    // The port goes on.
    expect((await slow.ask('/who')).status).toBe(200)
  })

  test('sockets, of which the dashboard has none', async () => {
    const answer = await say(
      'GET /who HTTP/1.1',
      `host: ${doorHost}`,
      'connection: upgrade',
      'upgrade: websocket',
      '\r\n',
    )
    expect(statuses(answer)).toEqual(['404'])
    expect(door.behind.seen).toEqual([])
  })

  const hidden = 'GET /internal/secret HTTP/1.1\r\nhost: x\r\n\r\n'
  test.each<[string, string[]]>([
    [
      'two lengths of a body',
      ['content-length: 5', 'transfer-encoding: chunked', '', `0\r\n\r\n${hidden}`],
    ],
    ['two lengths that differ', ['content-length: 5', 'content-length: 6', '', 'hello!']],
    ['a coding that is not ours', ['transfer-encoding: gzip, chunked', '', '0\r\n\r\n']],
    ['a coding that is misspelt', ['transfer-encoding: xchunked', '', `0\r\n\r\n${hidden}`]],
    ['a space before the colon', ['content-length : 5', '', 'hello']],
    ['a name that goes on in the next line', ['x-a: 1', ' transfer-encoding: chunked', '', hidden]],
    ['a carriage return by itself', ['x-a: 1\rtransfer-encoding: chunked', '', hidden]],
  ])('a request with %s', async (_, rest) => {
    const answer = await say(...line(), ...rest)
    expect(answer).not.toContain('secret"')
    // What was read as a request was one, and nothing that was hidden in it reached anybody.
    expect(door.behind.seen.every(({ url }) => url === '/who')).toBe(true)
    expect(statuses(answer)).toContain('400')
  })

  test('a line that ends without a carriage return is no second request', async () => {
    const answer = await say(
      `POST /who HTTP/1.1\nhost: ${doorHost}\ncontent-length: ${hidden.length}\nconnection: close\n\n${hidden}`,
    )
    expect(statuses(answer).length).toBeLessThanOrEqual(1)
    expect(door.behind.seen.every(({ url }) => url === '/who')).toBe(true)
  })
})

test('the caller is who is connected, whatever they say of themselves', async () => {
  const forged = {
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-proto': 'ftp',
    'x-forwarded-host': 'evil.example.org',
    'x-real-ip': '192.0.2.1',
    forwarded: 'for=192.0.2.1;host=evil.example.org',
    [doorHeader]: 'f'.repeat(64),
    connection: 'x-mine, close',
    'x-mine': 'for this connection',
    'x-yours': 'for everybody',
  }
  const found = await door.ask('/who', { headers: forged })
  expect(JSON.parse(found.text)).toEqual({ ip: '127.0.0.1', protocol: 'https', host: doorHost })
  expect(door.behind.seen[0]?.headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': doorHost,
    'x-yours': 'for everybody',
  })
  for (const name of ['x-real-ip', 'forwarded', 'x-mine'])
    expect(door.behind.seen[0]?.headers).not.toHaveProperty(name)
})

test('an address is believed with the proof alone', async () => {
  const from = { 'x-forwarded-for': '192.0.2.7' }
  const ipOf = async (headers: Record<string, string>) =>
    (JSON.parse((await door.askBehind('/who', headers)).text) as { ip: string }).ip
  expect(await ipOf(from)).toBe('127.0.0.1')
  expect(await ipOf({ ...from, [doorHeader]: doorProof('another token') })).toBe('127.0.0.1')
  expect(await ipOf({ ...from, [doorHeader]: doorProof(doorToken) })).toBe('192.0.2.7')
})

test('a whole address of its own is served, and each name leads to its own program', async () => {
  expect((await door.ask(`https://${doorHost}/who?x=1`)).status).toBe(200)
  expect(door.behind.seen[0]?.url).toBe('/who?x=1')
  expect((await door.ask(`https://${doorHost}?x=1`)).status).toBe(404)
  const projects = await door.ask('/who', {
    servername: projectsHost,
    headers: { host: projectsHost },
  })
  expect(JSON.parse(projects.text)).toEqual({ projects: true })
})

test('a body is passed on while it comes, and its answer while it is made', async () => {
  const asking = door.begin('/echo', { method: 'POST' })
  asking.write('first')
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const [first] = (await once(answer, 'data')) as [Buffer]
  expect(first.toString()).toBe('first')
  // Only now is the rest sent: nobody waited for it.
  const rest = Buffer.alloc(20_000_000, 'plinth ')
  asking.end(rest)
  let bytes = 0
  for await (const part of answer) bytes += (part as Buffer).length
  expect(bytes).toBe(rest.length)
})

test('bodies of every kind arrive as they are', async () => {
  const body = Buffer.alloc(300_000, 'x')
  const lengths = { 'content-length': String(body.length) }
  const sized = await door.ask('/echo', { method: 'POST', headers: lengths }, body)
  expect(sized.text.length).toBe(body.length)
  expect(door.behind.seen[0]?.headers).toMatchObject(lengths)
  expect((await door.ask('/who', { method: 'DELETE' })).status).toBe(200)
  expect(door.behind.seen[1]?.headers).not.toHaveProperty('transfer-encoding')
  const answer = await say(...line(), 'connection: close', '\r\n')
  expect(statuses(answer)).toEqual(['200'])
  expect(door.behind.seen[2]?.headers).toMatchObject({ 'content-length': '0' })
  const head = await door.ask('/who', { method: 'HEAD' })
  expect([head.status, head.text]).toEqual([200, ''])
  expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
  const asked = await say(
    ...line('/echo'),
    'expect: 100-continue',
    'connection: close',
    'content-length: 2',
    '',
    'hi',
  )
  expect(statuses(asked)).toEqual(['100', '200'])
})

test('one connection carries several requests', async () => {
  const answer = await say(
    ...line(),
    'content-length: 2',
    '',
    'hi' + [...line('/echo'), 'connection: close', 'content-length: 2', '', 'ho'].join('\r\n'),
  )
  expect(statuses(answer)).toEqual(['200', '200'])
  expect(answer).toMatch(/ho/)
  expect(door.behind.seen.map(({ url }) => url)).toEqual(['/who', '/echo'])
})

test('an answer that goes on is read as it comes; whoever leaves is gone for the other side', async () => {
  const asking = door.begin('/events').on('error', () => undefined)
  asking.end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2'])
  const [first] = (await once(answer, 'data')) as [Buffer]
  expect(first.toString()).toBe('data: first\n\n')
  answer.on('error', () => undefined)
  asking.destroy()
  await expect.poll(() => door.behind.gone).toEqual(['/events'])
})

test('an upload that is broken off is broken off behind the door too', async () => {
  const headers = { 'content-length': '1000000' }
  const asking = door.begin('/echo', { method: 'POST', headers }).on('error', () => undefined)
  asking.write('begun')
  await expect.poll(() => door.behind.seen.length).toBe(1)
  asking.destroy()
  await expect.poll(() => door.behind.gone).toEqual(['/echo'])
})

test('an answer that is broken off is not taken for a whole one', async () => {
  const asking = door.begin('/breaks')
  asking.end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  await expect(textOf(answer)).rejects.toThrow(/aborted/)
})

test('a body that is refused before it has come is answered', async () => {
  const asking = door.begin('/refuses', { method: 'POST' }).on('error', () => undefined)
  asking.write('x'.repeat(100))
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close'])
  expect(codeOf({ text: await textOf(answer) })).toBe('body_too_large')
})

test('while the control plane is away programs get 503, and people a page that asks again', async () => {
  const alone = await startFrontDoor()
  onTestFinished(() => alone.close())
  await alone.behind.close()
  const found = await alone.ask('/platform/profile', { method: 'POST' }, Buffer.alloc(200_000))
  expect([found.status, codeOf(found)]).toEqual([503, 'service_unavailable'])
  expect(found.headers['retry-after']).toBe('5')
  const page = await alone.ask('/', { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect(page.headers['retry-after']).toBe('5')
  expect(page.text).toContain('http-equiv="refresh" content="5"')
})
