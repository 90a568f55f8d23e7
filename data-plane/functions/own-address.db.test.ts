import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane({}, '', { projectUrl: 'http://{ref}.example.com' })
  plane.deploy('hello', 'Deno.serve(({ url }) => new Response(new URL(url).pathname))')
})
afterAll(() => plane?.close())

/** What is answered at a host that leads to this machine. */
const at = (host: string, path: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(plane.url)
    const asking = request({ hostname, port, path, headers: { host } }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve(`${response.statusCode} ${text}`))
    })
    asking.on('error', reject)
    asking.end()
  })

test('a function is called by an address of its own, as by that of its project', async () => {
  const { ref } = plane.project
  expect(await at(`${ref}.functions.example.com`, '/hello/a')).toBe('200 /hello/a')
  expect(await at(`${ref}.example.com`, '/functions/v1/hello/a')).toBe('200 /hello/a')
  expect(await at(`${ref}.functions.example.com`, '/none')).toMatch(/^404 /)
  expect(await at(`${ref}.functions.elsewhere.com`, '/hello/a')).toMatch(/^404 /)
})
