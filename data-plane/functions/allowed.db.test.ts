import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#kit/config'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
let servers: Server[] = []
let port: number
let platformPort: number

/** On every IPv4 address of this machine. */
async function listen(text: string): Promise<number> {
  const server = createServer((_request, response) => response.end(text)).listen(0, '0.0.0.0')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  ;[port, platformPort] = [await listen('inner'), await listen('platform')]
  // With as many others as there may be: all of them have to fit.
  const others = Array.from({ length: 63 }, (_, i) => `10.${i * 4}.${i}.77`)
  const { allowedNetworks } = readConfig({
    PLINTH_FUNCTIONS_ALLOWED_NETWORKS: ['127.0.0.2', ...others].join(),
  })
  plane = await startFunctionPlane(
    {},
    '',
    {},
    {
      allowed: allowedNetworks,
      closed: [{ host: '127.0.0.1', port: platformPort }],
    },
  )
})
afterAll(async () => {
  for (const server of servers) server.close()
  servers = []
  await plane?.close()
})

/** What a function gets from each address, by `fetch`, by Deno and by Node. */
async function reach(addresses: string[]): Promise<string[][]> {
  plane.deploy(
    'reach',
    `import net from 'node:net'
    const told = (work) => work.catch((error) => error.name)
    const byNode = (hostname, port) => new Promise((resolve, reject) =>
      net.connect({ host: hostname, port }).once('connect', () => resolve('connected')).once('error', reject))
    const signal = () => AbortSignal.timeout(3000)
    Deno.serve(async (request) => Response.json(await Promise.all((await request.json()).map((at) => {
      const { hostname, port } = new URL('tcp://' + at)
      return Promise.all([
        told(fetch('http://' + at, { signal: signal() }).then((answer) => answer.text())),
        told(Deno.connect({ hostname: hostname.replace(/^\\[|\\]$/g, ''), port: Number(port) }).then(() => 'connected')),
        told(byNode(hostname.replace(/^\\[|\\]$/g, ''), Number(port))),
      ])
    }))))`,
  )
  const answer = await plane.call('reach', { method: 'POST', body: JSON.stringify(addresses) })
  return (await answer.json()) as string[][]
}

test('a function reaches an address that is allowed, however that is written', async () => {
  const all = await reach([`127.0.0.2:${port}`, `127.2:${port}`, `[::ffff:127.0.0.2]:${port}`])
  for (const each of all) expect(each).toEqual(['inner', 'connected', 'connected'])
})

test('and nothing beside it: not its neighbours, this machine, the platform or metadata services', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => `${address}:${port}`)
  const all = await reach([
    `127.0.0.3:${port}`,
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `127.1:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[::1]:${port}`,
    `0.0.0.0:${port}`,
    ...own,
    `127.0.0.2:${platformPort}`,
    `127.2:${platformPort}`,
    `10.0.0.76:${port}`,
    `10.0.0.78:${port}`,
    '169.254.169.254:80',
    '100.100.100.200:80',
    '168.63.129.16:80',
    '[fd00:ec2::254]:80',
    '[fd20:ce::254]:80',
  ])
  for (const each of all) {
    for (const text of ['inner', 'platform', 'connected']) expect(each).not.toContain(text)
  }
  // By Deno's own word, and not since nothing answers there.
  const byDeno = all.map(([, outcome]) => outcome)
  expect(byDeno).toEqual(all.map(() => 'NotCapable'))
})

test('who may reach something has its project and nothing of the files as before', async () => {
  plane.deploy(
    'same',
    `Deno.serve(async () => Response.json([
      (await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/')).status,
      await Deno.readTextFile('/etc/passwd').catch((error) => error.name),
    ]))`,
  )
  expect(await (await plane.call('same')).json()).toEqual([401, 'NotCapable'])
})
