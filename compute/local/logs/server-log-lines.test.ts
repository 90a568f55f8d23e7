import { expect, it } from 'vitest'
import { entriesOf } from './server-log-lines.ts'

const line = (rest: string, { user = 'postgres', application = 'r:abc', number = 3 } = {}) =>
  `2026-11-27 03:04:05.678 UTC\t4711\t692abc.1267\t${number}\t2026-11-27 03:04:00 UTC\tclient backend\t42P01\t3/12\t0\t-77\tSELECT\t[local]\t${user}\tpostgres\t${application}\t${rest}\n`

it('reads an entry with all that the server says of it', () => {
  const text =
    line('ERROR:  relation "x" does not exist at character 15') +
    line('DETAIL:  More of it', { number: 4 }) +
    line('HINT:  Look there', { number: 5 })
  expect(entriesOf(text)).toEqual([
    {
      id: '692abc.1267-3',
      timestamp: Date.UTC(2026, 10, 27, 3, 4, 5, 678) * 1000,
      severity: 'ERROR',
      message: 'relation "x" does not exist at character 15',
      detail: 'More of it',
      hint: 'Look there',
      session_id: '692abc.1267',
      session_line_num: 3,
      process_id: 4711,
      session_start_time: '2026-11-27 03:04:00 UTC',
      backend_type: 'client backend',
      sql_state_code: '42P01',
      virtual_transaction_id: '3/12',
      query_id: '-77',
      command_tag: 'SELECT',
      connection_from: '[local]',
      user_name: 'postgres',
      database_name: 'postgres',
      application_name: 'r:abc',
    },
  ])
})

it('keeps the line breaks of a message, and takes none of them for another entry', () => {
  const forged = line('FATAL:  forged').trimEnd()
  const text = line(`ERROR:  first\n\t${forged}\n\tthird`)
  expect(entriesOf(text)).toMatchObject([{ severity: 'ERROR', message: `first\n${forged}\nthird` }])
})

it('passes over what is no entry, and goes on behind it', () => {
  const old = '2026-11-27 03:04:05.678 UTC [12] postgres@postgres ERROR:  of an earlier version\n'
  const text = `${old}library: something\n${line('LOG:  ready')}\tof nobody\n\n`
  expect(entriesOf(text)).toMatchObject([{ severity: 'LOG', message: 'ready\nof nobody' }])
})

it('keeps the order of entries of one millisecond', () => {
  const entries = entriesOf(line('LOG:  a', { number: 1 }) + line('LOG:  b', { number: 2 }))
  expect(entries.map(({ timestamp }) => timestamp % 1000)).toEqual([0, 1])
})

it('is not misled by names with a tab in them', () => {
  expect(entriesOf(line('LOG:  a', { user: 'x\ty' }))).toEqual([])
})
