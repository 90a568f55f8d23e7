import { expect, test } from 'vitest'
import { objectRoute } from './object-route.ts'

test('an address keeps the texts that its page knows, and nothing else', () => {
  const { validateSearch } = objectRoute(['schema', 'q'], () => undefined)
  expect(validateSearch({ schema: 'app', q: '', mark: 'unused', of: 3 })).toEqual({ schema: 'app' })
  expect(validateSearch({ q: 'books', schema: ['public'] })).toEqual({ q: 'books' })
})

test('a list is read ahead for the schema of its address, and not again as somebody searches', () => {
  const read: string[][] = []
  const { loaderDeps, loader } = objectRoute(['schema', 'q'], (ref, schema) => {
    read.push([ref, schema])
  })
  loader({ params: { ref: 'abc' }, deps: loaderDeps({ search: { q: 'books' } }) })
  loader({ params: { ref: 'abc' }, deps: loaderDeps({ search: { schema: 'app' } }) })
  expect(read).toEqual([
    ['abc', 'public'],
    ['abc', 'app'],
  ])
  expect(loaderDeps({ search: { q: 'books' } })).toEqual(loaderDeps({ search: { q: 'bo' } }))
})
