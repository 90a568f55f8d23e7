import { DatabaseError, type QueryConfig } from 'pg'
import type { Piece } from './catalog/reading.ts'
import type { Session } from './connections.ts'
import { inTransaction, type State } from './state-store.ts'

export type Failure = { piece: Piece; code: string; reason: string }
export type Applied = { made: Piece[]; before: Piece[]; failed: Failure[] }

/**
 * Makes pieces one by one, each in a transaction with the note that it is made. What fails is tried again as long as others
 * succeed: it may need one of them.
 * @throws what ends the session; a refusal of the database is a failure of its piece
 */
export async function applyPieces(
  target: Session,
  state: State,
  pieces: readonly Piece[],
): Promise<Applied> {
  const before = new Set<Piece>()
  for (const [kind, some] of byKind(pieces)) {
    const known = await state.known(
      kind,
      some.map(({ name }) => name),
    )
    for (const piece of some) if (known.has(piece.name)) before.add(piece)
  }
  const made: Piece[] = []
  let waiting = pieces.filter((piece) => !before.has(piece))
  for (;;) {
    const failed: Failure[] = []
    for (const piece of waiting) {
      const failure = await applyOne(target, state, piece)
      if (failure) failed.push(failure)
      else made.push(piece)
    }
    if (failed.length === 0 || failed.length === waiting.length)
      return { made, before: [...before], failed }
    waiting = failed.map(({ piece }) => piece)
  }
}

export async function applyOne(
  target: Session,
  state: State,
  piece: Piece,
): Promise<Failure | undefined> {
  try {
    await inTransaction(target, async () => {
      for (const text of piece.sql) await runOne(target, text)
      await state.note(piece.kind, piece.name)
    })
    return undefined
  } catch (error) {
    return { piece, ...refusalOf(error) }
  }
}

/** In the protocol that takes one statement at a time: whatever the source has said, no second one is carried out. */
async function runOne(target: Session, text: string): Promise<void> {
  const query: QueryConfig & { queryMode: 'extended' } = { text, queryMode: 'extended' }
  await target.query(query)
}

/** The session's end, a server that is full and a database that is read only are not about one piece. */
const ofTheServer = /^(?:08|25|53|57|58|XX)/

/** Why the database refused something, in a line. @throws what is no refusal of it */
export function refusalOf(error: unknown): { code: string; reason: string } {
  if (!(error instanceof DatabaseError) || ofTheServer.test(error.code ?? '08')) throw error
  const reason = error.message.replaceAll(/\s+/g, ' ').slice(0, 500)
  return { code: error.code ?? '', reason }
}

function byKind(pieces: readonly Piece[]): Map<string, Piece[]> {
  const kinds = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const some = kinds.get(piece.kind)
    if (some) some.push(piece)
    else kinds.set(piece.kind, [piece])
  }
  return kinds
}
