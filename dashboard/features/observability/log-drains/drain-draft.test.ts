import { expect, test } from 'vitest'
import {
  logDrainConfigs,
  logDrainSecrets,
  logDrainTypes,
  type LogDrain,
} from '#contract/observability/log-drain-shapes'
import { destinationOf, destinations } from './destinations.ts'
import { configOf, draftOf, isSet, problemsIn, problemsOf, withHeader } from './drain-draft.ts'

const loki = destinationOf('loki')
const drain: LogDrain = {
  token: '11111111-1111-4111-8111-111111111111',
  name: 'Loki',
  description: '',
  type: 'loki',
  config: { url: 'https://loki.example', username: 'me', password: '', headers: { 'X-Key': '' } },
  enabled: true,
  inserted_at: '',
  updated_at: '',
  state: {
    delivered_until: null,
    last_success_at: null,
    failing_since: null,
    last_error: null,
    next_attempt_at: null,
    events: 0,
    bytes: 0,
    lost: 0,
  },
}

test('there is a form for each type, with each of its fields, and secrets are hidden', () => {
  expect(destinations.map(({ type }) => type).toSorted()).toEqual([...logDrainTypes].toSorted())
  for (const { type, fields, hasHeaders } of destinations) {
    const known = Object.keys(logDrainConfigs[type].shape)
    const asked = [...fields.map(({ name }) => name), ...(hasHeaders ? ['headers'] : [])]
    // What has one value only is not asked for.
    const missing = known.filter((name) => !asked.includes(name) && name !== 'protocol')
    expect([type, missing]).toEqual([type, []])
    const hidden = fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name)
    const secrets = logDrainSecrets[type].filter((name) => name !== 'headers')
    expect(hidden).toEqual(secrets)
  }
})

test('what a new form says, its server takes once it is filled', () => {
  for (const destination of destinations) {
    const draft = draftOf(destination, undefined)
    const open = problemsIn(destination, draft, undefined)
    const values = { ...draft.values }
    for (const name of Object.keys(open))
      values[name] = /url|endpoint|dsn/.test(name) ? 'https://key@host.example/1' : 'eu-1'
    if (destination.type !== 'sentry')
      for (const name of ['url', 'endpoint'])
        if (name in open) values[name] = 'https://host.example'
    const filled = { ...draft, name: 'x', values }
    expect(problemsIn(destination, filled, undefined)).toEqual({})
    const result = logDrainConfigs[destination.type].safeParse(configOf(destination, filled))
    expect([destination.type, result.error?.issues]).toEqual([destination.type, undefined])
  }
})

test('secrets that are set stay unless something is typed', () => {
  const draft = draftOf(loki, drain)
  expect(isSet(drain, 'password')).toBe(true)
  expect(problemsIn(loki, draft, drain)).toEqual({})
  expect(configOf(loki, draft, drain)).toEqual({
    url: 'https://loki.example',
    username: 'me',
    headers: { 'X-Key': '' },
  })
  const typed = { ...draft, values: { ...draft.values, password: ' new ' } }
  expect(configOf(loki, typed, drain)).toMatchObject({ password: ' new ' })
  const nobody = { ...draft, values: { ...draft.values, username: '' } }
  expect(configOf(loki, nobody, drain)).toMatchObject({ password: null })
  expect(configOf(loki, nobody)).not.toHaveProperty('password')
})

test('headers without a name, or with the same one, are found; rows that are empty are none', () => {
  const draft = withHeader(draftOf(loki, drain))
  expect(problemsIn(loki, draft, drain)).toEqual({})
  expect(configOf(loki, draft, drain)['headers']).toEqual({ 'X-Key': '' })
  const [first, second] = draft.headers
  if (!first || !second) throw new Error('There are two rows')
  const withSecond = (part: object) => ({ ...draft, headers: [first, { ...second, ...part }] })
  expect(problemsIn(loki, withSecond({ value: 'x' }), drain)).toEqual({
    headers: 'Give each header a name',
  })
  expect(problemsIn(loki, withSecond({ name: 'x-key', value: 'x' }), drain)).toEqual({
    headers: 'A header is there twice',
  })
})

test('what the server says stands at its field', () => {
  expect(
    problemsOf(
      'config.url: must be an address; config.headers.X-Key: Enter it again: the address has changed; name: has none',
      loki,
    ),
  ).toEqual({
    url: 'It must be an address',
    headers: 'X-Key: Enter it again: the address has changed',
    name: 'It has none',
  })
  expect(problemsOf('Log drains are available on the Team plan and above', loki)).toEqual({
    '': 'Log drains are available on the Team plan and above',
  })
  expect(problemsOf('config.more: is unknown', loki)).toEqual({ '': 'Config.more: is unknown' })
})
