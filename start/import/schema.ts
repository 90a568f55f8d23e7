import { quoteIdent } from '#contract/ddl/sql-text'
import { applyOne, applyPieces, type Failure } from './apply.ts'
import type { Piece } from './catalog/reading.ts'
import type { LeftOut } from './report.ts'
import type { Run } from './parts.ts'
import { readExtensions, readLeft, readPieces } from './source-store.ts'
import { extensionsHere } from './target-store.ts'

/** Services of the platform in the place of extensions: what they do is there without them. */
const inPlace: Readonly<Record<string, string>> = {
  pgsodium: 'nothing of it is left to open here',
}

/** Extensions first: types and functions of theirs are named everywhere. */
export async function importExtensions({ source, target, state, report, isRehearsal }: Run) {
  const here = await extensionsHere(target)
  const pieces: Piece[] = []
  for (const { name, schema } of await readExtensions(source)) {
    const installed = here.get(name)
    report.count('schema', 'extension', { found: 1 })
    if (installed === undefined) {
      const why = inPlace[name]
      const reason = `not available here${why === undefined ? '' : `; ${why}`}`
      report.leave('schema', 'extension', name, reason)
    } else if (installed) report.count('schema', 'extension', { before: 1 })
    else {
      // Where the source has it, because that is how its functions are called.
      const sql = [
        `create schema if not exists ${quoteIdent(schema)}`,
        `create extension ${quoteIdent(name)} with schema ${quoteIdent(schema)} cascade`,
      ]
      pieces.push({ kind: 'extension', name, sql: schema === 'public' ? sql.slice(1) : sql })
    }
  }
  if (isRehearsal) return
  const { made, failed } = await applyPieces(target, state, pieces)
  report.count('schema', 'extension', { imported: made.length })
  for (const { piece, reason } of failed) report.leave('schema', 'extension', piece.name, reason)
}

/** Everything that has to be there for rows, and who may see them. */
export async function importBefore(run: Run): Promise<void> {
  await importExtensions(run)
  const pieces = await readPieces(run.source, run.asked, 'before')
  for (const failure of await make(run, pieces)) leave(run, failure)
  for (const { kind, name, reason } of await readLeft(run.source, run.asked))
    run.report.leave('schema', kind, name, reason)
}

/** Everything that is checked against rows, or acts on them. Returns what is worth another try once files are there. */
export async function importAfter(run: Run): Promise<Failure[]> {
  return make(run, await readPieces(run.source, run.asked, 'after'))
}

/** What a check or a foreign key says of rows that break it in the source as well. */
const isBroken = ({ piece, code }: Failure) =>
  (piece.kind === 'foreign key' && code === '23503') || (piece.kind === 'check' && code === '23514')

export async function finishAfter(run: Run, failures: readonly Failure[]): Promise<void> {
  const { target, state, report } = run
  const { made, failed } = await applyPieces(
    target,
    state,
    failures.map(({ piece }) => piece),
  )
  for (const { kind } of made) report.count('schema', kind, { imported: 1 })
  for (const failure of failed) {
    const { piece } = failure
    const sql = piece.sql.map((statement) => `${statement} not valid`)
    if (!isBroken(failure) || (await applyOne(target, state, { ...piece, sql }))) {
      leave(run, failure)
      continue
    }
    report.count('schema', piece.kind, { imported: 1 })
    const reason = `made, but not valid: some rows break it (${failure.reason})`
    const left: LeftOut[] = [{ part: 'schema', kind: piece.kind, name: piece.name, reason }]
    await state.note(piece.kind, piece.name, { left })
    report.leaveAll(left)
  }
}

async function make(run: Run, pieces: readonly Piece[]): Promise<Failure[]> {
  const { target, state, report, isRehearsal, notify } = run
  for (const { kind } of pieces) report.count('schema', kind, { found: 1 })
  if (isRehearsal) return []
  const { made, before, failed } = await applyPieces(target, state, pieces)
  for (const { kind } of made) report.count('schema', kind, { imported: 1 })
  for (const { kind } of before) report.count('schema', kind, { before: 1 })
  notify(`schema: ${made.length} made, ${before.length} before, ${failed.length} not yet`)
  return failed
}

function leave({ report }: Run, { piece, reason }: Failure): void {
  report.leave('schema', piece.kind, piece.name, reason)
  if (reason.includes('supabase_functions'))
    report.advise(
      'enable database webhooks (Integrations, Database webhooks), then run the import again: triggers that call them are made then',
    )
}
