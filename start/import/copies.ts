import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import { copyOut } from '#kit/postgres/copy-out'
import type { Session } from './connections.ts'
import { snapshotOf } from './data-store.ts'
import type { Run } from './parts.ts'
import { openSnapshot } from './source-store.ts'

/** A session beside that of the run, of the same moment: a copy that ends half way leaves it of no use, and it is opened anew. */
export async function openCopies({ connectSource, source }: Run) {
  const snapshot = await snapshotOf(source)
  const open = async () => {
    const session = await connectSource()
    await openSnapshot(session, snapshot)
    return session
  }
  let current = await open()
  return {
    session: () => current,
    async renew(): Promise<void> {
      current.connection.stream.destroy()
      current = await open()
    },
    end: () => current.end(),
  }
}
export type Copies = Awaited<ReturnType<typeof openCopies>>

/** Rows pass through as the source prints them, in the pace of the slower side. */
export async function copyRows(source: Session, out: string, target: Session, into: string) {
  const rows = target.query(from(into))
  // Small messages of single rows become larger ones.
  await pipeline(source.query(copyOut(source, out)), joined(), rows)
  return rows.rowCount
}

const atOnce = 64 * 1024

function joined(): Transform {
  let waiting: Buffer[] = []
  let size = 0
  const send = (stream: Transform) => {
    if (size > 0) stream.push(Buffer.concat(waiting))
    waiting = []
    size = 0
  }
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      waiting.push(bytes)
      size += bytes.length
      if (size >= atOnce) send(this)
      done()
    },
    flush(done) {
      send(this)
      done()
    },
  })
}
