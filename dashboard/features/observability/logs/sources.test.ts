import { expect, test } from 'vitest'
import { logSources, logSourceTable } from '#contract/observability/log-sources'
import { exactMicros, spanText } from '../../../modules/logs/log-time.ts'
import { fieldOf, fieldsOf, insteadOf, slugOf, sourceOf } from './sources.ts'

test('an address leads to its source, and any other to none', () => {
  for (const source of logSources) expect(sourceOf(slugOf(source))).toBe(source)
  expect(sourceOf('edge_logs')).toBeUndefined()
  expect(sourceOf('constructor')).toBeUndefined()
})

test('a source that is not here leads to one that is', () => {
  for (const source of logSources)
    if (logSourceTable[source].absent !== undefined) {
      const instead = insteadOf[source]
      expect(instead && logSourceTable[instead].absent).toBeUndefined()
      expect(instead).toBeDefined()
    }
})

test('fields are named once in a source, and as people read them', () => {
  for (const source of logSources) {
    const keys = fieldsOf(source).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  }
  expect(fieldOf('postgres_logs', 'parsed.sql_state_code').name).toBe('SQL state code')
  expect(fieldOf('auth_audit_logs', 'severity').name).toBe('Action')
  expect(fieldOf('edge_logs', 'duration')).toMatchObject({ name: 'Duration', type: 'number' })
  expect(fieldOf('edge_logs', 'not.known').name).toBe('Known')
})

test('times say all that is known of them, and whose they are', () => {
  expect(exactMicros(Date.UTC(2026, 0, 8, 12) * 1000 + 1234)).toMatch(
    /^\d\d Jan 2026, \d\d:00:00\.001234 \([+-]\d\d:\d\d\)$/,
  )
  const noon = new Date(2026, 0, 8, 12).getTime()
  expect(spanText(noon, noon + 60_000)).toBe('08 Jan 12:00 to 12:01')
  expect(spanText(noon, noon + 86_400_000)).toBe('08 Jan 12:00 to 09 Jan 12:00')
  expect(spanText(noon, noon + 5000)).toBe('08 Jan 12:00:00 to 12:00:05')
})
