import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/root'
import { compressedBytes, firstLoad, type BuiltFile } from '../checks/bundle.ts'
import { buildBasePage } from './parts/base-page.ts'

/** Bytes of JavaScript, compressed, that the first page needs, against a page of React, Router and Query alone. Exact, so one round. */
const ours = bytesOf(join(root, 'dist/dashboard'))
const baseline = bytesOf(await buildBasePage())
const ratio = Math.round((ours / baseline) * 1000) / 1000
process.stdout.write(`${JSON.stringify({ name: 'bundle', ratio, rounds: 1, ours, baseline })}\n`)

function bytesOf(folder: string): number {
  const files: BuiltFile[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  return compressedBytes(firstLoad(readFileSync(join(folder, 'index.html'), 'utf8'), files), files)
}
