import { message } from '../shared/messages.ts'
import { leavesNothing } from './sql-text.ts'

/** A statement that clients have prepared, under a name of ours that is the same on each connection. */
export type Statement = {
  name: string
  parse: Buffer
  bytes: number
  users: number
  text: string
  /** Nothing of it outlives its transaction, by what it says. */
  leavesNothing: boolean
}

/** Of one client, so that nobody fills the memory. */
const most = { statements: 2000, bytes: 8 * 2 ** 20 }

/** The statements of a project's clients; two who prepare the same text share one. */
export function createStatements() {
  const known = new Map<string, Statement>()
  let last = 0
  return {
    /** `rest`: what a Parse message says behind the name. */
    take(rest: Buffer): Statement {
      const text = rest.toString('latin1')
      let found = known.get(text)
      if (!found) {
        const name = `plinth_${++last}`
        const parse = message('P', Buffer.concat([Buffer.from(`${name}\0`), rest]))
        const sql = rest.toString('utf8', 0, rest.indexOf(0))
        found = {
          name,
          parse,
          bytes: rest.length * 2,
          users: 0,
          text,
          leavesNothing: leavesNothing(sql),
        }
        known.set(text, found)
      }
      found.users++
      return found
    },
    release(statement: Statement): void {
      if (--statement.users === 0) known.delete(statement.text)
    },
  }
}
export type Statements = ReturnType<typeof createStatements>

/** The statements of one client, by its own names. */
export function createOwnStatements(statements: Statements) {
  const own = new Map<string, Statement>()
  let bytes = 0
  function drop(name: string): void {
    const found = own.get(name)
    if (!found) return
    own.delete(name)
    bytes -= found.bytes
    statements.release(found)
  }
  return {
    get: (name: string) => own.get(name),
    /** Undefined: these would be too many. */
    add(name: string, rest: Buffer): Statement | undefined {
      if (own.size >= most.statements || bytes + rest.length * 2 > most.bytes) return undefined
      const statement = statements.take(rest)
      own.set(name, statement)
      bytes += statement.bytes
      return statement
    },
    drop,
    clear(): void {
      for (const name of own.keys()) drop(name)
    },
  }
}
export type OwnStatements = ReturnType<typeof createOwnStatements>
