import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePorts, isPortFree } from './free-port.ts'

test('free ports are all different, can be listened on, and are none that connections get', async () => {
  const ports = await freePorts(50)
  expect(new Set(ports).size).toBe(50)
  for (const port of ports) {
    // Linux gives connections 32,768 and up, other systems 49,152 and up.
    expect(port).toBeLessThan(32_768)
    expect(port).toBeGreaterThan(1023)
  }
  const server = createServer()
  onTestFinished(() => void server.close())
  const [port = 0] = ports
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect(await isPortFree('127.0.0.1', port, 0)).toBe(false)
})
