import { describe, expect, test } from 'vitest'
import { migrationName } from '../editor/query-title.ts'
import { createParameterValues, namesIn } from '../running/parameter-values.ts'
import { toSql } from '../results/result-export.ts'
import { createLastRuns, historyEntry } from './run-history.ts'
import { afterEvent, begun, keptRows } from '../running/run-state.ts'
import type { RunView } from '../running/runs.ts'

const run = (more: Partial<RunView> = {}): RunView => ({
  id: 'r',
  queryId: 'q',
  sent: { sql: 'select :a', offset: 0, text: 'select :a' },
  options: {
    limit: 100,
    timeoutMs: 1000,
    readOnly: false,
    as: undefined,
    replica: undefined,
    parameters: { a: 'x'.repeat(20_000), b: null },
    explain: undefined,
    transaction: undefined,
    oneTransaction: false,
    file: undefined,
  },
  startedAt: 0,
  state: begun,
  failure: undefined,
  cancel: 'no',
  sentBytes: 0,
  ...more,
})
const query = { name: 'Mine', isSaved: false }

test('a run is written down as it begins, and as it ends', () => {
  const entry = historyEntry(run(), query)
  expect(entry).toMatchObject({ status: 'running', ms: null, rows: null, snippet_id: null })
  expect(entry.parameters['a']).toHaveLength(10_000)
  expect(entry.parameters['b']).toBeNull()
  const ended = { ...begun, phase: 'ended' as const, ms: 7 }
  expect(historyEntry(run({ state: ended }), { ...query, isSaved: true })).toMatchObject({
    status: 'done',
    ms: 7,
    snippet_id: 'q',
  })
  const broken = { state: ended, failure: new Error('gone') }
  expect(historyEntry(run(broken), query)).toMatchObject({ status: 'failed', error: 'gone' })
  expect(historyEntry(run({ ...broken, cancel: 'asked' }), query).status).toBe('cancelled')
})

test('a browser keeps the first rows of a result and counts the others', () => {
  let state = afterEvent(begun, {
    type: 'statement',
    index: 0,
    start: 0,
    end: 1,
    line: 1,
    limited_to: null,
  })
  const rows = Array.from({ length: 50_000 }, () => ['x'])
  for (let n = 0; n < 6; n++) state = afterEvent(state, { type: 'rows', index: 0, rows })
  expect(state.statements[0]).toMatchObject({ received: keptRows, arrived: 300_000 })
  expect(state.statements[0]?.rows).toHaveLength(keptRows)
})

test('values of parameters are remembered for their query; one that nobody gave is missing', () => {
  const area = new Map<string, string>()
  const store = {
    getItem: (k: string) => area.get(k) ?? null,
    setItem: (k: string, v: string) => void area.set(k, v),
  }
  const first = createParameterValues(store, 'ref')
  first.set('q', 'a', '')
  first.set('q', 'b', null)
  const again = createParameterValues(store, 'ref')
  expect(again.for('q', 'select :a, :b, :c, :toString')).toEqual({
    values: { a: '', b: null },
    missing: ['c', 'toString'],
  })
  expect(again.for('other', 'select :a').missing).toEqual(['a'])
  area.set('plinth.sql-editor-values-ref.broken', '{')
  expect(again.for('broken', 'select :a').missing).toEqual(['a'])
  expect(namesIn('select 1::int')).toEqual([])
})

test('a migration file is named by its moment and its words', () => {
  const at = new Date('2026-01-31T23:59:59.999Z')
  expect(migrationName('Create “Böoks” (copy)', at)).toBe('20260131235959_create_b_oks_copy.sql')
  expect(migrationName('名前', at)).toBe('20260131235959_query.sql')
})

test('rows copied as SQL are literals, whatever they hold', () => {
  const field = (name: string, type: string) => ({ name, type, type_id: 0, table_id: 0, column: 0 })
  const fields = [
    field('id', 'int4'),
    field('od"d', 'text'),
    field('on', 'bool'),
    field('n', 'numeric'),
  ]
  const rows = [
    ['1', "O'Reilly \\ ;drop", 't', 'NaN'],
    ['2', null, 'f', '1.50'],
  ]
  expect(toSql({ fields, rows })).toBe(
    `insert into table_name ("id", "od""d", "on", "n") values\n  (1,  E'O''Reilly \\\\ ;drop', true, 'NaN'),\n  (2, NULL, false, 1.50);\n`,
  )
  expect(toSql({ fields, rows: [] })).toBe('')
})

describe('last runs', () => {
  const area = (start?: string) => {
    let text = start ?? null
    return {
      getItem: () => text,
      setItem: (_key: string, value: string) => {
        text = value
      },
    }
  }
  const run = (id: string) => ({ id, queryId: 'q', name: id, failed: false, ms: 1 })

  test('the newest first, no more than eight, and again after a reload', () => {
    const storage = area()
    const runs = createLastRuns(storage, 'p')
    for (let i = 1; i <= 10; i += 1) runs.add(run(String(i)))
    expect(runs.list().map(({ id }) => id)).toEqual(['10', '9', '8', '7', '6', '5', '4', '3'])
    expect(createLastRuns(storage, 'p').list()).toEqual(runs.list())
  })

  test.each(['{', '{}', '[null, 3, {"name": 4}]'])('what is not ours is ignored: %s', (text) => {
    expect(createLastRuns(area(text), 'p').list()).toEqual([])
  })
})
