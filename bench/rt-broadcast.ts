import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compare } from './parts/compare.ts'
import { clientFrame, openCrowd, serveBare, startBare, type Crowd } from './parts/rt-sockets.ts'
import { serve, withServedProject } from './parts/served-project.ts'

/**
 * One message to 1,000 subscribers, again and again, against the same over a bare ws server that sends what it gets to
 * everybody else. Processor time is that of the server program (and of Postgres, which has nothing to do) per delivery.
 */
const [subscribers, roundMs] = [1000, 3000]
const text = 'x'.repeat(100)

async function main(): Promise<void> {
  const bare = await startBare(fileURLToPath(import.meta.url))
  try {
    await withServedProject([], async (project) => {
      const { ref, anonKey } = project.connection
      const path = `/${ref}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`
      const off = { presence: { enabled: false } }
      const join = JSON.stringify(['1', '1', 'realtime:room', 'phx_join', { config: off }])
      const payload = { type: 'broadcast', event: 'e', payload: { text } }
      const message = JSON.stringify(['1', '2', 'realtime:room', 'broadcast', payload])
      const ours = await openCrowd(project.port, path, subscribers + 1, join)
      const theirs = await openCrowd(bare.port, '/', subscribers + 1)
      await compare('rt-broadcast', {
        ours: () => project.measure('ours', () => load(ours, message)),
        baseline: () => project.measure(bare.program, () => load(theirs, message)),
      })
      ours.close()
      theirs.close()
    })
  } finally {
    bare.program.kill()
  }
}

/** @returns deliveries; the next message goes when everybody has the one before */
async function load(crowd: Crowd, message: string): Promise<number> {
  const frame = clientFrame(message)
  const [writer] = crowd.sockets
  const once = async (expected: number | undefined) => {
    const before = crowd.received()
    writer?.write(frame)
    let quietSince = performance.now()
    let seen = before
    while (
      expected === undefined
        ? performance.now() - quietSince < 300
        : crowd.received() - before < expected
    ) {
      await turn()
      if (crowd.received() !== seen) quietSince = performance.now()
      seen = crowd.received()
    }
    return crowd.received() - before
  }
  // How many bytes one message is to all of them together.
  const bytes = await once(undefined)
  if (bytes % subscribers !== 0) throw new Error('Not everybody got the message')
  let count = subscribers
  const end = performance.now() + roundMs
  while (performance.now() < end) {
    await once(bytes)
    count += subscribers
  }
  return count
}

if (process.argv[2] === 'serve') serve()
else if (process.argv[2] === 'bare') serveBare()
else await main()
