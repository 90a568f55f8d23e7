import { expect, test } from 'vitest'
import {
  colourLiterals,
  consoleInServers,
  mocks,
  readAgainTooLate,
  skippedTests,
  sqlFromTemplates,
  sqlOutsideStores,
  tooLong,
  unboundClients,
  wall,
} from './house.ts'
import { readSources, type Source } from './sources.ts'

const sources = readSources()

/** Every rule, a file that breaks it, and one that does not. */
const rules: [string, (sources: Source[]) => string[], Source, Source][] = [
  [
    'no file is longer than the wall',
    tooLong,
    { path: 'kit/a.ts', text: 'x\n'.repeat(wall + 1) },
    { path: 'kit/a.ts', text: 'x\n'.repeat(wall) },
  ],
  [
    'SQL stands only in stores',
    sqlOutsideStores,
    { path: 'control-plane/projects/projects/projects.ts', text: "await db.query('select 1')" },
    { path: 'control-plane/projects/projects/store.ts', text: "await db.query('select 1')" },
  ],
  [
    'no query is built from a template with values',
    sqlFromTemplates,
    { path: 'data-plane/auth/users/users-store.ts', text: 'db.query(`select ${name}`)' },
    { path: 'data-plane/auth/users/users-store.ts', text: 'db.query(`select $1`, [name])' },
  ],
  [
    'databases are reached by clients with bounds only',
    unboundClients,
    { path: 'data-plane/a.ts', text: "import { DatabaseError, Pool, type Client } from 'pg'" },
    { path: 'data-plane/a.ts', text: "import { DatabaseError, type Pool, type Client } from 'pg'" },
  ],
  [
    'nothing of ours is mocked',
    mocks,
    { path: 'kit/a.test.ts', text: "vi.mock('./b.ts')" },
    { path: 'kit/a.test.ts', text: 'vi.useFakeTimers()' },
  ],
  [
    'no test is skipped',
    skippedTests,
    { path: 'kit/a.test.ts', text: "test.skip('x', () => {})" },
    { path: 'kit/a.test.ts', text: "test('x', () => {})" },
  ],
  [
    'servers speak through the logger only',
    consoleInServers,
    { path: 'data-plane/app.ts', text: "console.log('x')" },
    { path: 'data-plane/app.ts', text: "log.info('x')" },
  ],
  [
    'colours are tokens',
    colourLiterals,
    { path: 'dashboard/ui/a.css', text: '.a { color: #ff0000; }' },
    { path: 'dashboard/ui/a.css', text: '.a { color: var(--text); }' },
  ],
  [
    'what a call changes is read again before anything follows',
    readAgainTooLate,
    {
      path: 'dashboard/a.tsx',
      text: 'useCall(x, { onSuccess: async () => {\n onClose()\n await forget(y)\n} })',
    },
    { path: 'dashboard/a.tsx', text: 'useCall(x, { changes: [y], onSuccess: () => onClose() })' },
  ],
]

test.each(rules)('%s', (_name, rule) => {
  expect(rule(sources)).toEqual([])
})

test.each(rules)('the rule works: %s', (_name, rule, bad, good) => {
  expect(rule([bad])).toHaveLength(1)
  expect(rule([good])).toEqual([])
})

test.each([
  'useCall(x, { onSuccess: () => forget(y) })',
  'useCall(x, {\n  onSuccess: async () => {\n    close()\n    void forgetList()\n  },\n})',
  'useCall(x, {\n  async onSuccess({ a }) {\n    await forget(y)\n  },\n})',
  'useCall(x, { onSuccess: () => queryClient.invalidateQueries(y) })',
  'const done = async () => {\n  close()\n  await forget(y)\n}\nuseCall(x, { onSuccess: done })',
  'async function done() {\n  await forget(y)\n}\nuseCall(x, { ...other, onSuccess: done, z })',
  'const onSuccess = () => forget(y)\nuseCall(x, { onSuccess })',
])('it is read again too late: %s', (text) => {
  expect(readAgainTooLate([{ path: 'dashboard/a.ts', text }])).toHaveLength(1)
})

test.each([
  'useCall(x, { onSettled: () => forget(y) })',
  'useCall(x, { onSuccess: () => close(), onError: () => forget(y) })',
  'useCall(x, { onSuccess: done })\nconst refresh = () => forget(y)',
  'useCall(x, { onSuccess: () => runs.forget(id) })',
  'useCall(x, {\n  onSuccess: () => {\n    // Shown already: by hand.\n    void forget(y)\n  },\n})',
])('it is not read again too late: %s', (text) => {
  expect(readAgainTooLate([{ path: 'dashboard/a.ts', text }])).toEqual([])
})
