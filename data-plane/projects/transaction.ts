import type { Client, Connection, Submittable } from 'pg'
import { Messages } from './messages.ts'
import { statementNames } from './statement-names.ts'

/** One statement of a transaction. Values go as untyped text, so the server gives them the type their place asks for. */
export type Statement = { text: string; values: readonly (string | null)[] }
/** Cells as text, in the order of the select list. */
export type Row = readonly (string | null)[]
export type Transaction = {
  statements: readonly Statement[]
  /**
   * Looks at the rows of every statement before the commit; what it returns rolls the transaction back and rejects.
   * Costs one more round trip, so only give it when a result can be refused.
   */
  refuse?: ((results: readonly Row[][]) => Error | undefined) | undefined
  /** It may leave something behind in its session: temporary tables, advisory locks. Read-only ones do not. */
  leavesTraces?: boolean
}

/** Ends what outlives a transaction, so that the next user of the connection does not meet it. */
export const forgetTraces: Transaction = {
  statements: ['select pg_advisory_unlock_all()', 'discard temp', 'close all', 'unlisten *'].map(
    (text) => ({ text, values: [] }),
  ),
}

/**
 * Runs statements as one transaction in one round trip: everything the server reads up to a Sync message is one implicit
 * transaction (protocol documentation, "Pipelining"), so BEGIN and COMMIT are not needed and `set_config(…, true)` is local.
 * Resolves with the rows of each statement, rejects with the first error, after which nothing has happened.
 */
export function runTransaction(client: Client, transaction: Transaction): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    client.query(new PipelinedTransaction(transaction, resolve, reject))
  })
}

/** What the driver calls while this is the active query of a connection. */
class PipelinedTransaction implements Submittable {
  private readonly transaction: Transaction
  private readonly resolve: (results: Row[][]) => void
  private readonly reject: (error: Error) => void
  private readonly results: Row[][] = []
  private rows: Row[] = []
  private named: string[] = []
  private refusal: Error | undefined
  private undecided: boolean

  constructor(
    transaction: Transaction,
    resolve: (results: Row[][]) => void,
    reject: (error: Error) => void,
  ) {
    this.transaction = transaction
    this.resolve = resolve
    this.reject = reject
    this.undecided = transaction.refuse !== undefined
  }

  submit(connection: Connection): void {
    const messages = new Messages()
    const names = statementNames(connection)
    for (const name of names.takeDropped()) messages.closeStatement(name)
    for (const { text, values } of this.transaction.statements) {
      const { name, known } = names.nameFor(text)
      if (!known) {
        messages.parse(name, text)
        if (name !== '') this.named.push(name)
      }
      messages.bind(name, values).execute()
    }
    send(connection, this.undecided ? messages.flush() : messages.sync())
  }

  handleRowDescription(): void {}

  handleDataRow(message: { fields: Row }): void {
    this.rows.push(message.fields)
  }

  handleCommandComplete(_: unknown, connection: Connection): void {
    this.results.push(this.rows)
    this.rows = []
    if (!this.undecided || this.results.length < this.transaction.statements.length) return
    this.undecided = false
    this.decide(connection)
  }

  private decide(connection: Connection): void {
    try {
      this.refusal = this.transaction.refuse?.(this.results)
    } catch (error) {
      this.refusal = error instanceof Error ? error : new Error(String(error))
    }
    const messages = new Messages()
    if (this.refusal) messages.parse('', 'rollback').bind('', []).execute()
    send(connection, messages.sync())
  }

  handleEmptyQuery(connection: Connection): void {
    this.handleCommandComplete(undefined, connection)
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY is not possible here')
  }

  handleCopyData(): void {}

  handleError(error: Error, connection: Connection): void {
    const names = statementNames(connection)
    // The server skipped the rest: which of the new names it has taken can not be told, so all are given up.
    names.drop(this.named)
    if (isLostStatement(error)) names.drop(names.all())
    if (this.undecided) {
      this.undecided = false
      send(connection, new Messages().sync())
    }
    this.reject(error)
  }

  handleReadyForQuery(): void {
    if (this.refusal) this.reject(this.refusal)
    else this.resolve(this.results)
  }
}

/** A connection that is gone fails its queries by itself. */
function send(connection: Connection, messages: Messages): void {
  if (connection.stream.writable) connection.stream.write(messages.bytes())
}

/**
 * A function of the tenant has said DEALLOCATE (26000) or PREPARE (42P05) in this session: all names are in doubt.
 * They are given up by then, so the same transaction can be run once more.
 */
export const isLostStatement = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')
