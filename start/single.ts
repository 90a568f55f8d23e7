import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Holds the one right to run on a home folder, for as long as this process lives. On Linux it is a socket without a
 * file, which the system takes back however the process ends; elsewhere a file that a later start finds dead.
 * A process that was just killed lets go of it a little later, so it is asked for again for a moment.
 * @returns undefined when another process holds it.
 */
export async function holdHome(home: string, timeoutMs = 3000): Promise<Server | undefined> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const held = await tryToHold(home)
    if (held || performance.now() > deadline) return held
    await delay(50)
  }
}

function tryToHold(home: string): Promise<Server | undefined> {
  const key = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 24)
  const abstract = process.platform === 'linux'
  const path = abstract ? `\0plinth-${key}` : join(tmpdir(), `plinth-${key}.sock`)
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen(path, () => {
      server.unref()
      resolve(server)
    })
  })
}
