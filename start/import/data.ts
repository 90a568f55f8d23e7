import { refusalOf } from './apply.ts'
import { copyRows, openCopies, type Copies } from './copies.ts'
import {
  copyInSql,
  copyOutSql,
  countRows,
  keyAhead,
  readSequences,
  readTables,
  sequenceValue,
  setSequence,
  tableSql,
  targetTable,
  withoutTriggers,
  type Table,
} from './data-store.ts'
import type { LeftOut } from './report.ts'
import type { Run } from './parts.ts'
import { attempt } from './source-store.ts'
import { inTransaction } from './state-store.ts'

/** How far a table is: the key of the last row that is here, and how many there are. */
type Progress = { rows: number; key: string[] | null; whole: boolean }

function progressOf(detail: Record<string, unknown> | undefined): Progress | undefined {
  if (!detail) return undefined
  const { rows, key, whole } = detail
  return {
    rows: Number(rows ?? 0),
    key: Array.isArray(key) ? key.map(String) : null,
    whole: whole === true,
  }
}

/** Rows of all tables, part by part, and then where each sequence is. */
export async function importData(run: Run): Promise<void> {
  const { source, report, asked, isRehearsal } = run
  const tables = await readTables(source, asked.schemas)
  report.count('data', 'table', { found: tables.length })
  if (isRehearsal) return
  const copies = await openCopies(run)
  try {
    for (const table of tables) await importTable(run, copies, table)
  } finally {
    await copies.end()
  }
  await importSequences(run)
}

async function importTable(run: Run, copies: Copies, table: Table): Promise<void> {
  const { source, target, state, report, notify } = run
  const name = tableSql(table)
  const leave = (reason: string) => report.leave('data', 'rows', name, reason)
  const known = progressOf(await state.find('rows', name))
  if (known?.whole) return report.count('data', 'table', { before: 1 })
  if (!known) {
    const there = await targetTable(target, table)
    if (there === 'absent') return leave('its table is not there')
    if (there === 'filled') return leave('its table has rows already, which are kept as they are')
  }
  if (known) notify(`data: ${name} goes on after ${known.rows} rows`)
  let progress: Progress = known ?? { rows: 0, key: null, whole: table.columns.length === 0 }
  // Rows without columns are nothing that can be copied, or missed.
  if (progress.whole) await state.note('rows', name, progress)
  while (!progress.whole) {
    const next = await copyPart(run, copies, table, progress)
    if (typeof next === 'string') return leave(`after ${progress.rows} rows: ${next}`)
    report.count('data', 'row', { imported: next.rows - progress.rows })
    progress = next
    notify(`data: ${name}, ${progress.rows} rows`)
  }
  report.count('data', 'table', { imported: 1 })
  const [found, here] = [await countRows(source, table), await countRows(target, table)]
  report.count('data', 'row', { found })
  if (found === here) return
  const reason = `the source has ${found} rows and the target ${here}: they were changed meanwhile`
  const left: LeftOut[] = [{ part: 'data', kind: 'rows', name, reason }]
  await state.note('rows', name, { ...progress, left })
  report.leaveAll(left)
}

/** One part, all of it or nothing, with the note of how far the table is. Returns why not when the database refuses a row. */
async function copyPart(
  { target, state, partRows }: Run,
  copies: Copies,
  table: Table,
  { rows, key }: Progress,
): Promise<Progress | string> {
  const source = copies.session()
  try {
    const upTo = (await keyAhead(source, table, key, partRows)) ?? null
    return await inTransaction(target, async () => {
      await target.query(withoutTriggers)
      const copied = await copyRows(source, copyOutSql(table, key, upTo), target, copyInSql(table))
      const progress = { rows: rows + copied, key: upTo, whole: upTo === null }
      await state.note('rows', tableSql(table), progress)
      return progress
    })
  } catch (error) {
    const { reason } = refusalOf(error)
    await copies.renew()
    return reason
  }
}

/** Once: a project that is in use already counts on by itself. */
async function importSequences({ source, target, state, report, asked }: Run): Promise<void> {
  const sequences = await readSequences(source, asked.schemas)
  report.count('data', 'value of a sequence', { found: sequences.length })
  for (const sequence of sequences) {
    const name = tableSql(sequence)
    if (await state.find('value', name)) {
      report.count('data', 'value of a sequence', { before: 1 })
      continue
    }
    try {
      const value = await attempt(source, () => sequenceValue(source, sequence))
      if (!value) continue
      await inTransaction(target, async () => {
        await setSequence(target, sequence, value)
        await state.note('value', name)
      })
      report.count('data', 'value of a sequence', { imported: 1 })
    } catch (error) {
      report.leave('data', 'value of a sequence', name, refusalOf(error).reason)
    }
  }
}
