import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openCrowd, serveBare, startBare, type Crowd } from './parts/rt-sockets.ts'
import { serve, withServedProject } from './parts/served-project.ts'

/**
 * Memory of the server program for each of 10,000 sockets that have joined a channel and are silent, against the same
 * number of sockets of a bare ws server; what the server still holds once they are gone, and what another crowd of as
 * many adds to that: nothing, when memory comes back.
 */
const count = 10_000
const mebi = 1024 * 1024

async function main(): Promise<void> {
  const bare = await startBare(fileURLToPath(import.meta.url))
  try {
    await withServedProject([], async (project) => {
      const { ref, anonKey } = project.connection
      const path = `/${ref}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`
      const join = JSON.stringify(['1', '1', 'realtime:room', 'phx_join', { config: {} }])
      // The first connection opens the project, which is not what is measured.
      const first = await openCrowd(project.port, path, 1, join)
      const base = await resident(project.pid)
      const ours = await growth(project.pid, () => openCrowd(project.port, path, count, join))
      const left = await rest(project.pid)
      await growth(project.pid, () => openCrowd(project.port, path, count, join))
      const again = await rest(project.pid)
      const theirs = await growth(bare.program.pid, () => openCrowd(bare.port, '/', count))
      first.close()
      const line = { name: 'rt-idle', ratio: Math.round((ours / theirs) * 100) / 100, bytes: ours }
      const mb = { baseMb: base / mebi, afterMb: left / mebi, afterTwoMb: again / mebi }
      const rounded = Object.entries(mb).map(([name, value]) => [name, Math.round(value)])
      process.stdout.write(`${JSON.stringify({ ...line, ...Object.fromEntries(rounded) })}\n`)
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

/** The lowest in half a minute: what was let go of goes with the next collections. */
async function rest(pid: number | undefined): Promise<number> {
  let lowest = Infinity
  for (let look = 0; look < 30; look++) {
    await delay(1000)
    lowest = Math.min(lowest, await resident(pid))
  }
  return lowest
}

async function resident(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

if (process.argv[2] === 'serve') serve()
else if (process.argv[2] === 'bare') serveBare()
else await main()
