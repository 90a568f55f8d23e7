import type { ScriptItem } from '#contract/sql-script'

/** Statements that are sent before the answers of the ones before them have come, at a time. */
const mostAtOnce = 200
/** Characters of them, so that little of a script is on its way when it is stopped. */
const mostCharacters = 500_000

type Item = Pick<ScriptItem, 'meta' | 'takesData' | 'text' | 'words'>

const sameInBlock = new Set(
  'insert update delete merge select values table with truncate comment grant revoke'.split(' '),
)
/** Of these, all but what is done outside of transactions or for the whole server. */
const definitions = new Set(['create', 'alter', 'drop'])
const alone = new Set(['database', 'tablespace', 'subscription', 'system', 'concurrently'])
/** Behind SET: what is about the transaction itself. */
const aboutTransaction = new Set(['local', 'transaction', 'session', 'constraints'])

/**
 * Whether a statement does the same in a transaction block of its own as it does without one, so that many can be sent
 * at once. What opens, ends or needs a transaction does not; in doubt it is sent alone.
 */
export function canBePipelined({ meta, takesData, text, words }: Item): boolean {
  const [first = '', second = ''] = words
  if (meta || takesData || text.length > mostCharacters) return false
  // The two protocols refuse such a number in different words.
  if (/\$\d/.test(text)) return false
  if (first === 'set') return !aboutTransaction.has(second)
  if (definitions.has(first)) return !words.some((word) => alone.has(word))
  return sameInBlock.has(first)
}

/** What of a script is sent together next: one item, or several where `isAllowed` and they can be. Nothing at its end. */
export async function nextGroup<T extends Item>(
  items: Lookahead<T>,
  isAllowed: boolean,
): Promise<T[]> {
  const first = await items.next()
  if (!first) return []
  const group = [first]
  let characters = first.text.length
  if (!isAllowed || !canBePipelined(first)) return group
  while (group.length < mostAtOnce) {
    const more = await items.peek()
    if (!more || !canBePipelined(more)) break
    characters += more.text.length
    if (characters > mostCharacters) break
    group.push(more)
    await items.next()
  }
  return group
}

export type Lookahead<T> = ReturnType<typeof lookahead<T>>

/** A sequence of which the next one can be seen before it is taken. */
export function lookahead<T>(items: AsyncIterable<T> | Iterable<T>) {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let seen: { value: T | undefined } | undefined
  const peek = async (): Promise<T | undefined> => {
    if (!seen) {
      const { done, value } = await source.next()
      seen = { value: done ? undefined : value }
    }
    return seen.value
  }
  return {
    peek,
    async next(): Promise<T | undefined> {
      const value = await peek()
      seen = undefined
      return value
    },
    /** Nothing more is taken. */
    async close(): Promise<void> {
      await source.return?.()
    },
  }
}
