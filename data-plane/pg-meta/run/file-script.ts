import type { SqlError } from '#contract/database/sql/sql-query'
import { endOfData, readItem } from '#contract/database/sql/sql-script'
import { createLineCounter } from '#contract/database/sql/sql-statements'
import { sqlError } from '../sql-errors.ts'
import type { PieceQueue } from './piece-queue.ts'
import type { Refusal, RunItem, Script } from './run-session.ts'

/** Characters of the longest statement that is put together from pieces of a file. */
const longestStatement = 64_000_000

/** A file that comes in pieces, as a script. */
export const fileScript = (queue: PieceQueue): Script => ({
  items: fileItems(queue.read()),
  describe: (error, item) => placed(sqlError(error, item.text), item),
})

/** Lines count from the beginning of the file, which is not kept. */
function placed(error: SqlError, { line: first }: RunItem): SqlError {
  const { position: _, line, ...rest } = error
  if (line === undefined) return rest
  const real = first + line - 1
  const formattedError = rest.formattedError.replace(
    new RegExp(`\\nLINE ${line}: (.*)\\n`),
    // What points at a place in the line moves as the line does.
    (_, text: string) => `\nLINE ${real}: ${text}\n${' '.repeat(digits(real) - digits(line))}`,
  )
  return { ...rest, line: real, formattedError }
}

const digits = (number: number) => String(number).length

/**
 * The items of a file. No more of it is held than the statement that is read now, and of the data of a COPY a piece.
 * Whoever takes an item with data has read them, or will read no more, when the next one is asked for.
 */
export async function* fileItems(
  pieces: AsyncIterable<string>,
  longest = longestStatement,
): AsyncGenerator<RunItem> {
  const text = createWindow(pieces)
  for (;;) {
    const { item, next, data, isWhole } = readItem(text.buffer(), text.at())
    const problem = text.problem() ?? (isWhole || text.length() <= longest ? undefined : tooLong)
    if (problem) {
      yield { ...nothing, refused: problem, ...text.place(text.at()) }
      return
    }
    if (!isWhole && !text.isAll()) {
      await text.grow()
      continue
    }
    if (item) {
      const { start, end } = item
      const known = { ...item, ...text.place(start), end: text.offset() + end, values: [] }
      text.goTo(data ?? next)
      const copyIn = data === undefined ? undefined : dataLines(text)
      yield { ...known, ...(copyIn ? { copyIn } : {}) }
      if (copyIn) for await (const _ of copyIn) continue
    } else text.goTo(next)
    if (text.length() === 0 && text.isAll() && !text.problem()) return
  }
}

const nothing = { text: '', end: 0, words: [], values: [] }
const tooLong: Refusal = {
  code: '54000',
  message: 'A statement of this file is too long to be run',
}

type Window = ReturnType<typeof createWindow>

/** The part of a file that is looked at. */
function createWindow(pieces: AsyncIterable<string>) {
  const source = pieces[Symbol.asyncIterator]()
  let buffer = ''
  /** Where the buffer begins in the file, in UTF-16 units and lines. */
  let offset = 0
  let line = 1
  let at = 0
  let isAll = false
  let problem: Refusal | undefined
  let lineAt = createLineCounter('')

  /** One more piece. What has been read is let go, but for the line break that a data mark stands behind. */
  async function add(): Promise<void> {
    const cut = Math.max(0, at - 1)
    line = lineAt(cut)
    offset += cut
    at -= cut
    try {
      const { done, value } = await source.next()
      isAll = done === true
      buffer = buffer.slice(cut) + (done ? '' : value)
    } catch (error) {
      problem = { code: '08000', message: error instanceof Error ? error.message : String(error) }
      isAll = true
      buffer = buffer.slice(cut)
    }
    lineAt = createLineCounter(buffer, line)
  }
  return {
    buffer: () => buffer,
    at: () => at,
    isAll: () => isAll,
    /** Why the rest of it will not come. */
    problem: () => problem,
    offset: () => offset,
    length: () => buffer.length - at,
    add,
    /** Twice as much: a long statement is not read from its beginning with every piece. */
    async grow(): Promise<void> {
      const needed = 2 * (buffer.length - at)
      do await add()
      while (!isAll && buffer.length - at < needed)
    },
    goTo(next: number) {
      at = Math.min(next, buffer.length)
    },
    place: (start: number) => ({ start: offset + start, line: lineAt(start) }),
  }
}

/** The data from here up to their mark, or to the end of the file. */
async function* dataLines(text: Window): AsyncGenerator<string> {
  for (;;) {
    const buffer = text.buffer()
    const at = text.at()
    const found = endOfData(buffer, at)
    // At the very end of what is here, the line of the mark may go on.
    if (found && (found.next < buffer.length || text.isAll())) {
      text.goTo(found.next)
      yield buffer.slice(at, found.end)
      return
    }
    const problem = text.problem()
    if (problem) throw new Error(problem.message)
    if (text.isAll()) {
      text.goTo(buffer.length)
      yield buffer.slice(at)
      return
    }
    const end = Math.max(at, buffer.lastIndexOf('\n') + 1)
    text.goTo(end)
    if (end > at) yield buffer.slice(at, end)
    await text.add()
  }
}
