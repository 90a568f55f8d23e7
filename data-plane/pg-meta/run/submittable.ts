import type { Connection, Submittable } from 'pg'
import { ignore, isDatabaseError, silent, type Described, type ResultSink } from './result-sink.ts'

type Events = {
  /** Sends what is to be done. */
  submit(connection: Connection): void
  /** Of the statement whose answer comes now. */
  sink(): ResultSink
  complete(tag: string): void
  end(error: Error | undefined): void
}

/** What the types of the driver leave out of it. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** The driver's own protocol for a query object; it calls these as messages come in. */
export function submittable(events: Events): Submittable {
  let ended = false
  let isBinary = false
  let unlisten: () => void = ignore
  const end = (error?: Error) => {
    if (ended) return
    ended = true
    unlisten()
    events.end(error)
  }
  const query = {
    submit(connection: Connection) {
      // The driver hands over what is copied, and not in which way.
      const onCopyOut = (message: { binary?: boolean }) => {
        isBinary = message.binary === true
      }
      connection.on('copyOutResponse', onCopyOut)
      unlisten = () => connection.off('copyOutResponse', onCopyOut)
      events.submit(connection)
    },
    handleRowDescription: (message: { fields: Described[] }) =>
      events.sink().fields(message.fields),
    handleCommandComplete: (message: { text: string }) => events.complete(message.text),
    handleEmptyQuery: () => events.complete(''),
    handleCopyInResponse: (connection: CopyConnection) =>
      void sendData(connection, events.sink(), () => ended),
    handleCopyData: ({ chunk }: { chunk: Buffer }) => events.sink().copyOut?.(chunk, isBinary),
    // Rows never come this way.
    handleDataRow: ignore,
    handleParseComplete: ignore,
    handlePortalSuspended: ignore,
    handleError: (error: Error, connection?: Connection) => {
      if (connection && isDatabaseError(error)) whenReady(connection, () => end(error))
      else end(error)
    },
    handleReadyForQuery: () => end(),
  }
  return query
}

/**
 * The server tells an error at once and whether the transaction still stands a moment later, which may be another
 * packet. A session that the error has ended is never ready again.
 */
function whenReady(connection: Connection, then: () => void): void {
  const done = () => {
    connection.off('readyForQuery', done).off('end', done)
    then()
  }
  connection.on('readyForQuery', done).on('end', done)
}

const noData = 'Write the data below the statement, and \\. on a line behind them, or choose a file'

/** Postgres drops what comes after it has refused a row, so this only has to end some time. */
async function sendData(
  connection: CopyConnection,
  { copyIn }: ResultSink,
  isEnded: () => boolean,
): Promise<void> {
  if (!copyIn) return connection.sendCopyFail(noData)
  try {
    for await (const piece of copyIn) {
      if (isEnded()) return
      if (piece === '') continue
      connection.sendCopyFromChunk(Buffer.from(piece))
      await drained(connection)
    }
    if (!isEnded()) connection.endCopyFrom()
  } catch {
    if (!isEnded()) connection.sendCopyFail('The data broke off')
  }
}

const drained = ({ stream }: Connection): Promise<void> =>
  new Promise((done) => {
    if (!stream.writableNeedDrain || stream.destroyed) return done()
    const end = () => {
      stream.off('drain', end).off('close', end)
      done()
    }
    stream.on('drain', end).on('close', end)
  })

/** The messages of the extended protocol for one statement, without what makes Postgres answer. */
export function sendExtended(
  connection: Connection,
  { text, values }: { text: string; values: readonly (string | null)[] },
): void {
  connection.parse({ name: '', text, types: [] }, true)
  connection.bind({ portal: '', statement: '', values: [...values] }, true)
  connection.describe({ type: 'P', name: '' }, true)
  connection.execute({ portal: '', rows: '0' }, true)
}

type Sent = { text: string; values: readonly (string | null)[]; sink: ResultSink }

/** Without a Sync in between, a failure lets Postgres skip all that follows; a Flush lets each answer come at once. */
export function sendAll(connection: Connection, steps: readonly Sent[]): void {
  // One write for all of them.
  connection.stream.cork()
  for (const step of steps) {
    sendExtended(connection, step)
    if (step.sink !== silent) connection.flush()
  }
  connection.sync()
  connection.stream.uncork()
}
