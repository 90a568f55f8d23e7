import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ourContent } from '#contract/operations/our-content'
import { readConfig } from '../config.ts'

let folder: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-content-'))
  file = join(folder, 'content.json')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(content: unknown, more: Record<string, string> = {}) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readConfig({ PLINTH_CUSTOM_CONTENT: file, ...more })
}
const testimonial = {
  text: 'It holds up our whole library.',
  url: 'https://example.com/ada',
  handle: '@ada',
  img_url: 'https://images.example.com/ada.png',
}

test('without a file it is ours; an empty one changes nothing', () => {
  expect(readConfig({})).toMatchObject({ content: ourContent, environment: 'production' })
  expect(read({}).content).toEqual(ourContent)
})

test('what a file says takes the place of ours, and its images may be fetched', () => {
  const config = read(
    {
      app_title: 'Library',
      testimonials: [testimonial],
      terms_url: '/docs/',
      cloud_providers: ['AWS_K8S', 'FLY'],
      ssl_certificate_url: 'https://example.com/{env}/ca.crt',
      logs_default_query: ' select 1 ',
    },
    { PLINTH_ENVIRONMENT: 'staging', PLINTH_IMAGE_HOSTS: 'pictures.example.com' },
  )
  expect(config.content).toEqual({
    ...ourContent,
    app_title: 'Library',
    testimonials: [testimonial],
    terms_url: '/docs/',
    cloud_providers: ['AWS_K8S', 'FLY'],
    ssl_certificate_url: 'https://example.com/staging/ca.crt',
    logs_default_query: 'select 1',
  })
  expect(config.imageHosts).toEqual(['pictures.example.com', 'images.example.com'])
})

test.each([
  ['no JSON', '{', 'is not valid JSON'],
  ['no object', '[]', 'expected object'],
  ['a name that nobody knows', { logo: 'x' }, 'logo'],
  ['no query', { logs_default_query: ' ' }, 'logs_default_query'],
  ['a link that a browser runs', { terms_url: 'javascript:alert(1)' }, 'terms_url: must start'],
  ['a link to any host', { privacy_url: '//evil.example.com' }, 'privacy_url: must start'],
  ['a link around the corner', { privacy_url: '/\\evil.example.com' }, 'privacy_url: must start'],
  [
    'a picture that lies here',
    { testimonials: [{ ...testimonial, img_url: '/ada.png' }] },
    'testimonials.0.img_url: must start',
  ],
  ['no provider', { cloud_providers: [] }, 'cloud_providers'],
  ['a provider twice', { cloud_providers: ['AWS', 'AWS'] }, 'cloud_providers: must name each'],
  ['a title without a letter', { app_title: ' ' }, 'app_title: must have at least 1'],
])('%s ends the start with one line that names it', (_, content, message) => {
  const line = (() => {
    try {
      read(content)
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  })()
  expect(line).toMatch(/^PLINTH_CUSTOM_CONTENT: /)
  expect(line).toContain(message)
  expect(line.split('\n')).toHaveLength(1)
})

test('a file that is not there ends the start, too', () => {
  expect(() => readConfig({ PLINTH_CUSTOM_CONTENT: join(folder, 'none.json') })).toThrow(
    /^PLINTH_CUSTOM_CONTENT: cannot be read: /,
  )
})
