#!/usr/bin/env node
// `plinth WORD`: one program of Plinth by itself, built before where it is missing or older than its sources.
import { buildIfStale } from './build.mjs'

const programs = {
  rest: 'the data API alone, over any Postgres; plinth rest --help names its settings',
}
const [word = ''] = process.argv.slice(2)

if (!Object.hasOwn(programs, word)) {
  const lines = Object.entries(programs).map(([name, does]) => `  plinth ${name}   ${does}`)
  process.stderr.write(`usage: plinth WORD\n${lines.join('\n')}\n`)
  process.exit(1)
}
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`plinth: needs Node 20.19 or newer, this is ${process.versions.node}\n`)
  process.exit(1)
}
await buildIfStale()
process.setSourceMapsEnabled(true)
await import(new URL(`../dist/server/${word}.js`, import.meta.url).href)
