import { Client } from 'pg'
import { customer } from '#compute/testing/conformance-project'
import { compare, type Measured } from './parts/compare.ts'
import { serve, withServedProject, type ServedProject } from './parts/served-project.ts'

/**
 * Send, read and delete of one message after the other, through the functions of pgmq, against the same three statements
 * written by hand on a table of the same shape: milliseconds per message, and processor time of the driver and Postgres.
 * Alone a session waits for the disk; eight of them share its writes and show what the functions cost.
 */
const sessions = [1, 8]
const messages = 800

const setup = [
  'create extension pgmq',
  `select pgmq.create('bench')`,
  `create table by_hand (
     msg_id bigint primary key generated always as identity,
     read_ct integer not null default 0,
     enqueued_at timestamptz not null default now(),
     vt timestamptz not null,
     message jsonb,
     headers jsonb
   )`,
  'create index on by_hand (vt)',
]

type Work = { send: string; read: string; remove: string }

const ours: Work = {
  send: `select * from pgmq.send('bench', $1::jsonb)`,
  read: `select * from pgmq.read('bench', 30, 1)`,
  remove: `select pgmq.delete('bench', $1::bigint)`,
}
const byHand: Work = {
  send: 'insert into by_hand (vt, message) values (clock_timestamp(), $1) returning msg_id',
  read: `with free as (
      select msg_id from by_hand where vt <= clock_timestamp() order by msg_id limit 1 for update skip locked
    )
    update by_hand m set vt = clock_timestamp() + interval '30 seconds', read_ct = m.read_ct + 1
    from free where m.msg_id = free.msg_id
    returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers`,
  remove: 'delete from by_hand where msg_id = $1 returning msg_id',
}

async function main(): Promise<void> {
  await withServedProject(setup, async (project) => {
    for (const count of sessions) {
      const clients = await Promise.all(Array.from({ length: count }, () => session(project)))
      const measure = (work: Work) => perMessage(project, () => runAll(clients, work))
      await compare(`queue ${count}`, {
        ours: () => measure(ours),
        baseline: () => measure(byHand),
      })
      await Promise.all(clients.map((client) => client.end()))
    }
  })
}

async function perMessage(project: ServedProject, load: () => Promise<number>): Promise<Measured> {
  const { value, cpuMs } = await project.measure('driver', load)
  return { value: 1000 / value, cpuMs }
}

async function session({ at, connection }: ServedProject): Promise<Client> {
  const { role: user, password } = customer(connection.ref)
  const client = new Client({
    host: at.socketDir,
    port: at.port,
    database: 'postgres',
    user,
    password,
  })
  await client.connect()
  return client
}

async function runAll(clients: Client[], { send, read, remove }: Work): Promise<number> {
  const each = messages / clients.length
  const message = JSON.stringify({ to: 'ada@example.com', template: 'welcome' })
  await Promise.all(
    clients.map(async (client) => {
      for (let n = 0; n < each; n += 1) {
        await client.query(send, [message])
        await client.query(remove, [await readOne(client, read)])
      }
    }),
  )
  return messages
}

/** What others have sent since the statement began it cannot see, and its own may have been read by one of them. */
async function readOne(client: Client, read: string): Promise<string> {
  for (;;) {
    const { rows } = await client.query<{ msg_id: string }>(read)
    if (rows[0]) return rows[0].msg_id
  }
}

if (process.argv[2] === 'serve') serve()
else await main()
