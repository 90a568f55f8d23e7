import { expect, test } from 'vitest'
import { createPolicy } from '#contract/ddl/policies'
import { newPolicy, problemsOf, specOf } from './policy-draft.ts'
import { speaksOf } from '../../../session/project/bucket-policies.ts'
import { storageTemplates } from './service-templates.ts'

test('every template fills a form that has nothing wrong with it, and names the bucket safely', () => {
  const bucket = `it's a ${'very '.repeat(12)}long name`
  for (const { fill, title } of storageTemplates(bucket)) {
    const draft = { ...newPolicy('storage', 'objects'), ...fill }
    expect([title, problemsOf(draft, [])]).toEqual([title, {}])
    const [sql] = createPolicy(specOf(draft)).statements
    expect(sql).toContain(' on storage.objects')
    expect(sql).toContain("'it''s a very")
    expect(speaksOf(bucket, fill.definition ?? null, fill.check ?? null)).toBe(true)
  }
})

test('a policy belongs to the bucket whose name it says', () => {
  expect(speaksOf('a', "(bucket_id = 'a'::text)", null)).toBe(true)
  expect(speaksOf('a', "(bucket_id = 'ab'::text)", null)).toBe(false)
})
