import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSigned, pushesIn } from './push.ts'

const commit = 'a'.repeat(40)
const secret = 'of the webhook'
const body = '{"ref":"refs/heads/main"}'
const signature = createHmac('sha256', secret).update(body).digest('hex')

test.each([
  ['x-hub-signature-256', `sha256=${signature}`],
  ['x-hub-signature', `sha256=${signature}`],
  ['x-gitea-signature', signature],
  ['x-forgejo-signature', signature],
  ['x-gogs-signature', signature],
  ['x-gitlab-token', secret],
])('who signs in %s is known', (name, value) => {
  expect(isSigned(body, { [name]: value }, secret)).toBe(true)
  expect(isSigned(`${body} `, { [name]: value }, secret)).toBe(name === 'x-gitlab-token')
  expect(isSigned(body, { [name]: value }, 'another')).toBe(false)
  expect(isSigned(body, { [name]: [value, value] }, secret)).toBe(false)
})

test.each([
  {},
  { 'x-hub-signature-256': '' },
  { 'x-hub-signature-256': 'sha256=' },
  { 'x-hub-signature-256': secret },
  { 'x-gitlab-token': '' },
  { 'x-gitlab-token': signature },
  { 'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}` },
])('%j proves nothing', (headers) => {
  expect(isSigned(body, headers, secret)).toBe(false)
})

test.each<[string, unknown, unknown]>([
  ['a script', { branch: 'main', commit }, [{ branch: 'main', commit }]],
  [
    'most hosts',
    { ref: 'refs/heads/feat/a', before: '0'.repeat(40), after: commit, repository: { id: 1 } },
    [{ branch: 'feat/a', commit }],
  ],
  [
    'a host with several changes',
    {
      push: {
        changes: [
          { new: { type: 'branch', name: 'main', target: { hash: commit } } },
          { new: { type: 'tag', name: 'v1', target: { hash: commit } } },
          { new: null },
        ],
      },
    },
    [{ branch: 'main', commit }],
  ],
  ['a tag', { ref: 'refs/tags/v1', after: commit }, []],
  ['a branch that was deleted', { ref: 'refs/heads/a', after: '0'.repeat(40) }, []],
  ['the same in other words', { ref: 'refs/heads/a', after: commit, deleted: true }, []],
  ['a branch without a name', { ref: 'refs/heads/', after: commit }, []],
  ['no commit', { ref: 'refs/heads/a', after: 'HEAD' }, []],
  ['a commit that climbs', { branch: 'a', commit: '../../x' }, []],
  ['the first question of a host', { zen: 'Keep it simple', hook_id: 1 }, []],
  ['a list', [], []],
  ['nothing', null, []],
])('pushes of %s', (_, said, pushes) => {
  expect(pushesIn(said)).toEqual(pushes)
})

test('whatever is said is read, or is nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (said) => {
      for (const push of pushesIn(said)) expect(push.commit).toMatch(/^[0-9a-f]+$/)
    }),
  )
})
