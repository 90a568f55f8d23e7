import { expect, test } from 'vitest'
import { executorOf, placeOf } from './executor.ts'

test.each([
  ['its own', 'postgres://plinth:secret@localhost:5432/plinth?host=%2Fhome%2Fsockets%2Fplatform'],
  ['none yet', undefined],
])('a control plane whose database is %s needs no name', (_, platformDatabaseUrl) => {
  expect(executorOf({ port: 8000, platformDatabaseUrl })).toBeUndefined()
})

test.each(['postgres://plinth:secret@db.example.com/plinth', 'postgres://db.example.com/a?host=b'])(
  'one that may share it, %s, has the name of its place',
  (platformDatabaseUrl) => {
    const config = { port: 8000, platformDatabaseUrl }
    expect(executorOf(config)).toBe(placeOf(config))
    expect(placeOf(config)).toMatch(/^.+:8000$/)
  },
)
