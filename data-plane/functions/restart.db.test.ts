import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane()
})
afterAll(() => plane?.close())

const counting = `let calls = 0
Deno.serve(async (request) => {
  calls += 1
  const mine = calls
  if (new URL(request.url).searchParams.has('slow')) await new Promise((done) => setTimeout(done, 1500))
  return Response.json(mine)
})`
const call = async (path = 'counting') => (await plane.call(path)).json()
let restarted: string | undefined
function restart(at = new Date().toISOString()): void {
  restarted = at
  plane.directory.put({ ...plane.project, url: plane.url, restarts: { functions: at } })
}

test('after a restart a function begins anew, and a call that runs is answered by what it began with', async () => {
  plane.deploy('counting', counting)
  expect(await call()).toBe(1)
  expect(await call()).toBe(2)
  const slow = call('counting?slow=1')
  // It has been counted once the next one is.
  await expect.poll(() => call()).toBe(4)
  restart()
  expect(await call()).toBe(1)
  expect(await slow).toBe(3)
  expect(await call()).toBe(2)
})

test('a change that is no restart leaves workers as they are', async () => {
  const before = Number(await call())
  restart(restarted)
  expect(await call()).toBe(before + 1)
})
