import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
let inner: Server
const asked: (string | undefined)[] = []
beforeAll(async () => {
  inner = createServer((request, response) => {
    asked.push(request.url)
    response.end('export default 1')
  }).listen(0, '127.0.0.1')
  inner.on('connect', (request, socket) => {
    asked.push(request.url)
    socket.end()
  })
  await new Promise((resolve) => inner.once('listening', resolve))
  plane = await startFunctionPlane()
})
afterAll(async () => {
  inner?.close()
  await plane?.close()
})

/** Makes these all the secrets there are, and answers with what a new function says. */
async function answerOf(secrets: Record<string, string>, code: string): Promise<unknown> {
  for (const name of Object.keys(plane.secrets)) delete plane.secrets[name]
  Object.assign(plane.secrets, secrets)
  plane.deploy('told', `Deno.serve(async () => Response.json(await (${code})()))`)
  const answer = await plane.call('told')
  expect(answer.status).toBe(200)
  return answer.json()
}

// Each of these ends or opens a Deno that is started with it.
test.each([
  ['LD_DEBUG', 'help'],
  ['DENO_PERMISSION_BROKER_PATH', '/nowhere'],
  ['DENO_V8_FLAGS', '--help'],
  ['LONG', 'long\n"'.repeat(50_000)],
])('a secret with the name %s is a secret and nothing else', async (name, value) => {
  const code = `async () => [
    Deno.env.get('${name}'),
    (await import('node:process')).default.env['${name}'],
    await Deno.readTextFile('/etc/passwd').catch((error) => error.name),
  ]`
  expect(await answerOf({ [name]: value }, code)).toEqual([value, value, 'NotCapable'])
})

test('the platform keeps its own names; a time zone holds', async () => {
  const code = `() => [Deno.env.get('PATH'), Deno.env.get('EMPTY'), new Date(0).getTimezoneOffset()]`
  const secrets = { PATH: '/mine', EMPTY: '', TZ: 'Asia/Tokyo' }
  expect(await answerOf(secrets, code)).toEqual(['/usr/bin:/bin', '', -540])
})

test('neither secrets nor code lead imports to the inner network', async () => {
  const address = `http://127.0.0.1:${(inner.address() as AddressInfo).port}`
  const proxies = ['HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy']
  const named = Object.fromEntries(proxies.map((name) => [name, address]))
  const code = `async () => {
    const failed = await import('${address}/module.js').catch((error) => error.message)
    for (const name of ${JSON.stringify(proxies)}) {
      Deno.env.set(name, '${address}')
      ;(await import('node:process')).default.env[name] = '${address}'
    }
    const kept = ${JSON.stringify(proxies)}.filter((name) => Deno.env.has(name))
    return [failed, kept, typeof Deno.env.toObject().SUPABASE_URL]
  }`
  expect(await answerOf({ JSR_URL: address, ...named }, code)).toEqual([
    expect.stringContaining('Requires import access'),
    [],
    'string',
  ])
  expect(asked).toEqual([])
})
