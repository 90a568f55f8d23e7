import type { Statement } from './statements.ts'

/** An answer that the server still owes, to a message of a client or of ours. */
export type Expected = {
  kind: 'parse' | 'bind' | 'describe' | 'execute' | 'close' | 'sync' | 'query' | 'copyEnd'
  /** The client does not hear of it. */
  ours?: boolean
  statement?: Statement
  /** It was not carried out. */
  undo?: () => void
  /** Of a query of ours: whether it went well. */
  done?: (failure: Buffer | undefined) => void
}

/**
 * The answers that a server owes, in order. From them follows whose answer a message is, and when nothing is owed any more, so that
 * the connection can be lent to somebody else.
 */
export function createExpected() {
  const queue: Expected[] = []
  /** After an error the server passes over all messages until the next Sync. */
  let isSkipping = false
  /** Messages of the extended protocol have come without a Sync behind them. */
  let isUnsynced = false
  /** The server takes rows of a COPY, and passes over a Sync. */
  let isCopying = false
  let syncsInCopy = false
  /** How many answers are owed cannot be told for sure: nobody else gets this connection. */
  let isDoubtful = false

  const head = () => {
    while (queue[0]?.kind === 'copyEnd') queue.shift()
    return queue[0]
  }
  function failExtended(): boolean {
    const end = queue.findIndex(({ kind }) => kind === 'sync')
    const skipped = queue.splice(0, end < 0 ? queue.length : end)
    for (const { undo } of skipped.toReversed()) undo?.()
    if (end < 0) isSkipping = true
    return queue[0]?.ours === true
  }

  return {
    add(entry: Expected): void {
      const { kind } = entry
      if (kind === 'sync') {
        isUnsynced = false
        if (isCopying) {
          syncsInCopy = true
          return
        }
        isSkipping = false
      } else if (kind === 'copyEnd') {
        if (isCopying) isCopying = false
        else if (queue.length > 0) queue.push(entry)
        return
      } else {
        if (kind !== 'query') isUnsynced = true
        if (isSkipping) {
          entry.undo?.()
          return
        }
      }
      queue.push(entry)
    },
    head,
    shift: () => queue.shift(),
    /** An error has come; whether the client hears of it. */
    fail(): boolean {
      const first = head()
      if (!first) return true
      if (first.kind === 'query') {
        if (isCopying && syncsInCopy) isDoubtful = true
        isCopying = false
        return first.ours !== true
      }
      if (isCopying) isDoubtful = true
      isCopying = false
      return !failExtended()
    },
    /** The server waits for rows of a COPY. */
    copyIn(): void {
      const first = head()
      syncsInCopy = false
      for (let at = 1; at < queue.length;) {
        const { kind } = queue[at] ?? {}
        if (kind === 'copyEnd') {
          queue.splice(at, 1)
          return
        }
        if (kind === 'sync') {
          queue.splice(at, 1)
          syncsInCopy = true
        } else at++
      }
      isCopying = true
      if (first?.kind === 'execute') isUnsynced = true
    },
    /** The server is ready: answers the entry that this belongs to. */
    ready(): Expected | undefined {
      for (let entry = queue.shift(); entry; entry = queue.shift())
        if (entry.kind === 'sync' || entry.kind === 'query') return entry
      return undefined
    },
    /** Nothing is owed, and nothing is under way. */
    isSettled: () => head() === undefined && !isUnsynced && !isDoubtful,
    isOwing: () => head() !== undefined,
  }
}
