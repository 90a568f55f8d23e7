import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestCount } from '#contract/projects/project-home'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
const counts: RequestCount[] = []
beforeAll(async () => {
  plane = await startFunctionPlane({}, '', {
    keepCounts: (sent) => Promise.resolve(void counts.push(...sent)),
  })
})
afterAll(() => plane?.close())

test('what a worker takes of the processors and its memory are counted with its calls', async () => {
  plane.deploy(
    'works',
    `let held
    Deno.serve(async () => {
      held = new Uint8Array(60_000_000).fill(1)
      let sum = 0
      for (let i = 0; i < 400_000_000; i++) sum += i % 7
      // Somebody looks at it while it still has all of it.
      await new Promise((next) => setTimeout(next, 300))
      return new Response(String(held.length + sum))
    })`,
  )
  plane.deploy('rests', `Deno.serve(() => new Response('here'))`)
  expect((await plane.call('works')).status).toBe(200)
  expect((await plane.call('rests')).status).toBe(200)
  const sums = () => {
    const all = new Map<string, { requests: number; cpuMs: number; memoryMb: number }>()
    for (const { service, requests, cpuMs, memoryMb } of counts) {
      const sum = all.get(service) ?? { requests: 0, cpuMs: 0, memoryMb: 0 }
      all.set(service, {
        requests: sum.requests + requests,
        cpuMs: sum.cpuMs + cpuMs,
        memoryMb: Math.max(sum.memoryMb, memoryMb),
      })
    }
    return [...all.values()].sort((a, b) => a.memoryMb - b.memoryMb)
  }
  // Counts are sent every few seconds.
  const called = () => sums().reduce((sum, { requests }) => sum + requests, 0)
  await expect.poll(called).toBe(2)
  const [rests, works] = sums()
  expect(works?.memoryMb).toBeGreaterThan(57)
  expect(works?.memoryMb).toBeGreaterThan((rests?.memoryMb ?? 0) + 40)
  expect(works?.cpuMs).toBeGreaterThan((rests?.cpuMs ?? 0) + 50)
})
