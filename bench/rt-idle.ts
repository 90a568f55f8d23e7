import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openCrowd, serveBare, startBare, type Crowd } from './rt-sockets.ts'
import { serve, withServedProject } from './served-project.ts'

/**
 * Memory of the server program for each of 10,000 sockets that have joined a channel and are silent, against the same
 * number of sockets of a bare ws server.
 */
const count = 10_000

async function main(): Promise<void> {
  const bare = await startBare(fileURLToPath(import.meta.url))
  try {
    await withServedProject([], async (project) => {
      const { ref, anonKey } = project.connection
      const path = `/${ref}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`
      const join = JSON.stringify(['1', '1', 'realtime:room', 'phx_join', { config: {} }])
      // The first connection opens the project, which is not what is measured.
      const first = await openCrowd(project.port, path, 1, join)
      const ours = await growth(project.pid, () => openCrowd(project.port, path, count, join))
      const theirs = await growth(bare.program.pid, () => openCrowd(bare.port, '/', count))
      first.close()
      const line = { name: 'rt-idle', ratio: Math.round((ours / theirs) * 100) / 100, bytes: ours }
      process.stdout.write(`${JSON.stringify(line)}\n`)
    })
  } finally {
    bare.program.kill()
  }
}

/** Bytes of resident memory for each socket. */
async function growth(pid: number | undefined, open: () => Promise<Crowd>): Promise<number> {
  const before = await resident(pid)
  const crowd = await open()
  await delay(5000)
  const after = await resident(pid)
  crowd.close()
  return Math.round((after - before) / count)
}

async function resident(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

if (process.argv[2] === 'serve') serve()
else if (process.argv[2] === 'bare') serveBare()
else await main()
