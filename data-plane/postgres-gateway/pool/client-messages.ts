import { message, query } from '../shared/messages.ts'
import type { Link } from './link.ts'
import { deallocated, deallocateSql, leavesNothing, listens, listenSql } from './sql-text.ts'
import type { OwnStatements } from './statements.ts'

/** What becomes of a message of a client. */
export type Outcome =
  /** It goes to the server as it is. */
  | 'pass'
  /** Something else went in its place. */
  | 'replaced'
  /** More of it has to be here first. */
  | 'wait'
  /** `head` goes in place of the first `length` bytes, and the rest as it is. */
  | { head: Buffer; length: number }
  | { failure: string; code: string }

const code = (letter: string) => letter.charCodeAt(0)
const [Q, P, B, D, C, E, S, F, c, f, H, d] = 'QPBDCESFcfHd'.split('').map(code)
/** Statements that are longer are not looked at. */
const longestRead = 64 * 1024
/** Of the text of a statement with a name, which is remembered. */
const longestNamed = 1 << 20
/** Of the names in a message; the server keeps 63 bytes of each. */
const longestNames = 1024

const malformed = (kind: number): Outcome => ({
  code: '08P01',
  failure: `invalid message of type ${String.fromCharCode(kind)}`,
})
const tooMuch: Outcome = {
  code: '54000',
  failure: 'too many or too long prepared statements for one client in transaction mode',
}

/**
 * Sends what has to go before a message, and tells what becomes of the message itself, which begins at `at` in `bytes` and is `length`
 * bytes long with its header. What the server will answer is expected from then on.
 */
export function handle(
  bytes: Buffer,
  at: number,
  length: number,
  link: Link,
  own: OwnStatements,
  flush: () => void,
): Outcome {
  const kind = bytes[at] ?? 0
  const here = bytes.length - at
  const text = (from: number, to: number) => bytes.toString('utf8', from, to)
  const end = at + length

  switch (kind) {
    case Q: {
      if (length > longestRead) link.touch()
      else {
        if (here < length) return 'wait'
        const sql = text(at + 5, end - 1)
        if (!leavesNothing(sql)) link.touch()
        if (listens(sql)) {
          flush()
          link.send(query(listenSql), { kind: 'query' })
          return 'replaced'
        }
        const name = deallocated(sql)
        const statement = name === undefined ? undefined : own.get(name)
        if (name !== undefined && statement) {
          flush()
          link.prepare(statement)
          link.send(message('S', Buffer.alloc(0)), { kind: 'sync', ours: true })
          link.send(query(deallocateSql(statement.name)), {
            kind: 'query',
          })
          link.dropped(statement)
          own.drop(name)
          return 'replaced'
        }
      }
      link.expect({ kind: 'query' })
      return 'pass'
    }
    case P: {
      const nameEnd = bytes.indexOf(0, at + 5)
      if (nameEnd < 0 || nameEnd >= end)
        return here < length && here < longestNames ? 'wait' : malformed(kind)
      if (nameEnd === at + 5 && length > longestRead) {
        link.touch()
        link.expect({ kind: 'parse' })
        return 'pass'
      }
      if (length > longestNamed) return tooMuch
      if (here < length) return 'wait'
      const rest = bytes.subarray(nameEnd + 1, end)
      const sqlEnd = rest.indexOf(0)
      if (sqlEnd < 0) return malformed(kind)
      const name = text(at + 5, nameEnd)
      const sql = rest.toString('utf8', 0, sqlEnd)
      if (name === '' && !leavesNothing(sql)) link.touch()
      if (listens(sql)) {
        flush()
        const body = `${name}\0${listenSql}\0\0\0`
        link.send(message('P', Buffer.from(body)), { kind: 'parse' })
        return 'replaced'
      }
      if (name === '') {
        link.expect({ kind: 'parse' })
        return 'pass'
      }
      flush()
      const before = own.get(name)
      if (before) {
        // The server says that there is one already.
        link.prepare(before)
        link.send(before.parse, { kind: 'parse' })
        return 'replaced'
      }
      const statement = own.add(name, rest)
      if (!statement) return tooMuch
      link.prepareAnew(statement, () => own.drop(name))
      return 'replaced'
    }
    case B: {
      const portalEnd = bytes.indexOf(0, at + 5)
      const nameEnd = portalEnd < 0 ? -1 : bytes.indexOf(0, portalEnd + 1)
      if (nameEnd < 0 || nameEnd >= end)
        return here < length && here < longestNames ? 'wait' : malformed(kind)
      const name = text(portalEnd + 1, nameEnd)
      const statement = own.get(name)
      const target = statement?.name ?? foreign(name)
      if (statement) {
        flush()
        link.prepare(statement)
        if (!statement.leavesNothing) link.touch()
      }
      link.expect({ kind: 'bind', ...(statement && { statement }) })
      if (target === name) return 'pass'
      flush()
      const names = Buffer.concat([
        bytes.subarray(at + 5, portalEnd + 1),
        Buffer.from(`${target}\0`),
      ])
      const head = message('B', names)
      const replaced = nameEnd + 1 - at
      head.writeUInt32BE(length - 1 + head.length - replaced, 1)
      return { head, length: replaced }
    }
    case D:
    case C: {
      if (length > longestNames) return malformed(kind)
      if (here < length) return 'wait'
      const isStatement = bytes[at + 5] === S
      const name = text(at + 6, end - 1)
      const statement = isStatement ? own.get(name) : undefined
      const expects = kind === D ? 'describe' : 'close'
      if (!isStatement || (!statement && foreign(name) === name)) {
        link.expect({ kind: expects })
        return 'pass'
      }
      flush()
      if (statement && kind === D) link.prepare(statement)
      if (kind === C) own.drop(name)
      // Others may go on using it, so it is not closed: the server answers the same for one that it does not have.
      const target = statement && kind === D ? statement.name : foreign(`plinth_${name}`)
      link.send(message(String.fromCharCode(kind), Buffer.from(`S${target}\0`)), {
        kind: expects,
        ...(statement && { statement }),
      })
      return 'replaced'
    }
    case E:
      link.expect({ kind: 'execute' })
      return 'pass'
    case S:
      link.expect({ kind: 'sync' })
      return 'pass'
    case F:
      link.touch()
      link.expect({ kind: 'query' })
      return 'pass'
    case c:
    case f:
      link.expect({ kind: 'copyEnd' })
      return 'pass'
    case H:
    case d:
      return 'pass'
    default:
      return { code: '08P01', failure: `invalid frontend message type ${kind}` }
  }
}

/** Names of ours lead a client to nothing. */
const foreign = (name: string) => (name.startsWith('plinth_') ? `unknown_${name}` : name)
