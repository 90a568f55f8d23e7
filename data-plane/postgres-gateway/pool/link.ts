import type { CancelKey } from '../shared/messages.ts'
import { message, query } from '../shared/messages.ts'
import { cancelAt, type ServerSession } from '../shared/server-login.ts'
import { createExpected, type Expected } from './expected.ts'
import { forgetSql, resetSql } from './session-state.ts'
import type { Statement } from './statements.ts'

/** Who has a connection at the moment. */
export type Holder = {
  /** False: it takes no more for now, until `resume` is called. */
  take(bytes: Buffer): boolean
  parameter(name: string, value: string): void
  /** A statement was carried out that ends all that are prepared. */
  forgotten(): void
  /** The server has answered everything; `isIdle`: outside of a transaction, with nothing under way. */
  ready(isIdle: boolean): void
  drained(): void
  /** The connection has ended. */
  lost(): void
}

const code = (letter: string) => letter.charCodeAt(0)
const kinds = {
  parsed: code('1'),
  bound: code('2'),
  closed: code('3'),
  row: code('D'),
  rows: code('T'),
  noData: code('n'),
  complete: code('C'),
  empty: code('I'),
  suspended: code('s'),
  copyIn: code('G'),
  error: code('E'),
  ready: code('Z'),
  parameter: code('S'),
}
/** Answers that end what was asked for, by what that was. */
const ends = new Map<number, Expected['kind']>([
  [kinds.parsed, 'parse'],
  [kinds.bound, 'bind'],
  [kinds.closed, 'close'],
  [kinds.rows, 'describe'],
  [kinds.noData, 'describe'],
  [kinds.complete, 'execute'],
  [kinds.empty, 'execute'],
  [kinds.suspended, 'execute'],
])
const readWhole = new Set([kinds.complete, kinds.error, kinds.ready, kinds.parameter])
/** Longer ones are passed on unread. */
const longestRead = 64 * 1024
/** On one connection; the oldest goes when there are more. */
const mostPrepared = 300
const nothing: Buffer = Buffer.alloc(0)

/** A connection to a server that clients are lent in turn. */
export function createLink(
  { socket, key, parameters }: ServerSession,
  socketPath: string,
  onEnd: () => void,
) {
  const expected = createExpected()
  const prepared = new Set<Statement>()
  const stale = new Set<Statement>()
  let holder: Holder | undefined
  let kept = nothing
  /** Of a message that is passed on, or over, in pieces. */
  let left = 0
  let isPassedOver = false
  let isIdle = true
  /** Somebody has prepared a statement in SQL, by a name of their own. */
  let hasForeign = false
  let failure: Buffer | undefined
  let cancels = 0
  let afterCancels: (() => void) | undefined

  function give(bytes: Buffer): void {
    if (bytes.length > 0 && holder && !holder.take(bytes)) socket.pause()
  }

  /** Whether the client is to have the message. */
  function note(kind: number, body: Buffer): boolean {
    const first = expected.head()
    if (first && ends.get(kind) === first.kind) expected.shift()
    if (kind === kinds.copyIn) expected.copyIn()
    if (kind === kinds.complete) noteTag(body.toString('latin1'))
    if (kind === kinds.parameter) {
      const [name = '', value = ''] = body.toString('utf8').split('\0')
      parameters.set(name, value)
      if (first?.ours === true) return false
      holder?.parameter(name, value)
      return true
    }
    if (kind === kinds.error) {
      if (first?.statement && body.includes('C0A000\0')) stale.add(first.statement)
      const isHeard = expected.fail()
      if (!isHeard) failure = Buffer.from(body)
      return isHeard
    }
    return first?.ours !== true
  }
  function noteTag(tag: string): void {
    if (tag.startsWith('PREPARE')) hasForeign = true
    if (!tag.startsWith('DEALLOCATE ALL') && !tag.startsWith('DISCARD ALL')) return
    prepared.clear()
    stale.clear()
    hasForeign = false
    if (expected.head()?.ours !== true) holder?.forgotten()
  }
  /** Whether the client is to hear that the server is ready. */
  function ready(status: number): void {
    isIdle = status === code('I')
    const entry = expected.ready()
    if (entry?.ours === true) {
      const failed = failure
      failure = undefined
      entry.done?.(failed)
    }
  }

  function read(chunk: Buffer): void {
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    kept = nothing
    let at = 0
    /** From here on nothing was given to the client yet. */
    let from = 0
    while (at < bytes.length) {
      if (left > 0) {
        const part = Math.min(left, bytes.length - at)
        at += part
        left -= part
        if (isPassedOver) from = at
        continue
      }
      if (bytes.length - at < 5) break
      const kind = bytes[at] ?? 0
      const length = bytes.readInt32BE(at + 1) + 1
      if (length < 5) return void socket.destroy()
      const isRead = readWhole.has(kind) && length <= longestRead
      if (isRead && bytes.length - at < length) break
      const body = isRead ? bytes.subarray(at + 5, at + length) : nothing
      if (kind === kinds.ready) {
        const isOurs = expected.head()?.ours === true
        give(bytes.subarray(from, isOurs ? at : at + length))
        at += length
        from = at
        ready(body[0] ?? 0)
        if (!isOurs && !expected.isOwing()) holder?.ready(isIdle && expected.isSettled())
        continue
      }
      isPassedOver = !note(kind, body)
      if (isPassedOver) {
        give(bytes.subarray(from, at))
        from = at
      }
      left = length
    }
    give(bytes.subarray(from, at))
    if (at < bytes.length) kept = Buffer.from(bytes.subarray(at))
  }

  socket.on('data', read)
  socket.on('drain', () => holder?.drained())
  socket.once('end', () => socket.destroy())
  socket.once('close', () => {
    const last = holder
    holder = undefined
    onEnd()
    last?.lost()
  })
  socket.resume()

  function send(bytes: Buffer, ...entries: Expected[]): void {
    for (const entry of entries) expected.add(entry)
    socket.write(bytes)
  }
  function close(statement: Statement): void {
    prepared.delete(statement)
    send(message('C', Buffer.from(`S${statement.name}\0`)), {
      kind: 'close',
      ours: true,
      undo: () => void prepared.add(statement),
    })
  }

  /** Who it was lent to since it was made as it was before. */
  let user: object | undefined
  /** Somebody has said something that may outlive a transaction. */
  let isTouched = false

  const link = {
    key: key as Readonly<CancelKey>,
    parameters: parameters as ReadonlyMap<string, string>,
    /** When it was lent out last (performance.now()). */
    usedAt: performance.now(),
    send,
    expect: expected.add,
    write: (bytes: Buffer) => socket.write(bytes),
    cork: () => socket.cork(),
    uncork: () => socket.uncork(),
    isFull: () => socket.writableNeedDrain,
    isOwing: expected.isOwing,
    isIdle: () => isIdle && expected.isSettled(),
    resume: () => void socket.resume(),
    attach(to: Holder): void {
      holder = to
      user = to
    },
    /** What is said may outlive its transaction. */
    touch(): void {
      isTouched = true
    },
    /** Takes it from its client, who may get it again as it is. */
    detach(): void {
      holder = undefined
      socket.resume()
    },
    /** Whether nobody but this client has left anything here, and that client nothing that it has said in so many words. */
    isGoodFor: (client: object) => !isTouched && cancels === 0 && (user ?? client) === client,
    /** Somebody has used it since it was made as it was before. */
    isUsed: () => user !== undefined,
    /** Has a statement prepared here, before what is sent next. */
    prepare(statement: Statement): void {
      if (stale.delete(statement) && prepared.has(statement)) close(statement)
      if (prepared.has(statement)) return
      const [oldest] = prepared
      if (prepared.size >= mostPrepared && oldest) close(oldest)
      prepared.add(statement)
      send(statement.parse, {
        kind: 'parse',
        ours: true,
        undo: () => void prepared.delete(statement),
      })
    },
    /** Has it prepared anew because a client asks for that; `undo` when it fails. */
    prepareAnew(statement: Statement, undo: () => void): void {
      if (prepared.has(statement)) close(statement)
      prepared.add(statement)
      send(statement.parse, {
        kind: 'parse',
        undo() {
          prepared.delete(statement)
          undo()
        },
      })
    },
    /** A client has ended it by SQL. */
    dropped: (statement: Statement): void => void prepared.delete(statement),
    /** Runs a query of ours; `done` hears the fields of an error, if there was one. */
    own(sql: string, done: (failure: Buffer | undefined) => void): void {
      send(query(sql), { kind: 'query', ours: true, done })
    },
    /** Takes it from its client, and makes it what it was before; `done` hears that nobody will meet anything of it. */
    reset(done: () => void): void {
      holder = undefined
      const begin = () =>
        link.own(hasForeign ? forgetSql : resetSql, (failed) => {
          if (failed || !link.isIdle()) return void socket.destroy()
          user = undefined
          isTouched = false
          done()
        })
      if (cancels === 0) begin()
      else afterCancels = begin
      socket.resume()
    },
    /** Cancels what runs here, for its client. Nobody else gets the connection before the server has done so. */
    async cancel(): Promise<void> {
      cancels++
      await cancelAt(socketPath, key)
      if (--cancels > 0) return
      const begin = afterCancels
      afterCancels = undefined
      if (!socket.destroyed) begin?.()
    },
    /** Ends it; what runs is cancelled, which the server would not notice otherwise. */
    abort(): void {
      holder = undefined
      if (expected.isOwing()) void cancelAt(socketPath, key).then(() => socket.destroy())
      else socket.destroy()
    },
    end: () => void socket.end(message('X', nothing), () => socket.destroy()),
  }
  return link
}
export type Link = ReturnType<typeof createLink>
