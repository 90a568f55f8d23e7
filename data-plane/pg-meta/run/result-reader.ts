import type { Client, Connection } from 'pg'
import { guarded } from '#kit/postgres/bound-connection'
import { createRowFilter } from './data-rows.ts'
import { silent, type ResultSink, type Step } from './result-sink.ts'
import { sendAll, sendExtended, submittable } from './submittable.ts'

export type ResultReader = {
  /** Runs one statement by the simple protocol, as psql does. Answers what went wrong. */
  run(text: string, sink: ResultSink): Promise<Error | undefined>
  /** The same by the extended protocol, in which Postgres itself refuses a text of more than one statement. */
  runSingle(
    text: string,
    sink: ResultSink,
    values?: readonly (string | null)[],
  ): Promise<Error | undefined>
  /**
   * Sends all of them at once. Postgres skips what is behind one that fails, and answers each as soon as it is done. `at`
   * is the one that failed.
   */
  runAll(steps: readonly Step[]): Promise<{ at: number; error: Error } | undefined>
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

  const runAll: ResultReader['runAll'] = (steps) =>
    new Promise((done) => {
      let at = 0
      sink = steps[0]?.sink
      client.query(
        submittable({
          submit(connection) {
            listen(connection)
            sendAll(connection, steps)
          },
          sink: () => sink ?? silent,
          complete(tag) {
            sink?.flush()
            sink?.complete(tag)
            at += 1
            sink = steps[at]?.sink
          },
          end(error) {
            sink?.flush()
            sink = undefined
            // Behind the last one only the connection itself can fail.
            done(error && { at: Math.min(at, steps.length - 1), error })
          },
        }),
      )
    })

  const runOne = (to: ResultSink, send: (connection: Connection) => void) =>
    new Promise<Error | undefined>((done) => {
      sink = to
      client.query(
        submittable({
          submit(connection) {
            listen(connection)
            send(connection)
          },
          sink: () => to,
          complete: (tag) => to.complete(tag),
          end(error) {
            to.flush()
            sink = undefined
            done(error)
          },
        }),
      )
    })

  return {
    run: (text, to) => runOne(to, (connection) => connection.query(text)),
    runSingle: (text, to, values = []) =>
      runOne(to, (connection) => {
        sendExtended(connection, { text, values })
        connection.sync()
      }),
    runAll,
    pause: () => stream?.pause(),
    resume: () => stream?.resume(),
  }
}
