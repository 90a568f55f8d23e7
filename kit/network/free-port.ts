import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What the system says where there is no IPv6, or not at this address. */
const noSuchAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])
export const isNoSuchAddress = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && noSuchAddress.has(String(error.code))

/**
 * Whether this address can be listened on. Asked again for a moment: programs of a platform that was just killed let go
 * of their ports a little after it.
 */
export async function isPortFree(host: string, port: number, timeoutMs = 1500): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    if (await canListen(host, port)) return true
    if (Date.now() > deadline) return false
    await delay(50)
  }
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    probe.listen({ port, host }, () => probe.close(() => resolve(true)))
  })
}

/**
 * Ports of one address to choose from: below those that the system gives to connections that programs open. One of these could be taken
 * by any connection while whoever listens there is being started again.
 */
const [lowest, above] = [10_000, 20_000]

/** As many different ports of 127.0.0.1 as are asked for, which nobody has now. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  for (let tries = 0; found.size < count; tries++) {
    if (tries > 100 * count) throw new Error(`No ${count} free ports from ${lowest} on`)
    const port = randomInt(lowest, above)
    if (!found.has(port) && (await canListen('127.0.0.1', port))) found.add(port)
  }
  return [...found]
}
