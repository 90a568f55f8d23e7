import { expect, test } from 'vitest'
import { featurePreviews, isReleased, planDenial } from './preview-list.ts'

const flags = {
  unifiedLogsPreview: true,
  branchingPreview: true,
  advisorRulesPreview: true,
  storagePreview: true,
}
/** What this version has, and no flag holds back. */
const here = ['supabase-ui-preview-inline-editor', 'supabase-ui-api-side-panel', 'supabase-ui-cls']
const released = (isPlatform: boolean, on: Record<string, boolean>) =>
  featurePreviews.filter((one) => isReleased(one, { flags: on, isPlatform })).map(({ key }) => key)

test('the seven previews of the requirements, by their keys and names', () => {
  expect(featurePreviews.map(({ key, name }) => [key, name])).toEqual([
    ['supabase-ui-preview-unified-logs', 'New Logs interface'],
    ['supabase-ui-branching-2-0', 'Branching via dashboard'],
    ['supabase-ui-advisor-rules', 'Disable Advisor rules'],
    ['new-storage-ui', 'New Storage interface'],
    ['supabase-ui-preview-inline-editor', 'Directly edit database entities'],
    ['supabase-ui-api-side-panel', 'Project API documentation'],
    ['supabase-ui-cls', 'Column-level privileges'],
  ])
})

test('nothing is released until its flag is on, or this version has it', () => {
  expect(released(true, {})).toEqual(here)
  expect(released(true, { storagePreview: true })).toEqual(['new-storage-ui', ...here])
  expect(released(true, { storagePreview: false })).toEqual(here)
})

test('what is for the platform only is hidden everywhere else', () => {
  expect(released(true, flags)).toHaveLength(7)
  expect(released(false, flags)).toEqual(here)
})

test('the new logs are for organizations on Team or above', () => {
  const logs = featurePreviews.find(({ key }) => key === 'supabase-ui-preview-unified-logs')
  const storage = featurePreviews.find(({ key }) => key === 'new-storage-ui')
  if (!logs || !storage) throw new Error('The previews are not there')
  for (const plan of [undefined, 'free', 'pro'])
    expect(planDenial(logs, plan)).toBe('For organizations on Team or above')
  for (const plan of ['team', 'enterprise']) expect(planDenial(logs, plan)).toBeUndefined()
  expect(planDenial(storage, 'free')).toBeUndefined()
})
