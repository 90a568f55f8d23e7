#!/usr/bin/env node
// `plinth WORD`: one program of Plinth by itself, built before where it is missing or older than its sources.
import { buildIfStale } from './build.mjs'

const programs = {
  up: 'the whole platform, as npm start runs it',
  backup:
    'the whole platform, while it runs, into a folder; plinth backup verify FOLDER reads it back',
  restore: 'makes a platform of such a folder, on an empty PLINTH_HOME',
  rest: 'the data API alone, over any Postgres; plinth rest --help names its settings',
  projects: 'list, create, pause, restore or delete projects',
  keys: 'the keys of a project',
  db: 'the address of the database of a project',
  types: 'the types of a database for TypeScript',
  logs: 'what the Postgres of a project wrote',
  orphans: 'what is kept and no row names: list, adopt or remove it',
  rounds: 'what could not be looked after the last time',
  roles: 'what was found in projects that no project is given',
}
const ownPrograms = { rest: 'rest', backup: 'backup', restore: 'backup' }
const [word = ''] = process.argv.slice(2)
const asksForHelp = word === '--help' || word === '-h'

if (!asksForHelp && !Object.hasOwn(programs, word)) {
  const lines = Object.entries(programs).map(([name, does]) => `  plinth ${name}   ${does}`)
  process.stderr.write(`usage: plinth WORD\n${lines.join('\n')}\n`)
  process.exit(1)
}
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`plinth: needs Node 20.19 or newer, this is ${process.versions.node}\n`)
  process.exit(1)
}
if (word === 'up') {
  await import('./launch.mjs')
} else {
  await buildIfStale()
  process.setSourceMapsEnabled(true)
  const program = ownPrograms[word] ?? 'manage'
  await import(new URL(`../dist/server/${program}.js`, import.meta.url).href)
}
