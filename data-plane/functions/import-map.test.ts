import { expect, test } from 'vitest'
import type { FunctionCode } from '#contract/functions/functions-internal'
import { usesPackages, workerConfig } from './import-map.ts'

const libraries = { stdServe: '/lib/std.js', empty: '/lib/empty.js', supabaseJs: '/lib/client.js' }
const codeOf = (files: Record<string, string>): FunctionCode => ({
  entrypointPath: 'index.ts',
  importMapPath: null,
  files: Object.entries(files).map(([path, text]) => ({
    path,
    content: Buffer.from(text).toString('base64'),
  })),
})
const loads = (files: Record<string, string>) => {
  const code = codeOf(files)
  return usesPackages(code, workerConfig(code, '/code', libraries))
}

test.each<[string, Record<string, string>]>([
  ['nothing', { 'index.ts': 'Deno.serve(() => new Response())' }],
  ['its own files', { 'index.ts': `import { a } from './a.ts'\nimport '../b.ts'`, 'a.ts': '' }],
  ['what lies here', { 'index.ts': `import { createClient } from 'npm:@supabase/supabase-js@2'` }],
  [
    'what lies here by another name',
    {
      'index.ts': `import { createClient } from 'client'`,
      'deno.json': '{"imports": {"client": "npm:@supabase/supabase-js@2"}}',
    },
  ],
])('a function that loads %s loads no packages', (_, files) => {
  expect(loads(files)).toBe(false)
})

test.each<[string, Record<string, string>]>([
  ['a module of Node', { 'index.ts': `import { createServer } from 'node:http'` }],
  ['a package', { 'index.ts': `import express from "npm:express@4"` }],
  [
    'a package in a file of its own',
    { 'index.ts': `import './a.ts'`, 'a.ts': `import 'jsr:@a/b'` },
  ],
  ['an address', { 'index.ts': `import x from 'https://example.com/x.ts'` }],
  [
    'a package by another name',
    { 'index.ts': `import web from 'web'`, 'deno.json': '{"imports": {"web": "npm:express"}}' },
  ],
  ['a package later', { 'index.ts': `const x = await import('npm:express')` }],
  ['a name that is worked out', { 'index.ts': `const x = await import(name)` }],
  ['a package the older way', { 'index.ts': `const x = require(name)` }],
])('a function that loads %s loads packages', (_, files) => {
  expect(loads(files)).toBe(true)
})
