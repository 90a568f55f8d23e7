import { expect, test } from 'vitest'
import { previewKind } from './preview-kind.ts'

test.each([
  ['image/png', 'image'],
  ['image/svg+xml', 'image'],
  ['Text/Plain; charset=utf-8', 'text'],
  ['application/ld+json', 'text'],
  ['application/pdf', 'pdf'],
  ['video/mp4', 'video'],
  ['audio/ogg', 'audio'],
  ['application/zip', undefined],
  [null, undefined],
] as const)('%s is shown as %s', (type, kind) => {
  expect(previewKind(type)).toBe(kind)
})
