import type { Client, Connection, Submittable } from 'pg'
import { Messages } from './messages.ts'
import { statementNames, type StatementNames } from './statement-names.ts'

/** One statement of a transaction. Values go as untyped text, so the server gives them the type their place asks for. */
export type Statement = { text: string; values: readonly Value[] }
/** A value as text; a Buffer is text in UTF-8 that needs no writing down. */
export type Value = string | Buffer | null
/** Cells as text, in the order of the select list. */
export type Row = readonly (string | null)[]
export type Transaction = {
  statements: readonly Statement[]
  /** Changes whenever the types in the database may have; statements are then prepared anew. */
  epoch?: number
  /**
   * Looks at the rows of every statement before the commit; what it returns rolls the transaction back and rejects.
   * Costs one more round trip, so only give it when a result can be refused.
   */
  refuse?: ((results: readonly Row[][]) => Error | undefined) | undefined
  /** It may leave something behind in its session: temporary tables, advisory locks. Read-only ones do not. */
  leavesTraces?: boolean
  /** It has to begin without the settings that a function of an earlier one made for the whole session. */
  resetsSettings?: boolean
  /** Nothing of it can set something for the whole session, as only the server's own code runs. */
  keepsSettings?: boolean
}

/**
 * Runs statements as one transaction in one round trip: everything the server reads up to a Sync message is one implicit
 * transaction (protocol documentation, "Pipelining"), so BEGIN and COMMIT are not needed and `set_config(…, true)` is local.
 * Resolves with the rows of each statement, rejects with the first error, after which nothing has happened.
 */
export async function runTransaction(client: Client, transaction: Transaction): Promise<Row[][]> {
  const first = new PipelinedTransaction(transaction)
  try {
    return await first.run(client)
  } catch (error) {
    // Nothing has happened, and what was prepared is not used again: once more is safe and decides.
    if (!first.preparedInDoubt) throw error
    return await new PipelinedTransaction(transaction).run(client)
  }
}

/** What the driver calls while this is the active query of a connection. */
class PipelinedTransaction implements Submittable {
  /** It failed where a statement prepared earlier was used, which may have become wrong or lost since. */
  preparedInDoubt = false
  private readonly transaction: Transaction
  private resolve: (results: Row[][]) => void = () => undefined
  private reject: (error: Error) => void = () => undefined
  private readonly results: Row[][] = []
  private rows: Row[] = []
  private readonly known: boolean[] = []
  private refusal: Error | undefined
  private undecided: boolean

  constructor(transaction: Transaction) {
    this.transaction = transaction
    this.undecided = transaction.refuse !== undefined
  }

  run(client: Client): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      client.query(this)
    })
  }

  /** The driver goes on with its next query when this returns an error. Nothing has been sent then. */
  submit(connection: Connection): Error | undefined {
    const names = statementNames(connection)
    try {
      send(connection, this.messages(names))
      return undefined
    } catch (error) {
      this.undecided = false
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  private messages(names: StatementNames): Messages {
    const messages = new Messages()
    names.bound = 0
    if (this.transaction.epoch !== undefined) names.enter(this.transaction.epoch)
    for (const name of names.takeDropped()) messages.closeStatement(name)
    for (const { text, values } of this.transaction.statements) {
      const { name, known } = names.nameFor(text)
      this.known.push(known)
      if (!known) messages.parse(name, text)
      messages.bind(name, values).execute()
    }
    return this.undecided ? messages.flush() : messages.sync()
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

  /** No statement of ours asks for rows. Whatever did, only a new connection is sure to be in step again. */
  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy()
  }

  handleCopyData(): void {}

  handleError(error: Error, connection: Connection): void {
    this.forgetNames(error, connection)
    if (this.undecided) {
      this.undecided = false
      send(connection, new Messages().sync())
    }
    this.reject(error)
  }

  private forgetNames(error: Error, connection: Connection): void {
    const names = statementNames(connection)
    const { statements } = this.transaction
    // The server skipped what came after the error: which of the new names it has taken cannot be told.
    for (const [i, { text }] of statements.entries()) if (!this.known[i]) names.drop(text)
    const code = 'code' in error ? error.code : undefined
    // A function of the tenant has said DEALLOCATE (26000) or PREPARE (42P05) in this session.
    const lost = code === '26000' || code === '42P05'
    if (lost) names.dropAll()
    // A failure before the Bind was accepted: the values do not fit the types settled when it was prepared.
    const failing = statements[this.results.length]
    const stale = this.known[this.results.length] && names.bound === this.results.length
    if (stale && failing) names.drop(failing.text)
    // What is lost with its connection is not tried on it again.
    this.preparedInDoubt = !connection.stream.destroyed && (lost || stale === true)
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
