import { appendFileSync } from 'node:fs'
import { Client } from '#kit/postgres/client'

/** Where a worker ends itself, as kill -9 does, in the middle of its work with a message; `empty`: it works until the queue is empty. */
export const endings = ['asking', 'holding', 'deleting', 'empty'] as const
export type WorkerJob = {
  connection: { host: string; port: number; user: string; password: string; database: string }
  queue: string
  /** Seconds that a message is invisible after it was read. */
  visibility: number
  /** Takes a line for each message that was read: its number, and when it can be read again, in milliseconds since 1970. */
  file: string
  ending: (typeof endings)[number]
  /** Messages that it finishes before. */
  after: number
}

const { connection, queue, visibility, file, ending, after }: WorkerJob = JSON.parse(
  process.argv[2] ?? '',
)
const end = () => process.kill(process.pid, 'SIGKILL')
const client = new Client(connection)
await client.connect()
const read = () =>
  client.query<{ id: string; until: string }>(
    `select msg_id::text as id, (extract(epoch from vt) * 1000)::text as until
     from pgmq.read_with_poll($1, $2, 1, 1, 20)`,
    [queue, visibility],
  )

async function isEmpty(): Promise<boolean> {
  const { rows } = await client.query<{ is_empty: boolean }>(
    'select queue_length = 0 as is_empty from pgmq.metrics($1)',
    [queue],
  )
  return rows[0]?.is_empty ?? false
}

for (let done = 0; ; done += 1) {
  const last = ending !== 'empty' && done >= after
  const asked = read()
  if (last && ending === 'asking') setImmediate(end)
  const { rows } = await asked
  const [message] = rows
  if (!message) {
    if (await isEmpty()) break
    continue
  }
  appendFileSync(file, `${message.id} ${message.until}\n`)
  if (last && ending === 'holding') end()
  const deleted = client.query('select pgmq.delete($1, $2::bigint)', [queue, message.id])
  if (last && ending === 'deleting') setImmediate(end)
  await deleted
}
await client.end()
