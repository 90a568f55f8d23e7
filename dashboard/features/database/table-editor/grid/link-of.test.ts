import { expect, test } from 'vitest'
import { linkOf } from './link-of.ts'

const project = 'http://localhost:8001/abcdefghijklmnopqrst'

test.each([
  'plain text',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://',
  'see https://example.com',
  'https://example.com and more',
  '//example.com',
  'photos/a.png',
])('%s leads nowhere', (text) => {
  expect(linkOf(text, project)).toBeUndefined()
})

test('an address of the web leads there, a file of this project is called by its bucket and path', () => {
  expect(linkOf(' https://example.com/a?b#c ', project)).toEqual({
    href: 'https://example.com/a?b#c',
    file: undefined,
  })
  const file = `${project}/storage/v1/object/public/photos/a%20b/c.png`
  expect(linkOf(file, project)).toEqual({ href: file, file: 'photos/a b/c.png' })
  expect(
    linkOf(`${project}/storage/v1/object/sign/photos/c.png?token=x`, `${project}/`)?.file,
  ).toBe('photos/c.png')
  expect(linkOf(`${project}/storage/v1/object/public/photos/%zz`, project)?.file).toBe('photos/%zz')
  expect(linkOf(file.replace('localhost', 'elsewhere'), project)?.file).toBeUndefined()
  expect(linkOf(`${project}/storage/v1/bucket/photos`, project)?.file).toBeUndefined()
})
