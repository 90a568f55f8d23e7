import type { ScriptItem } from '#contract/database/sql/sql-script'

/** Statements that are sent before the answers of the ones before them have come, at a time. */
const maxAtOnce = 200
/** Characters of them, so that little of a script is on its way when it is stopped. */
const maxCharacters = 500_000

type Item = Pick<ScriptItem, 'meta' | 'takesData' | 'text' | 'words'> & { refused?: unknown }

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
export function canBePipelined({ meta, takesData, text, words, refused }: Item): boolean {
  const [first = '', second = ''] = words
  if (meta || takesData || refused || text.length > maxCharacters) return false
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
  while (group.length < maxAtOnce) {
    const more = await items.peekSoon()
    if (!more || !canBePipelined(more)) break
    characters += more.text.length
    if (characters > maxCharacters) break
    group.push(more)
    await items.next()
  }
  return group
}

export type Lookahead<T> = ReturnType<typeof lookahead<T>>

/** How long what could go is kept back for what may come behind it, in milliseconds. */
const soonMs = 5

/** A sequence of which the next one can be seen before it is taken. */
export function lookahead<T>(items: AsyncIterable<T> | Iterable<T>) {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let seen: Promise<T | undefined> | undefined
  const look = async (): Promise<T | undefined> => {
    const { done, value } = await source.next()
    return done ? undefined : value
  }
  const peek = () => (seen ??= look())
  return {
    /** Nothing as well when it takes its time to come. */
    async peekSoon(): Promise<T | undefined> {
      const { promise, end } = timeout(soonMs)
      const next = await Promise.race([peek(), promise])
      end()
      return next
    },
    next(): Promise<T | undefined> {
      const value = peek()
      seen = undefined
      return value
    },
    /** Nothing more is taken. One that is awaited still comes, to nobody. */
    close(): void {
      void Promise.resolve(source.return?.()).catch(() => undefined)
    },
  }
}

function timeout(ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const promise = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), ms)
  })
  return { promise, end: () => clearTimeout(timer) }
}
