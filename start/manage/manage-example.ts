import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from '#kit/root'
import type { Ask } from './manage-client.ts'
import { nearest } from '../nearest.mjs'
import { UsageError } from './manage-command.ts'

/** Those in `examples/` that bring a table, with what runs them; `sample` is shown with the project's own address and key. */
const examples: Readonly<Record<string, { sample: string; run: readonly string[] }>> = {
  books: {
    sample: 'books.mjs',
    run: ['PROJECT_URL=<url> PUBLISHABLE_KEY=<key> node examples/books/books.mjs'],
  },
  todo: {
    sample: 'src/supabase.js',
    run: [
      'cd examples/todo',
      'npm install',
      'VITE_PROJECT_URL=<url> VITE_PUBLISHABLE_KEY=<key> npm run dev',
    ],
  },
}

/** @throws UsageError when there is no such example */
export function checkExample(name: string): void {
  if (Object.hasOwn(examples, name)) return
  const known = Object.keys(examples)
  const near = nearest(name, known)
  const hint =
    near === undefined ? `the examples are ${known.join(' and ')}` : `did you mean ${near}?`
  throw new UsageError(`there is no example "${name}"; ${hint}`)
}

type Place = { ref: string; url: string; publishableKey: string }
export type Started = { example: string; sample: string; run: string[] }

/** Makes the tables of an example in a new project. Answers with its code and how to run it there. */
export async function startExample(
  ask: Ask,
  name: string,
  { ref, url, publishableKey }: Place,
): Promise<Started> {
  const { sample, run } = examples[name] ?? { sample: '', run: [] }
  const read = (file: string) => readFile(join(root, 'examples', name, file), 'utf8')
  const query = await read('schema.sql')
  await ask(`POST /v1/projects/${ref}/database/query`, z.unknown(), { query })
  const code = (await read(sample))
    .replace(/^const \{.*\} = (?:process|import\.meta)\.env\n\n?/m, '')
    .replace(/\b(?:VITE_)?PROJECT_URL\b/, `'${url}'`)
    .replace(/\b(?:VITE_)?PUBLISHABLE_KEY\b/, `'${publishableKey}'`)
  const filled = run.map((line) => line.replace('<url>', url).replace('<key>', publishableKey))
  return { example: name, sample: code, run: filled }
}

export const exampleLines = ({ example, sample, run }: Started): string[] => [
  '',
  `The tables of the example "${example}" are ready. This code reads and writes them:`,
  '',
  ...sample
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`)),
  '',
  'To run the example, from the folder of this checkout:',
  '',
  ...run.map((line) => `  ${line}`),
]
