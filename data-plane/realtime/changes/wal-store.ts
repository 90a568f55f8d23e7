import { createHash } from 'node:crypto'
import { Connection, type Client, type ClientConfig } from 'pg'
import { LogicalReplicationService, PgoutputPlugin, type Pgoutput } from 'pg-logical-replication'
import { boundConnection } from '#kit/postgres/bound-connection'

export type ChangedTable = {
  oid: number
  schema: string
  name: string
  /** The text of a type is its name in pg_type, `_int4` for an array; filled in once it was looked up. */
  columns: { name: string; typeOid: number }[]
  /** Old rows come whole. */
  isFull: boolean
}
/** Values in the text form of Postgres. */
export type Values = Record<string, string | null>
export type Change = {
  table: ChangedTable
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  record: Values | undefined
  /** The whole old row, or its key, or nothing. */
  old: Values | undefined
  /** Milliseconds since 1970. */
  at: number
  /** The lower half of the number of its transaction. */
  xid: number
}

type Options = {
  config: ClientConfig
  publications: readonly string[]
  /** All of one transaction. */
  onChanges: (changes: Change[]) => Promise<void>
}

/** Changes that are handed on together at most; a transaction of millions of rows comes in pieces. */
const maxTogether = 500

/** Of one database; another one on the same server has its own. */
export const slotName = (ref: string, database: string) =>
  `realtime_${createHash('sha256').update(`${ref} ${database}`).digest('hex').slice(0, 16)}`

/**
 * The slot lives as long as the connection that reads it: whatever becomes of this process, no WAL is kept for nobody.
 */
class TemporarySlot extends PgoutputPlugin {
  /** The server's process for our connection. */
  pid: number | undefined

  override parse(data: Buffer) {
    const message = super.parse(data)
    if (message.tag === 'relation') keepText(message)
    return message
  }

  override async start(client: Client, slot: string, from: string) {
    const create = [
      'CREATE_REPLICATION_SLOT',
      `"${slot}"`,
      'TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT',
    ]
    await client.query(create.join(' '))
    // The types of pg leave it out.
    this.pid = (client as Client & { processID: number }).processID
    return super.start(client, slot, from)
  }
}

export type Wal = {
  /** The server's process that has the slot. */
  pid: number | undefined
  /** Settles when reading has ended: resolves after `stop`, rejects for any other reason. */
  ended: Promise<void>
  stop(): Promise<void>
}

/**
 * Reads what is committed from now on, in order. Resolves once it does.
 * @throws DatabaseError 42710 when somebody reads the slot already
 */
export async function readWal(
  slot: string,
  { config, publications, onChanges }: Options,
): Promise<Wal> {
  const service = new LogicalReplicationService(
    // Nothing of ours bounds how long it may read. The login itself may stream, and not the role that it otherwise becomes.
    { ...config, options: '-c statement_timeout=0 -c role=none', ...boundTo(config) },
    { acknowledge: { auto: false, timeoutSeconds: 0 }, flowControl: { enabled: true } },
  )
  let commit = { at: 0, xid: 0 }
  let pending: Change[] = []
  const flush = async () => {
    const changes = pending
    pending = []
    if (changes.length > 0) await onChanges(changes)
  }
  const acknowledge = (lsn: string) => void service.acknowledge(lsn)
  service.on('data', async (lsn: string, message: Pgoutput.Message) => {
    if (message.tag === 'begin') commit = commitOf(message)
    else if (message.tag === 'commit') {
      await flush()
      acknowledge(lsn)
    } else {
      const change = changeOf(message, commit)
      if (change) pending.push(change)
      if (pending.length >= maxTogether) await flush()
    }
  })
  service.on('heartbeat', (lsn: string, _: number, asked: boolean) => {
    if (asked) acknowledge(lsn)
  })
  const plugin = new TemporarySlot({ protoVersion: 1, publicationNames: [...publications] })
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<never>((_, reject) => (fail = reject))
  service.on('error', (error: Error) => fail(error))
  const live = new Promise<void>((resolve) => service.once('start', () => resolve()))
  const ended = Promise.race([service.subscribe(plugin, slot).then(() => undefined), failed])
  await Promise.race([
    live,
    ended.then(() => Promise.reject(new Error('The slot ended before it began'))),
  ]).catch(async (error: unknown) => {
    await service.stop().catch(() => undefined)
    throw error
  })
  // Whoever stops it before they look has no use for the reason.
  ended.catch(() => undefined)
  return {
    pid: plugin.pid,
    ended,
    // Its listeners stay: changes that are being told just then may fail, since the project is closed around them.
    stop: async () => {
      await service.stop()
    },
  }
}

/** The library makes its client itself, which takes a connection that is there. The types of pg leave it out. */
const boundTo = ({ ssl }: ClientConfig): object => ({
  connection: boundConnection(new Connection({ ssl: ssl ?? false })),
})

/** Clients turn texts into values by the types of the columns: nothing is to be turned before. */
function keepText({ columns }: Pgoutput.MessageRelation): void {
  for (const column of columns) column.parser = (text: unknown) => text
}

const commitOf = ({ commitTime, xid }: Pgoutput.MessageBegin) => ({
  at: Number(commitTime.toString()) / 1000,
  xid: xid >>> 0,
})

function changeOf(
  message: Pgoutput.Message,
  commit: Pick<Change, 'at' | 'xid'>,
): Change | undefined {
  if (message.tag !== 'insert' && message.tag !== 'update' && message.tag !== 'delete')
    return undefined
  const { relation } = message
  const table = {
    oid: relation.relationOid,
    schema: relation.schema,
    name: relation.name,
    columns: relation.columns.map(({ name, typeOid }) => ({ name, typeOid })),
    isFull: relation.replicaIdentity === 'full',
  }
  if (message.tag === 'insert') {
    return { table, type: 'INSERT', record: message.new, old: undefined, ...commit }
  }
  const old = message.old ?? message.key ?? undefined
  return message.tag === 'update'
    ? { table, type: 'UPDATE', record: message.new, old, ...commit }
    : { table, type: 'DELETE', record: undefined, old, ...commit }
}
