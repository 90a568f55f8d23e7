#!/usr/bin/env node
// `plinth COMMAND`: one program of Plinth, built first where it is missing or older than its sources.
import { readFileSync } from 'node:fs'
import { buildIfStale } from './build.mjs'
import { takeHome } from './manage/home-option.mjs'
import { nearest } from './nearest.mjs'

const commands = {
  Platform: {
    up: 'start the whole platform, as npm start does',
    doctor: 'check the settings and what they name before the first start',
    backup: 'back up the whole platform while it runs, or verify a backup',
    restore: 'restore a backup of the platform into an empty PLINTH_HOME',
    rest: 'serve the data API alone over any Postgres database',
  },
  Projects: {
    orgs: 'list and create organizations',
    projects: 'list, create, pause, restore, delete and fail over projects',
    claim: 'give what was created on the command line to a person who has signed up',
    open: 'open the dashboard, or a project in it, in your browser',
    keys: 'print the API keys of a project',
    db: "print the connection string of a project's database",
    types: "print TypeScript types of a project's database",
    logs: 'print the logs of a project, or follow them',
    vault: "rotate the key that encrypts a project's secrets",
    import: 'import a Supabase project: schema, rows, users, files and functions',
  },
  Operation: {
    health: 'print the health of this installation; exits with 1 while an alert is open',
    operators: 'list, add and remove the operators of this installation',
    extensions: 'list, add and remove builds of Postgres extensions',
    orphans: 'list, adopt and remove projects and backups without a row in the platform database',
    rounds: 'list periodic tasks that failed',
    roles: 'list privileges found in projects that Plinth never grants',
  },
}
const programs = Object.assign({}, ...Object.values(commands))
const ownPrograms = { rest: 'rest', backup: 'backup', restore: 'backup', doctor: 'doctor' }
const { home, rest: typed, problem: homeProblem } = takeHome(process.argv.slice(2))
if (homeProblem !== undefined) {
  process.stderr.write(`plinth: ${homeProblem}\n`)
  process.exit(2)
}
if (home !== undefined) process.env.PLINTH_HOME = home
const [first = ''] = typed
const width = Math.max(...Object.keys(programs).map(({ length }) => length)) + 2
const usage = [
  'usage: plinth COMMAND [options]',
  ...Object.entries(commands).flatMap(([title, group]) => [
    '',
    title,
    ...Object.entries(group).map(([name, does]) => `  ${name.padEnd(width)}${does}`),
  ]),
  '',
  'All commands take --home FOLDER, the folder of the platform, in place of PLINTH_HOME.',
  'plinth help COMMAND shows the arguments of one; plinth --version prints the version.',
].join('\n')

function notUnderstood() {
  const known = nearest(first, Object.keys(programs))
  const hint = known === undefined ? '' : `; did you mean "${known}"?`
  const problem = first === '' ? '' : `plinth: unknown command "${first}"${hint}\n`
  process.stderr.write(`${problem}${usage}\n`)
  process.exit(2)
}

if (first === '--version' || first === 'version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`plinth ${version}\n`)
  process.exit(0)
}
if (first === 'help' && typed[1] !== undefined && !typed[1].startsWith('-')) {
  // `help projects create` is `projects create --help`.
  typed.push('--help')
  typed.shift()
}
const [command = ''] = typed
if (['', 'help', '--help', '-h'].includes(command)) {
  if (command === '') notUnderstood()
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
if (!Object.hasOwn(programs, command)) notUnderstood()
process.argv.splice(2, process.argv.length, ...typed)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`plinth: needs Node 20.19 or newer, this is ${process.versions.node}\n`)
  process.exit(1)
}
if (command === 'up') {
  if (typed.length > 1) {
    const isHelp = typed[1] === '--help' || typed[1] === '-h'
    const text = isHelp
      ? `usage: plinth up\n${programs.up}`
      : `plinth: up does not take "${typed[1]}"`
    process[isHelp ? 'stdout' : 'stderr'].write(`${text}\n`)
    process.exit(isHelp ? 0 : 2)
  }
  await import('./launch.mjs')
} else {
  await buildIfStale()
  process.setSourceMapsEnabled(true)
  const program = ownPrograms[command] ?? 'manage'
  await import(new URL(`../dist/server/${program}.js`, import.meta.url).href)
}
