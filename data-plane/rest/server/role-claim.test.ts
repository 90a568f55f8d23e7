import { expect, test } from 'vitest'
import { parseRoleClaim, roleIn } from './role-claim.ts'

const claims = {
  role: 'one',
  app: { 'my roles': ['two', 'web_three', 'four_api'], 'https://x.example/role': 'five' },
  group: '/six',
}

test.each([
  ['.role', 'one'],
  ['.app."my roles"[0]', 'two'],
  ['.app."https://x.example/role"', 'five'],
  ['.app."my roles"[?(@ == "two")]', 'two'],
  ['.app."my roles"[?(@ != "two")]', 'web_three'],
  ['.app."my roles"[?(@ ^== "web")]', 'web_three'],
  ['.app."my roles"[?(@ ==^ "api")]', 'four_api'],
  ['.app."my roles"[?(@ *== "thr")]', 'web_three'],
  ['.group[1:]', 'six'],
  ['.group[:-1]', '/si'],
  ['$.role', 'one'],
  ['$["role"]', 'one'],
  ["$.app['my roles'][1]", 'web_three'],
  ['$.app["https://x.example/role"]', 'five'],
  ['$.app["my roles"][?@ == "two"]', 'two'],
  ['$.app["my roles"][?search(@, "^web_")]', 'web_three'],
  ['$.app["my roles"][?search(@, "_api$")]', 'four_api'],
  ['.nothing.at.all', undefined],
  ['.role.length', undefined],
  ['.app[0]', undefined],
  ['.toString', undefined],
  ['.app."my roles"[9]', undefined],
])('%s', (text, role) => {
  expect(roleIn(claims, parseRoleClaim(text) ?? [])).toBe(role)
})

test.each([
  '',
  'role',
  '.',
  '..a',
  '[0]',
  '.a[',
  '.a[x]',
  '.a b',
  '.a[?(@ = "x")]',
  '."open',
  '$',
  '$role',
  '$[role]',
  '$.a[?search(@, "(")]',
])('no path: %s', (text) => {
  expect(parseRoleClaim(text)).toBeUndefined()
})
