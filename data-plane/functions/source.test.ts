import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { ServedFunctions } from '#contract/functions/functions-internal'
import { remoteFunctions } from './source.ts'

const ref = 'a'.repeat(20)
const one = { id: 'f1', version: 1, versionId: 'v1', verifyJwt: false }

let server: Server
afterEach(() => {
  vi.useRealTimers()
  server.close()
})

/** A control plane that knows these functions, counts its questions, and never says that something has changed. */
async function startSource(slugs: string[]) {
  const state = { slugs, asked: 0 }
  server = createServer((_request, response) => {
    state.asked += 1
    const functions = state.slugs.map((slug) => ({ ...one, slug }))
    const body: ServedFunctions = { region: 'local', wallMs: 1, functions, secrets: {} }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const controlPlaneUrl = `http://127.0.0.1:${port}`
  const directory = { onChange: () => () => undefined }
  return { state, source: remoteFunctions({ controlPlaneUrl, token: 't', directory }) }
}

test('a function that was deployed a moment ago is known before word of it has come', async () => {
  const { state, source } = await startSource([])
  expect((await source.of(ref)).functions).toEqual([])
  state.slugs = ['new']
  const { functions } = await source.of(ref, 'new')
  expect(functions.map(({ slug }) => slug)).toEqual(['new'])
  await source.of(ref, 'new')
  expect(state.asked).toBe(2)
})

test('calls of what does not exist are one question a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { state, source } = await startSource(['old'])
  await source.of(ref)
  for (let at = 0; at < 20; at++) await source.of(ref, `guess-${at}`)
  await Promise.all(Array.from({ length: 20 }, (_, at) => source.of(ref, `other-${at}`)))
  expect(state.asked).toBe(2)
  vi.advanceTimersByTime(1000)
  await source.of(ref, 'later')
  expect(state.asked).toBe(3)
})
