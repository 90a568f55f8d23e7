import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '#kit/config'
import { settingTable } from '#data-plane/rest/server/setting-table'
import { root } from '#kit/root'
import { commands } from '#start/manage/manage-commands'
import { commandVariables } from '../docs/build/settings-guide.ts'
import { addressOf } from '../docs/build/site-pages.ts'
import {
  brokenLinks,
  definedTwice,
  missingPaths,
  readDocuments,
  unknownScripts,
  unknownSettings,
  unknownCommands,
} from './documents.ts'
import { readSources } from './sources.ts'

const documents = readDocuments()
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const scripts = Object.keys(manifest.scripts)
const ownPrograms = ['up', 'doctor', 'rest', 'backup', 'backup verify', 'restore', 'help']
const programs = [...ownPrograms, ...Object.keys(commands)]
const settings = new Set([...settingNames, ...Object.keys(commandVariables)])
/** Those that tests, benches and the programs among themselves read, which CONTRIBUTING tells of. */
const ours = new Set(
  readSources().flatMap(({ text }) =>
    [...text.matchAll(/['"{. ](PLINTH_[A-Z0-9_]*[A-Z0-9])\b/g)].flatMap(([, name]) => name ?? []),
  ),
)

test('links lead to files and headings that there are', () => {
  expect(documents.flatMap(brokenLinks)).toEqual([])
})

test('scripts of npm that are named are there', () => {
  expect(documents.flatMap((one) => unknownScripts(one, scripts))).toEqual([])
})

test('commands of plinth that are named are there', () => {
  expect(documents.flatMap((one) => unknownCommands(one, programs))).toEqual([])
})

test('settings that are named are there', () => {
  const forOperators = documents.filter(({ path }) =>
    /^(?:README|docs\/(?!progress|decisions))/.test(path),
  )
  const unknown = forOperators.flatMap((one) => unknownSettings(one, settings))
  const forDevelopers = new Set(['PLINTH_TEST_S3', 'PLINTH_NATS_URL'])
  expect(unknown.filter((line) => !forDevelopers.has(line.split(' ')[1] ?? ''))).toEqual([])
  expect(documents.flatMap((one) => unknownSettings(one, ours))).toEqual([])
})

test('the settings of the data API served alone are all explained', () => {
  const page = documents.find(({ path }) => path === 'docs/operating.md')?.text ?? ''
  const names = Object.keys(settingTable)
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('files that are named are there', () => {
  const example = /favorites/
  const missing = documents.flatMap(missingPaths).filter((line) => !example.test(line))
  expect(missing).toEqual([])
})

test('each word is defined once', () => {
  const page = documents.find(({ path }) => path === 'docs/words.md')
  expect(definedTwice(page?.text ?? '')).toEqual([])
})

test('each document is a page of the site, and each decision stands in their list', () => {
  const onSite = documents.filter(({ path }) => !['README.md', 'docs/progress.md'].includes(path))
  for (const { path } of onSite) expect(addressOf(path), path).toBeDefined()
  const list = documents.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? ''
  const decisions = documents.filter(({ path }) => /^docs\/decisions\/\d/.test(path))
  expect(decisions.length).toBeGreaterThan(30)
  for (const { path, text } of decisions) {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? ''
    expect(list).toContain(`- [${title}](${path.replace('docs/decisions/', '')})`)
  }
})

const wrong = (text: string) => ({ path: 'docs/a.md', text })

test.each<[string, readonly string[], string[]]>([
  ['a file', brokenLinks(wrong('[a](none.md)')), ['docs/a.md: none.md']],
  ['a heading', brokenLinks(wrong('[a](words.md#none)')), ['docs/a.md: words.md#none']],
  ['a heading with a digit first', brokenLinks(wrong('[a](#1-a)\n## 1. A')), ['docs/a.md: #1-a']],
  [
    'a script',
    unknownScripts(wrong('`npm run nonsense`'), scripts),
    ['docs/a.md: npm run nonsense'],
  ],
  [
    'a command',
    unknownCommands(wrong('`npx plinth fly`'), programs),
    ['docs/a.md: npx plinth fly'],
  ],
  ['a setting', unknownSettings(wrong('`PLINTH_HOEM`'), settings), ['docs/a.md: PLINTH_HOEM']],
  ['a path', missingPaths(wrong('`kit/none.ts`')), ['docs/a.md: kit/none.ts']],
  [
    'one of several paths',
    missingPaths(wrong('`kit/{log,none}.ts`')),
    ['docs/a.md: kit/{log,none}.ts'],
  ],
  ['a word', definedTwice('| a, b (of c) | x |\n| b (of c) | y |\n| b | z |'), ['b (of c)']],
])('the check finds %s', (_what, found, expected) => {
  expect(found).toEqual(expected)
})

test.each<[string, readonly string[]]>([
  ['links', brokenLinks(wrong('[a](words.md#words) [b](https://example.com) [c](decisions/)'))],
  ['a block of code', brokenLinks(wrong('```md\n[a](none.md)\n```'))],
  ['scripts', unknownScripts(wrong('`npm run docs:build`, `npm test`, `npm ci`'), scripts)],
  [
    'commands',
    unknownCommands(wrong('`npx plinth projects list` and `npx plinth keys REF`'), programs),
  ],
  ['a family of settings', unknownSettings(wrong('`PLINTH_S3_…` and `PLINTH_HOME`'), settings)],
  ['paths', missingPaths(wrong('`kit/log`, `kit/*.ts`, `checks/{house,arrows}.test.ts`, `kit/`'))],
])('the check lets pass: %s', (_what, found) => {
  expect(found).toEqual([])
})
