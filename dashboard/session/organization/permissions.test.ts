import { expect, test } from 'vitest'
import { inOrganization, inProject, type Permission } from '#contract/permissions'
import { denial } from './permissions.ts'

const row = (over: Partial<Permission>): Permission => ({
  actions: ['%'],
  condition: null,
  organization_id: 1,
  organization_slug: 'kestrel',
  project_ids: [],
  project_refs: [],
  resources: ['%'],
  restrictive: false,
  ...over,
})
const pause = inProject('infra:Execute', 'queue_jobs.projects.pause')
const here = { organizationSlug: 'kestrel', projectRef: 'abcdefghijklmnopqrst' }

test('allowed means no reason', () => {
  expect(denial([row({})], pause, here)).toBeUndefined()
})

test('a missing row, or one of another organization, is a reason', () => {
  expect(denial([], pause, here)).toMatch(/does not allow/)
  expect(denial([row({ organization_slug: 'fathom' })], pause, here)).toMatch(/does not allow/)
})

test('a row for this project decides before the rows of the organization', () => {
  const readOnlyHere = row({ actions: ['read:Read'], project_refs: [here.projectRef] })
  expect(denial([row({ actions: ['infra:Execute'] }), readOnlyHere], pause, here)).toBeUndefined()
  const deniedHere = row({ restrictive: true, project_refs: [here.projectRef] })
  expect(denial([row({}), deniedHere], pause, here)).toMatch(/does not allow/)
})

test('a need of the organization is not decided by a row for one project', () => {
  const rows = [row({ restrictive: true, project_refs: [here.projectRef] }), row({})]
  expect(denial(rows, inOrganization('write:Create', 'projects'), here)).toBeUndefined()
})

test('what everyone signed in may do has no reason', () => {
  expect(denial([], 'signed-in', here)).toBeUndefined()
})
