import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { fastifyStatic } from '@fastify/static'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveDocuments } from './documents.ts'

let app: FastifyInstance
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-documents-'))
  const files = {
    'docs/index.html': 'overview',
    'docs/404.html': 'no such page',
    'docs/deploy.html': 'how to deploy',
    'docs/decisions/index.html': 'decisions',
    'docs/decisions/0001-one.html': 'one',
    'docs/assets/app.1a2b.js': 'let a',
    'secret.html': 'not a document',
  }
  for (const name of ['docs/decisions', 'docs/assets']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  // As that of the control plane.
  app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  // As the dashboard does before.
  void app.register(fastifyStatic, { root: folder, serve: false })
  serveDocuments(app, join(folder, 'docs'))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('a folder without a site is told of at once', () => {
  expect(() => serveDocuments(fastify(), folder)).toThrow('npm run build')
})

test.each([
  '/docs/none',
  '/docs/../secret',
  '/docs/%2e%2e/secret',
  '/docs/..%2fsecret',
  '/docs/a/b',
])('%s is no document', async (url) => {
  const { statusCode, body } = await app.inject(url)
  expect(statusCode).toBe(404)
  expect(body).not.toContain('not a document')
})

test.each([
  ['/docs/', 'overview'],
  ['/docs/deploy', 'how to deploy'],
  ['/docs/deploy.html', 'how to deploy'],
  ['/docs/deploy?from=help', 'how to deploy'],
  ['/docs/decisions/', 'decisions'],
  ['/docs/decisions/0001-one', 'one'],
])('%s is a page', async (url, text) => {
  const { statusCode, body, headers } = await app.inject(url)
  expect({ statusCode, body }).toEqual({ statusCode: 200, body: text })
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  })
})

test('what is not there has a page that says so', async () => {
  const { statusCode, body } = await app.inject('/docs/none')
  expect({ statusCode, body }).toEqual({ statusCode: 404, body: 'no such page' })
})

test.each([
  ['/docs', '/docs/'],
  ['/docs/decisions', '/docs/decisions/'],
])('%s leads to %s', async (url, location) => {
  const { statusCode, headers } = await app.inject(url)
  expect(statusCode).toBe(302)
  expect(headers).toMatchObject({ location })
})

test('hashed files are kept for ever', async () => {
  const { headers } = await app.inject('/docs/assets/app.1a2b.js')
  expect(headers['cache-control']).toContain('immutable')
})
