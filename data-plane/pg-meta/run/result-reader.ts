import { DatabaseError, type Client, type Connection, type Submittable } from 'pg'
import type { ResultCell } from '#contract/sql-query'
import { guarded } from '#kit/postgres/bound-connection'
import { createRowFilter } from './data-rows.ts'

/** A column as the protocol describes it. */
export type Described = { name: string; tableID: number; columnID: number; dataTypeID: number }

export type ResultSink = {
  /** No cell is cut, as long as its row is not huge. */
  whole?: boolean
  fields(fields: Described[]): void
  row(cells: ResultCell[]): void
  /** The bytes that have arrived so far are all handed over. */
  flush(): void
  /** The command tag, such as `INSERT 0 5`. */
  complete(tag: string): void
}

export type ResultReader = {
  /** Runs one statement by the simple protocol, as psql does. Answers what went wrong. */
  run(text: string, sink: ResultSink): Promise<Error | undefined>
  /** The same by the extended protocol, in which Postgres itself refuses a text of more than one statement. */
  runSingle(
    text: string,
    sink: ResultSink,
    values?: readonly (string | null)[],
  ): Promise<Error | undefined>
  /** Postgres itself waits while nothing is read, so memory stays flat. */
  pause(): void
  resume(): void
}

/** Reads results from a session of our own; nothing else may use the session any more. */
export function createResultReader(client: Client): ResultReader {
  let sink: ResultSink | undefined
  let stream: Connection['stream'] | undefined

  function listen(connection: Connection): void {
    if (stream) return
    stream = connection.stream
    const drivers = stream.listeners('data')
    stream.removeAllListeners('data')
    const filter = createRowFilter(
      (cells) => sink?.row(cells),
      (bytes) => {
        for (const listener of drivers) listener.call(stream, bytes)
      },
      () => sink?.whole ?? false,
    )
    const take = (bytes: Buffer) => {
      filter(bytes)
      sink?.flush()
    }
    stream.on('data', guarded(stream, take))
  }

  const submit = (to: ResultSink, send: (connection: Connection) => void) =>
    new Promise<Error | undefined>((done) => {
      sink = to
      client.query(
        submittable(send, {
          submit: listen,
          fields: to.fields,
          complete: to.complete,
          end(error) {
            to.flush()
            sink = undefined
            done(error)
          },
        }),
      )
    })

  return {
    run: (text, to) => submit(to, (connection) => connection.query(text)),
    runSingle: (text, to, values = []) =>
      submit(to, (connection) => sendExtended(connection, text, values)),
    pause: () => stream?.pause(),
    resume: () => stream?.resume(),
  }
}

/** For statements of our own, of which only a failure counts. */
export const silent: ResultSink = {
  fields: ignore,
  row: ignore,
  flush: ignore,
  complete: ignore,
}

function sendExtended(
  connection: Connection,
  text: string,
  values: readonly (string | null)[],
): void {
  connection.parse({ name: '', text, types: [] }, true)
  connection.bind({ portal: '', statement: '', values: [...values] }, true)
  connection.describe({ type: 'P', name: '' }, true)
  connection.execute({ portal: '', rows: '0' }, true)
  connection.sync()
}

type Events = {
  submit(connection: Connection): void
  fields(fields: Described[]): void
  complete(tag: string): void
  end(error: Error | undefined): void
}

/** The driver's own protocol for a query object; it calls these as messages come in. */
function submittable(send: (connection: Connection) => void, events: Events): Submittable {
  let ended = false
  const end = (error?: Error) => {
    if (ended) return
    ended = true
    events.end(error)
  }
  const query = {
    submit(connection: Connection) {
      events.submit(connection)
      send(connection)
    },
    handleRowDescription: (message: { fields: Described[] }) => events.fields(message.fields),
    handleCommandComplete: (message: { text: string }) => events.complete(message.text),
    handleCopyInResponse: (connection: { sendCopyFail(reason: string): void }) =>
      connection.sendCopyFail('There is no input here to copy from'),
    // Rows never come this way, and what COPY TO STDOUT prints has no reader.
    handleDataRow: ignore,
    handleCopyData: ignore,
    handleEmptyQuery: ignore,
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

function ignore(): void {
  // See where it is used.
}

export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError
