import { expect, test } from 'vitest'
import { projectStatuses } from '#contract/projects/project-status'
import { detailInterval } from './project-status.ts'

test('details are polled every 5 s while coming up, unknown or without a connection string, and never otherwise', () => {
  for (const status of projectStatuses) {
    expect(detailInterval({ status, connectionString: null })).toBe(5_000)
    const settling = status === 'COMING_UP' || status === 'UNKNOWN'
    expect(detailInterval({ status, connectionString: 'x' })).toBe(settling ? 5_000 : false)
  }
  expect(detailInterval(undefined)).toBe(false)
})
