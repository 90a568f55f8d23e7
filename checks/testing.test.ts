import { expect, test } from 'vitest'
import { readSources } from './sources.ts'
import { helpersElsewhere, productsOfTesting } from './testing.ts'

const sources = readSources()

test('what only tests use lies in the folders testing/', () => {
  expect(helpersElsewhere(sources)).toEqual([])
})

test('the product uses nothing of these folders', () => {
  expect(productsOfTesting(sources)).toEqual([])
})

test('a helper beside the code is found, whether it uses the test runner or only tests use it', () => {
  const runner = { path: 'kit/a.ts', text: "import { expect } from 'vitest'" }
  const helper = { path: 'kit/b.ts', text: '' }
  const use = { path: 'kit/b.test.ts', text: "import { b } from './b.ts'" }
  expect(helpersElsewhere([runner, helper, use])).toEqual(['kit/a.ts', 'kit/b.ts'])
  const product = { path: 'kit/c.ts', text: "import { b } from './b.ts'" }
  expect(helpersElsewhere([helper, use, product])).toEqual([])
})

test('a helper that the product uses is found', () => {
  const text = "import { freePort } from '#kit/testing/free-port'"
  expect(productsOfTesting([{ path: 'start/a.ts', text }])).toHaveLength(1)
  expect(productsOfTesting([{ path: 'start/a.test.ts', text }])).toEqual([])
})
