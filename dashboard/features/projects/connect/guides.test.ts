import { expect, test } from 'vitest'
import { transformWithOxc } from 'vite'
import { stringTypes } from './connection-strings.ts'
import type { Server } from './connection-uri.ts'
import type { AppProject, CodeFile } from './guide.ts'
import { appGuides, ormGuides } from './guides.ts'
import { mobileGuides } from './guides-mobile.ts'

const project: AppProject = { url: 'http://localhost:8001/abcdefghijklmnopqrst', anonKey: 'ey.key' }
const server: Server = { host: 'localhost', port: 5432, database: 'postgres', user: 'postgres' }

const examples: [string, CodeFile[]][] = [
  ...[...appGuides, ...mobileGuides].flatMap(({ name, variants }) =>
    variants.map((one): [string, CodeFile[]] => [`${name}, ${one.name}`, one.files(project)]),
  ),
  ...ormGuides.flatMap(({ name, variants }) =>
    variants.map((one): [string, CodeFile[]] => [name, one.files(server)]),
  ),
  ...stringTypes.map(({ name, files }): [string, CodeFile[]] => [name, files(server)]),
]

test('the frameworks, in their order', () => {
  expect(appGuides.map(({ name }) => name)).toEqual([
    'Next.js',
    'Remix',
    'React',
    'Nuxt',
    'Vue',
    'SvelteKit',
    'Solid',
    'Astro',
    'refine',
  ])
  expect(mobileGuides.map(({ name }) => name)).toEqual([
    'Expo React Native',
    'Flutter',
    'Ionic React',
    'Swift',
    'Android Kotlin',
    'Ionic Angular',
  ])
  expect(ormGuides.map(({ name }) => name)).toEqual(['Prisma', 'Drizzle'])
})

test.each(examples)('%s: whole files with names of their own', (_, files) => {
  expect(files.length).toBeGreaterThan(0)
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
  for (const { code } of files) expect(code.trim()).toBe(code)
})

test.each([...appGuides, ...mobileGuides].map(({ name, variants }) => [name, variants] as const))(
  '%s: the address and the key of the project stand in it once',
  (_, variants) => {
    for (const { files } of variants) {
      const text = files(project)
        .map(({ code }) => code)
        .join('\n')
      expect(text.split(project.url)).toHaveLength(2)
      expect(text.split(project.anonKey)).toHaveLength(2)
    }
  },
)

/** The script of a file that a JavaScript tool chain reads; undefined for other languages. */
function scriptOf({ name, code }: CodeFile): { name: string; code: string } | undefined {
  const inTags = /<script[^>]*>([^]*?)<\/script>/.exec(code)?.[1]
  if (/\.(?:vue|svelte)$/.test(name)) return { name: `${name}.js`, code: inTags ?? '' }
  const front = /^---\n([^]*?)\n---/.exec(code)?.[1]
  if (name.endsWith('.astro')) return { name: `${name}.ts`, code: front ?? '' }
  // Create React App has JSX in files that end in .js.
  if (name.endsWith('.js')) return { name: `${name}x`, code }
  return /\.(?:ts|tsx|jsx)$/.test(name) ? { name, code } : undefined
}

const scripts = examples.flatMap(([of, files]) =>
  files.flatMap((file) => {
    const script = scriptOf(file)
    return script ? [[`${of}: ${file.name}`, script] as const] : []
  }),
)

test.each(scripts)('%s can be parsed', async (_, { name, code }) => {
  expect(code).not.toBe('')
  await expect(transformWithOxc(code, name)).resolves.toHaveProperty('code')
})

test('an environment file names every variable that the other files read', () => {
  for (const [of, files] of examples) {
    const env = files.find(({ name }) => name.startsWith('.env'))
    if (!env) continue
    const set = new Set(env.code.split('\n').map((line) => line.split('=')[0]))
    const read = files.flatMap(({ code }) =>
      [...code.matchAll(/(?:process\.env|import\.meta\.env)\.([A-Z_]+)/g)].map(([, name]) => name),
    )
    expect([of, read.filter((name) => !set.has(name))]).toEqual([of, []])
  }
})
