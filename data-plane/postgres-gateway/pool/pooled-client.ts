import type { Socket } from 'node:net'
import { refusalMessage, type Refusal } from '../refusals.ts'
import { bye } from '../farewell.ts'
import { readyForQuery } from '../shared/messages.ts'
import { refusalOf } from '../shared/server-login.ts'
import { handle } from './client-messages.ts'
import type { Holder, Link } from './link.ts'
import type { Login, ProjectPool } from './project-pool.ts'
import { applySql, isTracked, type Wanted } from './session-state.ts'
import { createOwnStatements } from './statements.ts'

const code = (letter: string) => letter.charCodeAt(0)
const terminate = code('X')
const sync = code('S')
/** Mean nothing outside of a transaction: the rest of a COPY that has failed, and a request to send what there is. */
const stray = new Set('dcfH'.split('').map(code))
const nothing: Buffer = Buffer.alloc(0)
/** As the server's own. */
const longestMessage = 2 ** 30
/** A client that waits for a connection may have sent this much. */
const mostWaiting = 64 * 1024

const shuttingDown: Refusal = {
  code: '57P01',
  message: 'terminating connection due to administrator command',
}

/**
 * A client in transaction mode. It is lent a connection with the first message of a transaction, and gives it back with the answer
 * to the last.
 */
export function createPooledClient(
  socket: Socket,
  pool: ProjectPool,
  login: Login,
  wanted: Wanted,
) {
  const own = createOwnStatements(pool.statements)
  let link: Link | undefined
  let stopWaiting: (() => void) | undefined
  let input = nothing
  /** Of a message that goes on, or is passed over, in pieces. */
  let left = 0
  let isLeaving = false
  /** It is to leave once its transaction is over. */
  let isDraining = false
  let isEnded = false

  const holder: Holder = {
    take: (bytes) => socket.write(bytes),
    parameter(name, value) {
      if (isTracked(name)) wanted.reported.set(name, value)
    },
    forgotten: () => own.clear(),
    ready(isIdle) {
      if (isLeaving) return isIdle ? finish() : end()
      if (isIdle && left === 0) {
        giveBack()
        if (isDraining) end(shuttingDown)
        else if (input.length > 0) pump()
      }
    },
    drained: () => void socket.resume(),
    lost() {
      link = undefined
      end()
    },
  }

  function giveBack(isLast = false): void {
    const given = link
    link = undefined
    if (given) pool.release(given, isLast ? undefined : holder)
  }
  /** Ends a client whose connection may go back. */
  function finish(): void {
    giveBack(true)
    end()
  }
  /** Ends a client, and what it has under way. */
  function end(refusal?: Refusal): void {
    if (isEnded) return
    isEnded = true
    stopWaiting?.()
    own.clear()
    const given = link
    link = undefined
    if (given?.isIdle()) pool.release(given)
    else given?.abort()
    if (refusal) bye(socket, refusalMessage(refusal))
    else bye(socket, nothing)
  }

  /** Waits for a connection, and has it as this client wants it. */
  function borrow(then: () => void): void {
    if (stopWaiting) return
    let isHere = false
    const stop = pool.acquire(login, {
      client: holder,
      onLink(given) {
        isHere = true
        stopWaiting = undefined
        link = given
        given.attach(holder)
        const sql = applySql(wanted, given.parameters)
        if (sql !== undefined)
          given.own(sql, (failed) => {
            if (failed && link === given) end(refusalOf(failed))
          })
        socket.resume()
        then()
      },
      onRefused(refusal) {
        isHere = true
        stopWaiting = undefined
        end(refusal)
      },
    })
    if (!isHere) stopWaiting = stop
  }

  function pump(): void {
    let at = 0
    let from = 0
    const flush = () => {
      if (at > from) link?.write(input.subarray(from, at))
      from = at
    }
    link?.cork()
    const corked = link
    while (at < input.length && !isEnded && !isLeaving) {
      if (left > 0) {
        const part = Math.min(left, input.length - at)
        at += part
        left -= part
        if (!link) from = at
        continue
      }
      if (input.length - at < 5) break
      const kind = input[at] ?? 0
      const length = input.readInt32BE(at + 1) + 1
      if (length < 5 || length > longestMessage) {
        end({ code: '08P01', message: 'invalid message length' })
        break
      }
      if (kind === terminate) {
        isLeaving = true
        at = input.length
        break
      }
      if (!link) {
        if (kind === sync || stray.has(kind)) {
          if (kind === sync) socket.write(readyForQuery)
          left = length
          continue
        }
        break
      }
      const outcome = handle(input, at, length, link, own, flush)
      if (outcome === 'wait') break
      if (outcome === 'pass') left = length
      else if (outcome === 'replaced') {
        at += length
        from = at
      } else if ('failure' in outcome) {
        end({ code: outcome.code, message: outcome.failure })
        break
      } else {
        link.write(outcome.head)
        at += outcome.length
        from = at
        left = length - outcome.length
      }
    }
    if (isEnded) {
      input = nothing
      corked?.uncork()
      return
    }
    if (isLeaving) from = at
    flush()
    corked?.uncork()
    // What is kept of a large chunk would keep all of it.
    input = at === input.length ? nothing : Buffer.from(input.subarray(at))
    if (isLeaving) return leave()
    if (!link && input.length >= 5) borrow(pump)
    if (link ? link.isFull() : input.length > mostWaiting) socket.pause()
  }
  function leave(): void {
    if (link?.isOwing()) return
    if (link && !link.isIdle()) return end()
    finish()
  }

  return {
    /** Lets the client speak; `rest` is what it has said already. */
    begin(rest: Buffer): void {
      input = rest
      socket.on('data', (chunk) => {
        if (isEnded || isLeaving) return
        input = input.length === 0 ? chunk : Buffer.concat([input, chunk])
        pump()
      })
      socket.on('drain', () => link?.resume())
      socket.once('end', () => end())
      socket.once('close', () => end())
      socket.resume()
      if (input.length > 0) pump()
    },
    /** Has a connection, as this client wants it, before it is let in; `then` hears its settings. */
    tryOut(then: (parameters: ReadonlyMap<string, string>) => void): void {
      borrow(() => {
        const given = link
        given?.own('', (failed) => {
          if (failed || link !== given) return
          for (const name of wanted.reported.keys())
            wanted.reported.set(name, given.parameters.get(name) ?? '')
          const now = new Map(given.parameters)
          giveBack()
          then(now)
        })
      })
    },
    /** Cancels what runs for this client. */
    cancel: async () => {
      if (link?.isOwing()) await link.cancel()
    },
    /** Ends it once its transaction is over. */
    drain(): void {
      if (link) isDraining = true
      else end(shuttingDown)
    },
    end,
    isEnded: () => isEnded,
  }
}
export type PooledClient = ReturnType<typeof createPooledClient>
