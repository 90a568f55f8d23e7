import { expect, test } from 'vitest'
import { objectRoute } from './object-route.ts'

test('an address keeps the texts that its page knows, and nothing else', () => {
  const { validateSearch } = objectRoute('schema', 'q')
  expect(validateSearch({ schema: 'app', q: '', mark: 'unused', of: 3 })).toEqual({ schema: 'app' })
  expect(validateSearch({ q: 'books', schema: ['public'] })).toEqual({ q: 'books' })
})

test('a list is read for the schema of its address, and not again as somebody searches', () => {
  const { loaderDeps } = objectRoute('schema', 'q')
  expect(loaderDeps({ search: { q: 'books' } })).toEqual({ schema: 'public' })
  expect(loaderDeps({ search: { schema: 'app' } })).toEqual({ schema: 'app' })
  expect(loaderDeps({ search: { q: 'books' } })).toEqual(loaderDeps({ search: { q: 'bo' } }))
})
