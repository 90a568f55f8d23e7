#!/usr/bin/env node
// `plinth WORD`: one program of Plinth by itself, built before where it is missing or older than its sources.
import { readFileSync } from 'node:fs'
import { buildIfStale } from './build.mjs'
import { nearest } from './nearest.mjs'

const programs = {
  up: 'the whole platform, as npm start runs it',
  doctor: 'looks at what the settings name, before it is started: ok, warn or fail for each',
  backup:
    'the whole platform, while it runs, into a folder; plinth backup verify FOLDER reads it back',
  restore: 'makes a platform of such a folder, on an empty PLINTH_HOME',
  rest: 'the data API alone, over any Postgres; plinth rest --help names its settings',
  orgs: 'list or create organizations',
  projects: 'list, create, pause, restore or delete projects',
  claim: 'makes a person who has signed up an owner of what was created on the command line',
  operators: 'who runs this installation: list, add or remove them',
  open: 'the dashboard, or a project in it, in your browser',
  keys: 'the keys of a project',
  db: 'the address of the database of a project',
  types: 'the types of a database for TypeScript',
  import: 'brings a Supabase project over: schema, rows, users, files, functions',
  logs: 'what the services of a project write; plinth logs REF -f follows it',
  extensions: 'builds of Postgres extensions for projects: list, add or remove them',
  vault: 'the vault of a project: rotate the key of its secrets',
  health: 'how this installation is; ends with 1 while an alert is open',
  orphans: 'what is kept and no row names: list, adopt or remove it',
  rounds: 'what could not be looked after the last time',
  roles: 'what was found in projects that no project is given',
}
const ownPrograms = { rest: 'rest', backup: 'backup', restore: 'backup', doctor: 'doctor' }
const typed = process.argv.slice(2)
const [first = ''] = typed
const lines = Object.entries(programs).map(([name, does]) => `  plinth ${name}   ${does}`)
const usage = [
  'usage: plinth WORD',
  ...lines,
  '  plinth --version',
  'plinth help WORD tells more of one.',
].join('\n')

function notUnderstood() {
  const known = nearest(first, Object.keys(programs))
  const hint = known === undefined ? '' : `; did you mean "${known}"?`
  const problem = first === '' ? '' : `plinth: there is no word "${first}"${hint}\n`
  process.stderr.write(`${problem}${usage}\n`)
  process.exit(2)
}

if (first === '--version' || first === 'version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`plinth ${version}\n`)
  process.exit(0)
}
if (first === 'help' && typed.length > 1) {
  // `help projects create` is `projects create --help`.
  typed.push('--help')
  typed.shift()
}
const [word = ''] = typed
if (['', 'help', '--help', '-h'].includes(word)) {
  if (word === '') notUnderstood()
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
if (!Object.hasOwn(programs, word)) notUnderstood()
process.argv.splice(2, process.argv.length, ...typed)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`plinth: needs Node 20.19 or newer, this is ${process.versions.node}\n`)
  process.exit(1)
}
if (word === 'up') {
  if (typed.length > 1) {
    const isHelp = typed[1] === '--help' || typed[1] === '-h'
    const text = isHelp
      ? `usage: plinth up\n${programs.up}`
      : `plinth: up takes nothing, not "${typed[1]}"`
    process[isHelp ? 'stdout' : 'stderr'].write(`${text}\n`)
    process.exit(isHelp ? 0 : 2)
  }
  await import('./launch.mjs')
} else {
  await buildIfStale()
  process.setSourceMapsEnabled(true)
  const program = ownPrograms[word] ?? 'manage'
  await import(new URL(`../dist/server/${program}.js`, import.meta.url).href)
}
