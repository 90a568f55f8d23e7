import { expect, test } from 'vitest'
import { ideasAt } from './ideas.ts'

const project = '/project/abcdefghijklmnopqrst'

test.each([
  ['', 'Which tables are the largest?'],
  ['/settings/general', 'Which tables are the largest?'],
  ['/auth/policies', 'Write a policy so that people only see their own rows'],
  ['/database/policies', 'Write a policy so that people only see their own rows'],
  ['/sql/new', 'Write a query that counts the rows of every table'],
  ['/editor/17', 'Suggest a table for what this project still lacks'],
  ['/database/functions', 'Write a function that counts rows by month'],
  ['/database/triggers', 'Write a trigger that keeps updated_at current'],
  ['/advisors/query-performance', 'Which of my queries need an index?'],
])('%j suggests what fits there', (page, first) => {
  const ideas = ideasAt(project + page)
  expect(ideas[0]).toBe(first)
  expect(new Set(ideas).size).toBe(3)
})

test('outside of a project there is nothing special', () => {
  expect(ideasAt('/organizations')).toEqual(ideasAt(project))
})
