import { expect, test } from 'vitest'
import { readRepository } from './repository.ts'

const file = (path: string, text = path) => ({ path, content: Buffer.from(text) })

test('migrations come by version, whatever the order of the archive', () => {
  const { migrations, unused } = readRepository([
    file('migrations/20260102000000_second.sql'),
    file('migrations/3_third.sql'),
    file('migrations/20260101000000_first.sql', 'create table a ()'),
    file('migrations/notes.md'),
    file('migrations/draft.sql'),
    file('migrations/below/20260103000000_x.sql'),
  ])
  expect(migrations.map(({ version }) => version)).toEqual([
    '3',
    '20260101000000',
    '20260102000000',
  ])
  expect(migrations[1]).toMatchObject({ name: 'first', sql: 'create table a ()' })
  expect(unused.map((line) => line.split(':')[0])).toEqual([
    'migrations/draft.sql',
    'migrations/below/20260103000000_x.sql',
  ])
})

test('a function has its own files and those of all, with the import map that is nearest', () => {
  const { functions, unused } = readRepository([
    file('functions/hello/index.ts'),
    file('functions/hello/lib/a.ts'),
    file('functions/hello/deno.json'),
    file('functions/other/index.ts'),
    file('functions/_shared/cors.ts'),
    file('functions/import_map.json'),
    file('functions/empty/readme.md'),
    file('functions/1st/index.ts'),
    file('functions/off/index.ts'),
    file('functions/named/main.ts'),
    file('functions/lost/index.ts'),
    file(
      'config.toml',
      '[functions]\noff.enabled = false\nnamed = { entrypoint = "./functions/named/main.ts", verify_jwt = false }\nlost.import_map = "x.json"\nnobody.verify_jwt = true',
    ),
  ])
  expect(
    functions.map(({ slug, entrypoint_path, import_map_path }) => [
      slug,
      entrypoint_path,
      import_map_path,
    ]),
  ).toEqual([
    ['hello', 'supabase/functions/hello/index.ts', 'supabase/functions/hello/deno.json'],
    ['named', 'supabase/functions/named/main.ts', 'supabase/functions/import_map.json'],
    ['other', 'supabase/functions/other/index.ts', 'supabase/functions/import_map.json'],
  ])
  expect(functions.map(({ verify_jwt: verify }) => verify)).toEqual([undefined, false, undefined])
  expect(functions[0]?.files.map(({ path }) => path)).toEqual([
    'supabase/functions/hello/index.ts',
    'supabase/functions/hello/lib/a.ts',
    'supabase/functions/hello/deno.json',
    'supabase/functions/_shared/cors.ts',
    'supabase/functions/import_map.json',
  ])
  expect(unused).toEqual([
    'functions/1st: this is no name of a function',
    'functions/empty: it has no index.ts',
    'functions/lost: there is no x.json, which config.toml names',
    'functions/off: config.toml switches it off',
    'config.toml [functions.nobody]: there is no such function',
  ])
})
