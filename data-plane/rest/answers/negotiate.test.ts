import { expect, test } from 'vitest'
import { contentTypeOf, type Maker } from './media.ts'
import { negotiate } from './negotiate.ts'
import { Problem } from './problem.ts'
import { readMedia } from '../requests/serve-read.ts'

const makers = (...types: string[]): Maker[] => types.map((type) => ({ type, bytes: false }))
const typed = (accept: string | undefined, own: string[] = [], general: string[] = []) => {
  try {
    const made = { own: makers(...own), general: makers(...general), first: undefined }
    return contentTypeOf(negotiate(accept, readMedia, made))
  } catch (error) {
    if (error instanceof Problem) return `${error.status} ${error.message}`
    throw error
  }
}
const json = 'application/json; charset=utf-8'
const any = 'application/octet-stream'
const none = (types: string) => `406 None of these media types are available: ${types}`

test.each<[string | undefined, string]>([
  ['image/png', none('image/png')],
  ['undefined', none('undefined')],
  ['application/json;q=0', none('application/json')],
  ['image/*, text/html;q=0.2', none('image/*, text/html')],
  ['application/openapi+json', none('application/openapi+json')],
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['text/*', 'text/csv; charset=utf-8'],
  ['text/html, application/xhtml+xml, */*;q=0.8', json],
  ['application/json;q=0, */*', 'text/csv; charset=utf-8'],
  ['text/csv;q=0.9, application/json;q=0.8', 'text/csv; charset=utf-8'],
  ['text/csv;q=nonsense, application/json;q=0.1', json],
  ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json; charset=utf-8'],
  [
    'application/vnd.pgrst.array+json;nulls=stripped',
    'application/vnd.pgrst.array+json; nulls=stripped; charset=utf-8',
  ],
])('%s', (accept, expected) => {
  expect(typed(accept)).toBe(expected)
})

test.each<[string, string[], string[], string]>([
  ['text/html', [], ['text/html'], 'text/html'],
  ['text/html', ['*/*'], ['text/html'], any],
  ['text/html', ['*/*', 'text/html'], [], 'text/html'],
  ['application/json', ['*/*'], [], any],
  ['application/json', [], ['*/*'], json],
  ['image/png', [], ['*/*'], any],
  ['*/*', ['text/html'], ['image/png'], json],
  ['*/*', ['text/html', '*/*'], [], any],
  ['*/*', [], ['*/*'], any],
  ['image/*', ['text/html'], ['image/png'], 'image/png'],
  ['application/*', ['application/x'], [], json],
  ['application/json;q=0, application/*', ['application/x'], [], 'application/x'],
  [
    'application/vnd.pgrst.object+json',
    ['*/*'],
    ['application/vnd.pgrst.object+json'],
    'application/vnd.pgrst.object+json; charset=utf-8',
  ],
])('%s of %o and for all %o', (accept, own, general, expected) => {
  expect(typed(accept, own, general)).toBe(expected)
})
