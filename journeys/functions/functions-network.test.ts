import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization, createProject, reaches, signUp } from '../testing/client.ts'
import { startPlatform, type Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

const allowed = '127.0.0.2'
let platform: Platform
let inner: Server
beforeAll(async () => {
  inner = createServer((_request, response) => response.end('inner')).listen(0, '0.0.0.0')
  // The platform listens where the server does: on every address of this machine.
  const environment = { HOST: '0.0.0.0', PLINTH_FUNCTIONS_ALLOWED_NETWORKS: allowed }
  platform = await ownPlatform({ environment })
})
afterAll(() => inner?.close())

test('functions reach what the operator allows, and nothing of the platform there', async () => {
  const ada = await signUp(platform.url, 'ada@example.com')
  const project = await createProject(ada, await createOrganization(ada, 'Acme'), 'Shop')
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
  const code = `Deno.serve(async (request) => Response.json(await Promise.all((await request.json()).map(
    (at) => fetch('http://' + at).then((answer) => answer.text(), (error) => error.name)))))`
  const body = { files: [{ path: 'index.ts', content: code }], verify_jwt: false }
  const path = `/platform/projects/${project.ref}/functions/reach/versions`
  expect((await ada.call('POST', path, body)).status).toBe(201)

  const { port } = inner.address() as AddressInfo
  const { port: control, projectPort } = platform.ports
  const ports = [port, control, projectPort]
  for (const each of ports.slice(1)) {
    expect((await fetch(`http://${allowed}:${each}/`)).status).toBeGreaterThan(0)
  }
  const addresses = [allowed, '127.0.0.3', '127.0.0.1'].flatMap((host) =>
    ports.map((each) => `${host}:${each}`),
  )
  const answer = await fetch(`${project.endpoint}/functions/v1/reach`, {
    method: 'POST',
    body: JSON.stringify(addresses),
  })
  const refused = addresses.slice(1).map(() => 'NotCapable')
  expect(await answer.json()).toEqual(['inner', ...refused])
})

test('what cannot be allowed stops the start with one line', async () => {
  const environment = { PLINTH_FUNCTIONS_ALLOWED_NETWORKS: '10.0.0.0/8,169.254.169.254' }
  const line = 'PLINTH_FUNCTIONS_ALLOWED_NETWORKS: 169.254.169.254 cannot be allowed'
  await expect(startPlatform({ environment })).rejects.toThrow(line)
})
