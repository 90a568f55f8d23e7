import { expect, test } from 'vitest'
import type { DiskUsage } from '#contract/projects/disk'
import { diskBanner, quotaBanner, timeOf } from './disk.ts'

const megabyte = 1024 ** 2
const usage = (more: Partial<DiskUsage>): DiskUsage => ({
  measured_at: '2026-11-25T10:00:00.000Z',
  database_bytes: 460 * megabyte,
  other_bytes: 0,
  limit_bytes: 500 * megabyte,
  state: 'near',
  writable_until: null,
  ...more,
})

test('nothing is said while there is space, or no limit', () => {
  expect(diskBanner('Books', usage({ state: 'ok' }))).toBeUndefined()
  expect(diskBanner('Books', usage({ state: 'full', limit_bytes: null }))).toBeUndefined()
})

test('what is said says how much there is, and what follows', () => {
  expect(diskBanner('Books', usage({}))).toEqual({
    variant: 'warning',
    title: 'Database almost full',
    text: 'Books has 460 MB in its database, and its plan includes 500 MB. Beyond that it can only be read.',
  })
  expect(diskBanner('Books', usage({ state: 'full', database_bytes: 512 * megabyte }))).toEqual({
    variant: 'danger',
    title: 'Database full',
    text: 'Books has 512 MB in its database, and its plan includes 500 MB. It can only be read.',
  })
  const until = new Date(2026, 10, 25, 9, 5).toISOString()
  expect(diskBanner('Books', usage({ state: 'full', writable_until: until }))).toMatchObject({
    variant: 'warning',
    text: expect.stringContaining('Writes are allowed until 09:05.'),
  })
  expect(timeOf(until)).toBe('09:05')
})

test('beyond a quota SQL can only read, or write until a moment that is told', () => {
  expect(quotaBanner('Books', null)).toMatchObject({
    title: 'SQL can only read',
    text: expect.stringContaining('SQL cannot change Books'),
  })
  const until = new Date(2026, 10, 25, 14, 5).toISOString()
  expect(quotaBanner('Books', until)).toMatchObject({
    title: 'SQL can write',
    text: expect.stringContaining('allowed until 14:05'),
  })
})
